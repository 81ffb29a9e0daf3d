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
      try connection.transaction(.readOnlySnapshot) {
        let settings = DatabaseSettings(connection)
        var table = TextTable(["setting", "value", "set", "meaning"])
        for setting in try DatabaseSetting.all + settings.ofSubjects() {
          table.add([
            setting.name, try settings.value(of: setting) ?? setting.defaultText,
            try settings.origin(of: setting) ?? "-", setting.kind.meaning,
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
      gamebase-ingest settings set receipt-feed.Qb2FhTzN events --database service=games
      gamebase-ingest settings set max-age.item 200 --database service=games
      gamebase-ingest settings set max-age.Qb2FhTzN 200 --database service=games
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

      base-currency is an ISO 4217 code. Exchange rates are in units of it: a rate belongs to the base \
      currency of its load, and the reports use those of the present one. A change converts all purchases \
      again and refreshes the reports; load the rates of the new currency afterwards.

      receipt-feed tells which files show how far receipts go, so that reports know which days are \
      complete: files (receipt files), events (receipts within events), or auto, which is files for an \
      application of any receipt file and else events. receipt-feed.APP is that of one application. A \
      change refreshes the reports.

      max-age is the number of hours behind now after which report.health calls a stream late; \
      max-age.APP is that of one application, max-age.STREAM that of one stream. The streams item and \
      event are late only where they have one of their own.

      min-daily-lines is the number of lines of a usual day below which a missing day is no alarm, and \
      min-usual-lines that of lines, or paid purchases of a currency, below which a day is not judged by \
      its figures; the streams item and event are judged only where they have one of their own. \
      min-daily-lines.STREAM and min-usual-lines.STREAM are those of one stream. After a change, all days \
      are judged again.
      """)

  @Argument(
    help: "The name of the setting: \(alternatives(settingNames)).")
  var name: String

  @Argument(help: "The new value.")
  var value: String?

  @Flag(help: "Restore the default.")
  var `default` = false

  @OptionGroup var database: DatabaseOptions

  mutating func validate() throws {
    guard let setting = DatabaseSetting(name: name) else {
      let names = settingNames.joined(separator: ", ")
      throw ValidationError("There is no setting \(printable(name)); the settings are: \(names).")
    }
    guard (value == nil) == `default` else {
      throw ValidationError("Give a value, or --default.")
    }
    value = value.map(setting.stored)
    if let problem = value.flatMap({ setting.problem(with: $0) }) {
      throw ValidationError("\(name): \(problem).")
    }
  }

  func run() throws {
    guard let setting = DatabaseSetting(name: name) else { return }
    let change = try database.change("settings set")
    let outcome = try reportingErrors { try change.set(setting, to: value) }
    let now = printable(value ?? setting.defaultText)
    try Terminal.output(of: outcome.before == value ? nil : "the setting") {
      try Terminal.output(
        outcome.before == value
          ? "\(name) is \(now) already"
          : "\(name) is \(now), and was \(printable(outcome.before ?? setting.defaultText))")
      if outcome.rebuilt != nil, setting == .baseCurrency {
        try Terminal.output("the purchases in the reports are converted again")
      } else if let rebuilt = outcome.rebuilt {
        try Terminal.output(rebuilt.sentence)
      }
    }
  }
}

/// The names of the settings, with their forms for single applications and streams.
private let settingNames = DatabaseSetting.Kind.allCases.flatMap { kind in
  [kind.rawValue] + kind.subjects.map { "\(kind.rawValue).\($0 == .app ? "APP" : "STREAM")" }
}

extension DatabaseSetting {
  /// The text for a setting that is not set.
  fileprivate var defaultText: String { defaultValue.map { "\($0) (default)" } ?? "(none)" }
}
