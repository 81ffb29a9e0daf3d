internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
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

  /// The arguments of the file, in the order of their tables.
  let entries: [Entry]
  /// nil: none is named, and the file has none or several.
  let target: (name: String, target: Configuration.Target)?
  private let words: Int
  private let given: [String]

  private static let used = Mutex<ConfiguredCommandLine?>(nil)

  /// The command line that runs; nil: no file belongs to it.
  static var current: ConfiguredCommandLine? { used.withLock(\.self) }

  /// The target of the command line that runs; nil: it has none.
  static var target: (name: String, sources: [Configuration.Source])? {
    current?.target.map { ($0.name, $0.target.sources) }
  }

  /// Makes this the command line that runs.
  func use() { Self.used.withLock { $0 = self } }

  /// Options that a command which changes stored data takes from a target.
  ///
  /// What such a command changes stands on the command line.
  private static let connecting: Set<String> = [
    "database", "local", "key-file", "config", "target", "log-format",
  ]
  private static let changing: Set<[String]> = [
    ["undo"], ["forget-user"], ["retention"], ["grant"], ["distribute"], ["migrate"],
    ["conflicts", "accept"], ["conflicts", "undo"], ["rejects", "replay"], ["failures", "dismiss"],
    ["settings", "set"], ["local", "destroy"], ["reference", "load", "exchange-rates"],
    ["reference", "load", "push-actions"],
  ]
  /// Commands whose options are the keys of the file; further ones have no other name.
  private static let keyed = ["run", "load", "validate", "status", "refresh"]

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - environment: the variables of the process.
  /// - Throws: `ConfigurationError`; nil: no file belongs to this command line.
  init?(
    _ arguments: [String], environment: [String: String], of root: any ParsableCommand.Type
  ) throws(ConfigurationError) {
    let named = NamedCommand(arguments, of: root)
    words = named.words.count - 1
    given = arguments
    let rest = Array(arguments.dropFirst(words))
    let targetName = Self.value(of: "target", in: rest, environment)
    let path = Self.value(of: "config", in: rest, environment) ?? ConfigurationFile.search()
    if path == nil, targetName == nil { return nil }
    let options = CommandOptions(named.command)
    guard options.has("config") else { return nil }
    guard let path else {
      throw ConfigurationError(
        .usage, "the target \(targetName ?? "") needs a configuration file: add --config FILE")
    }
    OutputFile.keep(path)
    let configuration = try ConfigurationFile.read(path)
    target = try configuration.target(named: targetName, in: path)

    let command = Array(named.words.dropFirst())
    let given = Self.names(in: rest)
    // Of a database and a private server only one can be meant.
    var taken =
      given.isDisjoint(with: ["database", "local"]) ? given : given.union(["database", "local"])
    var entries: [Entry] = []
    for (table, values) in [
      (target.map { "targets.\($0.name)" } ?? "", target?.target.options.values ?? [:]),
      ("defaults", configuration.defaults?.values ?? [:]),
    ] {
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        let place = "\(path): \(table).\(name)"
        guard let arguments = try options.arguments(name, value, at: place) else {
          guard
            Self.connecting.contains(name)
              || Self.keyed.contains(where: {
                Self.options(of: $0, of: root).has(name)
              })
          else { throw Self.unknown(name, at: place, of: root) }
          continue
        }
        guard !taken.contains(name),
          !Self.changing.contains(command) || Self.connecting.contains(name)
        else { continue }
        entries.append(Entry(name: name, arguments: arguments, origin: "\(path), [\(table)]"))
      }
      taken.formUnion(values.keys)
      if !taken.isDisjoint(with: ["database", "local"]) { taken.formUnion(["database", "local"]) }
    }
    self.entries = entries
    if target == nil, !configuration.targetNames.isEmpty, options.has("database"),
      command != Self.withoutDatabase,
      given.isDisjoint(with: ["help", "database", "local"]), !rest.contains("-h"),
      !entries.contains(where: { ["database", "local"].contains($0.name) }),
      !ConnectionTarget.environmentVariables.contains(where: { environment[$0]?.isEmpty == false })
    {
      throw ConfigurationError(
        .usage,
        "\(path) has several targets: add --target with one of "
          + configuration.targetNames.joined(separator: ", "))
    }
  }

  /// The arguments for the parser.
  var arguments: [String] { arguments(without: nil) }

  private func arguments(without name: String?) -> [String] {
    given.prefix(words) + entries.filter { $0.name != name }.flatMap(\.arguments)
      + given.dropFirst(words)
  }

  /// A clause on the value that makes the command line wrong, such as `--jobs comes from
  /// gamebase-ingest.toml, [defaults]`; nil: no single value of the file does.
  func origin(ofErrorIn root: any ParsableCommand.Type) -> String? {
    entries.first { (try? root.parseAsRoot(arguments(without: $0.name))) != nil }
      .map { "--\($0.name) comes from \($0.origin)" }
  }

  private static func options(
    of command: String, of root: any ParsableCommand.Type
  ) -> CommandOptions {
    CommandOptions(NamedCommand([command], of: root).command)
  }

  private static func unknown(
    _ name: String, at place: String, of root: any ParsableCommand.Type
  ) -> ConfigurationError {
    let keys = Set(keyed.flatMap { options(of: $0, of: root).names })
    let near = nearestNames(to: name, among: keys.sorted(), atMost: 1).first
    return ConfigurationError(
      .file,
      "\(place) is no key; "
        + (near.map { "did you mean \($0)?" }
          ?? "keys are the names of options without the dashes; run --help lists them"))
  }

  // MARK: - The environment

  private static let prefix = "GAMEBASE_INGEST_"
  private static let variables: [String: String] = [
    "config": "\(prefix)CONFIG", "target": "\(prefix)TARGET", "log-format": "\(prefix)LOG_FORMAT",
  ]
  /// The command that needs no database, and so no target.
  private static let withoutDatabase = ["explain"]
  /// Variables of this program that are no options.
  private static let otherVariables: Set<String> = [
    ErasureKeyFile.environmentVariable, "GAMEBASE_INGEST_SERVER_PROGRAMS",
    "GAMEBASE_INGEST_STOP_AT", "GAMEBASE_INGEST_FAIL_PLAYER", "GAMEBASE_INGEST_LIBFUZZER",
    "GAMEBASE_INGEST_ONLY_LOADING_TESTS",
  ]

  /// Warns of variables with this program's prefix that have no meaning, so that no limit is lost without
  /// a word.
  ///
  /// Kubernetes makes variables such as `GAMEBASE_INGEST_PORT` for a service of this name; they are no
  /// mistake.
  static func noteUnknownVariables(_ environment: [String: String]) {
    let known = otherVariables.union(variables.values)
    for name in environment.keys.sorted()
    where name.hasPrefix(prefix) && !known.contains(name)
      && name.prefixMatch(of: /GAMEBASE_INGEST_(?:SERVICE_|PORT)/) == nil
    {
      Terminal.warning(
        "\(name) has no meaning; options stand on the command line or in a configuration file")
    }
  }

  // MARK: - The command line

  /// The value of an option on the command line, else in its variable; nil: neither has one.
  static func value(
    of name: String, in arguments: [String], _ environment: [String: String]
  ) -> String? {
    var found: String?
    var rest = arguments.prefix { $0 != "--" }[...]
    while let argument = rest.popFirst() {
      if argument == "--\(name)" {
        found = rest.popFirst() ?? found
      } else if argument.hasPrefix("--\(name)=") {
        found = String(argument.dropFirst(name.count + 3))
      }
    }
    let value = variables[name].flatMap { environment[$0] }
    return found ?? value.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of the options on a command line.
  private static func names(in arguments: [String]) -> Set<String> {
    Set(
      arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
        .map { String($0.dropFirst(2).prefix { $0 != "=" }) })
  }
}

/// The options that a command has, by its properties and those of its groups.
struct CommandOptions {
  /// By name: true when the option takes a value.
  fileprivate var takesValue: [String: Bool] = [:]

  init(_ command: any ParsableArguments.Type) {
    for case (let label?, let property as any CommandLineProperty) in Mirror(
      reflecting: command.init()
    ).children {
      let words = label.dropFirst().map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
      takesValue.merge(property.options(named: words.joined())) { $1 }
    }
  }

  var names: [String] { Array(takesValue.keys) }

  func has(_ name: String) -> Bool { takesValue[name] != nil }

  /// The arguments for a value of the file; nil: the command has no such option.
  func arguments(
    _ name: String, _ value: Configuration.OptionValue, at place: String
  ) throws(ConfigurationError) -> [String]? {
    switch (takesValue[name], value) {
    case (nil, _): return nil
    case (true, .texts(let texts)): return texts.map { "--\(name)=\($0)" }
    case (_, .flag(let isOn)) where takesValue[name] == false || name == "local":
      return isOn ? ["--\(name)"] : []
    case (true, _): throw ConfigurationError(.file, "\(place) needs a value, and not true or false")
    case (false, _): throw ConfigurationError(.file, "\(place) must be true or false")
    }
  }
}

/// A property of a command that is an option, or a group of them.
private protocol CommandLineProperty {
  /// By name: true when the option takes a value.
  func options(named name: String) -> [String: Bool]
}
extension Option: CommandLineProperty {
  fileprivate func options(named name: String) -> [String: Bool] { [name: true] }
}
extension Flag: CommandLineProperty {
  fileprivate func options(named name: String) -> [String: Bool] { [name: false] }
}
extension OptionGroup: CommandLineProperty {
  fileprivate func options(named name: String) -> [String: Bool] {
    CommandOptions(Value.self).takesValue
  }
}
