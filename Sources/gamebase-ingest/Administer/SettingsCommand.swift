internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest settings`: the values that a database stores for commands and reports.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show or set what the database stores for later loads and for the reports.",
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
            setting.rawValue, try settings.value(of: setting) ?? setting.defaultText,
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
      gamebase-ingest settings set apps Qb2FhTzN,Xc81KpLm --database service=games
      gamebase-ingest settings set time-zone Asia/Seoul --database service=games
      gamebase-ingest settings set app-id --default --database service=games
      """,
    discussion: """
      app-id applies to later loads; loaded files do not change. The application is part of a file's \
      identity: after a change, load refuses a file that is loaded under the old value, unless \
      --reload-as is given.

      apps lists the applications that lines may belong to, separated by commas without blanks; the \
      default is any. A line of another application, by its own appId or else by that of its file, fails \
      its file before any row is kept, also with --reload-as. A line without any application fails it, \
      too. Replays of refused lines are held to the list as well; loaded rows do not change.

      time-zone is UTC, or an area and a city, such as Asia/Seoul. A change rebuilds all reports in the \
      same transaction, which takes some time; loads go on meanwhile.

      base-currency is an ISO 4217 code. Exchange rates are in units of it, so a change removes all \
      stored rates; load the rates of the new currency afterwards.
      """)

  @Argument(
    help: "The name of the setting: \(alternatives(DatabaseSetting.allCases.map(\.rawValue))).")
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
    let connection = try database.connectToSchema(asOwnerFor: "settings set")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let outcome = try reportingErrors {
      try SettingChange(
        setting, to: value, connection: connection, wait: DatabaseOptions.wait,
        interruption: interruption
      ).apply()
    }
    let now = printable(value ?? setting.defaultText)
    try Terminal.output(of: outcome.before == value ? nil : "the setting") {
      try Terminal.output(
        outcome.before == value
          ? "\(name) is \(now) already"
          : "\(name) is \(now), and was \(printable(outcome.before ?? setting.defaultText))")
      if outcome.removedRates > 0 {
        try Terminal.output(
          "removed \(outcome.removedRates) exchange rates, which were in units of the previous currency; "
            + "load those of the new one with gamebase-ingest reference load exchange-rates")
      }
      if let rebuilt = outcome.rebuilt { try Terminal.output(rebuilt.sentence) }
    }
  }
}

extension DatabaseSetting {
  /// The text for a setting that is not set.
  fileprivate var defaultText: String { defaultValue.map { "\($0) (default)" } ?? "(none)" }
}
