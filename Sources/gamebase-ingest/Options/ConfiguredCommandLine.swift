internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import Synchronization

/// A command line with the values that the environment and the configuration file add to it.
struct ConfiguredCommandLine {
  let command: CommandCatalog.Entry
  let values: OptionValues
  /// nil: there is no configuration file.
  let configuration: Configuration?
  /// nil: none is named, or there are several.
  let target: Configuration.Target?
  private static let used = Mutex<ConfiguredCommandLine?>(nil)

  /// The command line that runs; nil: it has no environment and no file.
  static var current: ConfiguredCommandLine? { used.withLock(\.self) }

  /// Makes this the command line that runs.
  func use() { Self.used.withLock { $0 = self } }

  private let given: [String]
  private let environment: [String: String]
  /// The variables of all options.
  private let variables: Set<String>

  /// Options that a command which deletes or accepts stored data takes from everywhere: those that tell
  /// how it connects and waits.
  ///
  /// An option that tells what is changed must be written down for the one change.
  private static let connecting: Set<String> = [
    "database", "local", "key-file", "retries", "refresh-wait", "lock-wait", "wait", "config",
    "target", "log-format", "log-level",
  ]
  private static let changing: Set<[String]> = [
    ["undo"], ["forget-user"], ["retention"], ["grant"], ["distribute"],
    ["conflicts", "accept"],
    ["conflicts", "undo"], ["failures", "dismiss"], ["settings", "set"], ["local", "destroy"],
    ["reference", "load", "exchange-rates"], ["reference", "load", "push-actions"],
  ]
  /// The command that needs no database, and so no target.
  private static let withoutDatabase = ["explain"]
  /// Variables of this program that are no options.
  private static let otherVariables: Set<String> = [
    ErasureKeyFile.environmentVariable, "GAMEBASE_INGEST_SERVER_PROGRAMS",
    "GAMEBASE_INGEST_STOP_AT", "GAMEBASE_INGEST_FAIL_PLAYER", "GAMEBASE_INGEST_LIBFUZZER",
    "GAMEBASE_INGEST_ONLY_LOADING_TESTS",
  ]

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - environment: the variables of the process.
  /// - Throws: `ConfigurationError`.
  init(
    _ arguments: [String], environment: [String: String], catalog: CommandCatalog
  ) throws(ConfigurationError) {
    given = arguments
    self.environment = environment
    variables = Set(catalog.allOptions.map(\.environmentVariable))
    command = catalog.command(in: arguments)
    let words = command.words
    let rest = Array(arguments.dropFirst(words.count))
    let options = command.options
    let takesConfiguration = options.contains { $0.name == "config" }
    let path = Self.value(of: "config", in: rest, environment)
    configuration =
      try takesConfiguration ? Self.configuration(at: path, options: catalog.allOptions) : nil
    let targetName = Self.value(of: "target", in: rest, environment)
    if let targetName, takesConfiguration, configuration == nil {
      throw ConfigurationError(
        .usage, "the target \(targetName) needs a configuration file: add --config FILE")
    }
    target = try configuration?.target(named: targetName)
    values = try OptionValues(
      options: options, given: Self.names(in: rest),
      accepts: { !Self.changing.contains(words) || Self.connecting.contains($0) },
      environment: environment, configuration: configuration, target: target)
    if let configuration, target == nil, !configuration.targets.isEmpty,
      options.contains(where: { $0.name == "database" }), words != Self.withoutDatabase,
      !rest.contains("--help"), !rest.contains("-h"),
      values.entries.allSatisfy({
        !["database", "local"].contains($0.option.name) || $0.origin == .program
      }),
      !ConnectionTarget.environmentVariables.contains(where: { environment[$0]?.isEmpty == false })
    {
      throw ConfigurationError(
        .usage,
        "\(configuration.path) has several targets: add --target with one of "
          + configuration.targets.keys.sorted().joined(separator: ", "))
    }
  }

  /// The arguments for the parser.
  var arguments: [String] {
    let count = command.words.count
    return Array(given.prefix(count)) + values.arguments + given.dropFirst(count)
  }

  /// The value of an option on the command line; nil: it has none.
  func valueOnCommandLine(of name: String) -> String? {
    Self.value(of: name, in: Array(given.dropFirst(command.words.count)), [:])
  }

  /// A clause on the value that makes the command line wrong, such as `--jobs comes from
  /// GAMEBASE_INGEST_JOBS`; nil: no single value outside of it does.
  func origin(ofErrorIn root: any ParsableCommand.Type) -> String? {
    for entry in values.entries where entry.origin != .commandLine && entry.origin != .program {
      let count = command.words.count
      let others = values.entries.filter {
        $0.option.name != entry.option.name && $0.origin != .commandLine && $0.origin != .program
      }
      let arguments =
        given.prefix(count) + others.flatMap(\.arguments) + given.dropFirst(count)
      if (try? root.parseAsRoot(Array(arguments))) != nil {
        return "--\(entry.option.name) comes from \(entry.origin.description)"
      }
    }
    return nil
  }

  /// Warns of variables with this program's prefix that set no option.
  ///
  /// Kubernetes makes variables such as `GAMEBASE_INGEST_PORT` for a service of this name; they are no
  /// mistake.
  func noteUnknownVariables() {
    for name in environment.keys.sorted()
    where name.hasPrefix(OptionKey.environmentPrefix) && !variables.contains(name)
      && !Self.otherVariables.contains(name)
      && name.prefixMatch(of: /GAMEBASE_INGEST_(?:SERVICE_|PORT)/) == nil
    {
      // The prefix that all have in common would make every name near.
      let prefix = OptionKey.environmentPrefix
      let near = nearestNames(
        to: String(name.dropFirst(prefix.count)),
        among: variables.sorted().map { String($0.dropFirst(prefix.count)) }, atMost: 1
      ).first
      Terminal.warning(
        "\(name) sets no option" + (near.map { "; did you mean \(prefix)\($0)?" } ?? ""))
    }
  }

  private static func configuration(
    at path: String?, options: [OptionKey]
  ) throws(ConfigurationError) -> Configuration? {
    guard let path = path ?? ConfigurationFile.search() else { return nil }
    return try Configuration(
      ConfigurationFile(path: path), options: options,
      suggestion: { nearestNames(to: $0, among: $1, atMost: 1).first })
  }

  /// The value of an option on the command line, else in the environment; nil: neither has one.
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
    let variable = environment[OptionKey(name: name, kind: .option).environmentVariable]
    return found ?? variable.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of the options on a command line.
  private static func names(in arguments: [String]) -> Set<String> {
    Set(
      arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
        .map { String($0.dropFirst(2).prefix { $0 != "=" }) })
  }
}
