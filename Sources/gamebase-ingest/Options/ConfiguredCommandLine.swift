internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Synchronization

/// A command line with the arguments that the configuration file puts before the given ones.
struct ConfiguredCommandLine {
  /// An option of the file that the command has, as arguments.
  struct Entry {
    let name: String
    let arguments: [String]
    /// The file and its table.
    let origin: String
  }

  let named: NamedCommand
  private let given: [String]
  /// The arguments of the file, in the order of their tables.
  private(set) var entries: [Entry] = []
  /// nil: none is named, and the file has none or several.
  private(set) var target: (name: String, sources: [Configuration.Source])?
  /// The day in the names of its outputs, such as `2026-01-31`; nil: not known yet.
  var day: String?

  private static let used = Mutex<ConfiguredCommandLine?>(nil)

  /// The command line that runs; nil: none does yet.
  static var current: ConfiguredCommandLine? {
    get { used.withLock(\.self) }
    set { used.withLock { $0 = newValue } }
  }

  /// Options that a `ChangingCommand` takes from the file.
  private static let connecting: Set<String> = [
    "database", "local", "key-file", "config", "target", "log-format",
  ]
  /// Commands whose options are the keys of the file; further ones have no other name.
  private static let keyed = ["run", "load", "validate", "status", "refresh"]

  /// - Parameter given: without the program's name.
  init(_ given: [String], of root: any ParsableCommand.Type) throws(ConfigurationError) {
    (named, self.given) = (NamedCommand(given, of: root), given)
    let rest = given.dropFirst(named.words.count - 1)
    let targetName = Self.value(of: "target", in: rest)
    let path = Self.value(of: "config", in: rest) ?? ConfigurationFile.search()
    guard path != nil || targetName != nil else { return }
    let options = named.options
    guard options["config"] != nil else { return }
    guard let path else {
      throw ConfigurationError(
        .usage, "the target \(targetName ?? "") needs a configuration file: add --config FILE")
    }
    Output.keep(path)
    let configuration = try ConfigurationFile.read(path)
    let chosen = try configuration.target(named: targetName, in: path)
    target = chosen.map { ($0.name, $0.target.sources) }

    let isChange = named.command is any ChangingCommand.Type
    var taken = Set(Self.options(in: rest).map { Self.subject(of: $0.name) })
    for (table, values) in [
      (chosen.map { "targets.\($0.name)" } ?? "", chosen?.target.options ?? [:]),
      ("defaults", configuration.defaults ?? [:]),
    ] {
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let takesValue = options[name] else {
          try checkKey(name, at: "\(path): \(table).\(name)")
          continue
        }
        if taken.contains(Self.subject(of: name)) || isChange && !Self.connecting.contains(name) {
          continue
        }
        let arguments =
          switch value {
          case .texts(let texts): texts.map { "--\(name)=\($0)" }
          case .flag where takesValue && name != "local":
            throw ConfigurationError(
              .file, "\(path): \(table).\(name) needs a value, and not true or false")
          case .flag(let isOn): isOn ? ["--\(name)"] : []
          }
        entries.append(Entry(name: name, arguments: arguments, origin: "\(path), [\(table)]"))
      }
      taken.formUnion(values.keys.map(Self.subject))
    }
    if target == nil, !taken.contains("database"), !DatabaseOptions.isInEnvironment,
      !configuration.targetNames.isEmpty, options["database"] != nil,
      // The file of a line is explained without a database.
      named.words.last != "explain", !taken.contains("help"), !rest.contains("-h")
    {
      throw ConfigurationError(
        .usage,
        "\(path) has several targets: add --target with one of "
          + configuration.targetNames.joined(separator: ", "))
    }
  }

  /// Of a database and a private server only one can be meant.
  private static func subject(of name: String) -> String { name == "local" ? "database" : name }

  /// - Throws: `ConfigurationError` when no command has an option of this name.
  private func checkKey(_ name: String, at place: String) throws(ConfigurationError) {
    let keys = Set(Self.keyed.flatMap { NamedCommand([$0], of: named.root).options.keys })
    guard !keys.contains(name) else { return }
    let near = nearestNames(to: name, among: keys.sorted(), atMost: 1).first
    throw ConfigurationError(
      .file,
      "\(place) is no key; "
        + (near.map { "did you mean \($0)?" }
          ?? "keys are the names of options without the dashes; run --help lists them"))
  }

  /// The arguments for the parser.
  var arguments: [String] { arguments(without: nil) }

  private func arguments(without name: String?) -> [String] {
    let words = named.words.count - 1
    return given.prefix(words) + entries.filter { $0.name != name }.flatMap(\.arguments)
      + given.dropFirst(words)
  }

  /// A clause on the value that makes the command line wrong, such as `--jobs comes from
  /// gamebase-ingest.toml, [defaults]`; nil: no single value of the file does.
  var originOfError: String? {
    entries.first { (try? named.root.parseAsRoot(arguments(without: $0.name))) != nil }
      .map { "--\($0.name) comes from \($0.origin)" }
  }

  // MARK: - The environment

  /// Warns of variables with this program's prefix that have no meaning, so that no limit is lost without
  /// a word.
  ///
  /// A meaning have those of options, of the key, of private servers and of tests. Kubernetes makes
  /// variables such as `GAMEBASE_INGEST_PORT` for a service of this name; they are no mistake.
  static func noteUnknownVariables() {
    let known = /CONFIG|TARGET|LOG_FORMAT|ERASURE_KEY_FILE|SERVER_PROGRAMS|(?:SERVICE_|PORT).*/
    let ofTests = ["STOP_AT", "FAIL_PLAYER", "LIBFUZZER", "ONLY_LOADING_TESTS"]
    for name in ProcessInfo.processInfo.environment.keys.sorted() where name.hasPrefix(prefix) {
      let word = String(name.dropFirst(prefix.count))
      guard word.wholeMatch(of: known) == nil, !ofTests.contains(word) else { continue }
      Terminal.warning(
        "\(name) has no meaning; options stand on the command line or in a configuration file")
    }
  }

  private static let prefix = "GAMEBASE_INGEST_"

  // MARK: - The command line

  /// The value of an option on the command line, else in its variable, if it has one; nil: in neither.
  static func value(of name: String, in arguments: some Collection<String>) -> String? {
    if let found = options(in: arguments).last(where: { $0.name == name })?.value { return found }
    guard ["config", "target", "log-format"].contains(name) else { return nil }
    let variable = prefix + name.uppercased().replacing("-", with: "_")
    let value = ProcessInfo.processInfo.environment[variable]
    return value?.isEmpty == true ? nil : value
  }

  /// The options on a command line, each with the text behind it; nil: nothing follows it.
  private static func options(
    in arguments: some Collection<String>
  ) -> [(name: String, value: String?)] {
    let words = arguments.prefix { $0 != "--" } + []
    return zip(words, words.dropFirst().map(Optional.some) + [nil]).filter { $0.0.hasPrefix("--") }
      .map { word, next in
        let parts = word.dropFirst(2).split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : next)
      }
  }
}
