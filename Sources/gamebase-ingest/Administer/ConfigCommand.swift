internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest config`: shows where the values of options come from.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the values of options and where they come from.",
    subcommands: [ConfigShowCommand.self, ConfigSchemaCommand.self])
}

/// `gamebase-ingest config show`: lists the options of a command with their values and origins.
struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "List the options of a command, each with its value and the origin of the value.",
    usage: """
      gamebase-ingest config show [<command> ...] [options]
      gamebase-ingest config show load --jobs 2 --target kr
      """,
    discussion: """
      A value on the command line goes before one of the environment, that before the target and then \
      the defaults of the configuration file, and that before the program's default. Every option has \
      a variable: GAMEBASE_INGEST_ and its name in upper case, with _ for -, such as \
      GAMEBASE_INGEST_MAX_REJECTS. A flag takes true or false, an option that can be repeated one value \
      or a JSON array of texts. An empty variable counts as not set.

      Commands that change or delete stored data take only the options for their connection from \
      elsewhere: what is changed must stand on the command line.
      """)

  @OptionGroup var configuration: ConfigurationOptions

  @Option(help: "text or json.")
  var format: StateFormat = .text

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A command line without the program; load if unset.", valueName: "command"))
  var commandLine: [String] = []

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let catalog = CommandCatalog.program
    var arguments = commandLine.isEmpty ? ["load"] : commandLine
    let words = catalog.command(in: arguments).words
    guard !words.isEmpty else {
      throw Terminal.failure(.usage, "there is no command \(arguments[0])")
    }
    let place = words.count
    if let file = configuration.config { arguments.insert("--config=\(file)", at: place) }
    if let target = configuration.target { arguments.insert("--target=\(target)", at: place) }
    let line: ConfiguredCommandLine
    do throws(ConfigurationError) {
      line = try ConfiguredCommandLine(arguments, environment: environment, catalog: catalog)
    } catch {
      throw Terminal.failure(error.kind == .usage ? .usage : .configuration, error.message)
    }
    let rows = line.values.entries.map { entry in
      Row(
        option: "--\(entry.option.name)", value: line.shownValue(of: entry),
        origin: entry.origin.description)
    }
    switch format {
    case .text:
      try Terminal.output("file    \(printable(line.configuration?.path ?? "-"))")
      try Terminal.output("target  \(printable(line.target?.name ?? "-"))")
      try Terminal.output("")
      var table = TextTable(["option", "value", "origin"])
      for row in rows { table.add([row.option, row.value ?? "-", row.origin]) }
      for text in table.lines { try Terminal.output(text) }
      try showSources(line.target)
    case .json:
      var document = JSONObject()
      try document.add("file", line.configuration?.path)
      try document.add("target", line.target?.name)
      try document.add("options", rows)
      try Terminal.output(document.text)
    }
  }

  private struct Row: Encodable {
    let option: String
    let value: String?
    let origin: String
  }

  private func showSources(_ target: Configuration.Target?) throws {
    guard let target, !target.sources.isEmpty else { return }
    try Terminal.output("")
    var table = TextTable(["source", "stream", "min files"])
    for source in target.sources {
      table.add([
        source.paths.joined(separator: " "), source.stream ?? "-",
        source.minFiles.map { String($0) } ?? "-",
      ])
    }
    for text in table.lines { try Terminal.output(text) }
  }
}

extension ConfiguredCommandLine {
  /// The value of an option for people; nil: none.
  ///
  /// A connection string with a password is not shown.
  fileprivate func shownValue(of entry: OptionValues.Entry) -> String? {
    let value: String?
    switch (entry.origin, entry.option.kind) {
    case (.commandLine, .flag): value = "true"
    case (.commandLine, .option): value = valueOnCommandLine(of: entry.option.name)
    case (.program, .flag): value = "false"
    case (.program, .option): value = entry.option.defaultValue
    case (_, .flag): value = entry.values.isEmpty ? "false" : "true"
    case (_, .option): value = entry.values.joined(separator: " ")
    }
    guard entry.option.name == "database", let conninfo = value else { return value }
    return (try? ConnectionTarget(conninfo: conninfo)) == nil
      ? "(refused, and not shown)" : conninfo
  }
}

/// `gamebase-ingest config schema`: prints the JSON Schema of the configuration file.
struct ConfigSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of the configuration file, for editors.")

  func run() throws {
    let catalog = CommandCatalog.program
    try Terminal.output(ConfigurationSchema(options: catalog.allOptions).json)
  }
}
