internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest settings`: the defaults that a database stores for command-line options.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show or set the defaults that the database stores for later loads.",
    subcommands: [SettingsShowCommand.self, SettingsSetCommand.self])
}

/// `gamebase-ingest settings show`: lists all settings with their values.
struct SettingsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all settings, with their values.")

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      try connection.transaction {
        let settings = DatabaseSettings(connection)
        var table = TextTable(["setting", "value", "set", "meaning"])
        for setting in DatabaseSetting.allCases {
          table.add([
            setting.rawValue, try settings.value(of: setting) ?? "(none)",
            try settings.origin(of: setting) ?? "-", setting.meaning,
          ])
        }
        for line in table.lines { try Terminal.output(line) }
      }
    }
  }
}

/// `gamebase-ingest settings set`: changes one setting.
struct SettingsSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set a value, or restore the default. Needs the owner's rights.",
    usage: """
      gamebase-ingest settings set app-id Qb2FhTzN --database service=games
      gamebase-ingest settings set app-id --default --database service=games
      """,
    discussion: """
      The value applies to later loads; loaded files do not change. The application is part of a \
      file's identity: after a change, load refuses a file that is loaded under the old value, unless \
      --reload-as is given.
      """)

  @Argument(help: "The name of the setting: app-id.")
  var name: String

  @Argument(help: "The new value.")
  var value: String?

  @Flag(name: .customLong("default"), help: "Restore the default.")
  var isDefault = false

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard let setting = DatabaseSetting(rawValue: name) else {
      let names = DatabaseSetting.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("There is no setting \(printable(name)); the settings are: \(names).")
    }
    guard (value == nil) == isDefault else {
      throw ValidationError("Give a value, or --default.")
    }
    if let problem = value.flatMap({ setting.problem(with: $0) }) {
      throw ValidationError("\(name): \(problem).")
    }
  }

  func run() throws {
    guard let setting = DatabaseSetting(rawValue: name) else { return }
    let connection = try database.connectToSchema()
    let before = try reportingErrors {
      try connection.transaction { try DatabaseSettings(connection).set(setting, to: value) }
    }
    let now = value ?? "(none)"
    try Terminal.output(
      before == value
        ? "\(name) is \(printable(now)) already"
        : "\(name) is \(printable(now)), and was \(printable(before ?? "(none)"))")
  }
}
