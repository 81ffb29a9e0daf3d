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
    try reportingErrors { try printTable(Listing.settings(on: connection).table()) }
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

  @Argument(help: "The name of the setting; settings show lists them.")
  var name: String

  @Argument(help: "The new value.")
  var value: String?

  @Flag(help: "Restore the default.")
  var `default` = false

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    guard (value == nil) == `default` else {
      throw ValidationError("Give a value, or --default.")
    }
    // A name that an older version accepted can still be set to its default.
    guard let value else { return }
    let apps =
      switch name {
      case "app-id": [value]
      case "apps": ApplicationName.list(value)
      // Bytes are split, because a combining mark behind the dot forms one character with it.
      default:
        name.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).dropFirst()
          .map { String(decoding: $0, as: UTF8.self) }
      }
    if let problem = apps.lazy.compactMap(ApplicationName.problem(with:)).first {
      throw ValidationError("\(name): \(problem).")
    }
    guard Set(apps.map { Array($0.utf8) }).count == apps.count else {
      throw ValidationError("\(name): an application is listed twice.")
    }
  }

  func run() throws {
    let change = try database.change("settings set")
    let outcome = try reportingErrors { try change.set(name, to: value) }
    let (before, now) = (printable(outcome.values.before), printable(outcome.values.now))
    let isChanged = outcome.values.isChanged
    try Terminal.output(of: isChanged ? "the setting" : nil) {
      try Terminal.output(
        isChanged ? "\(name) is \(now), and was \(before)" : "\(name) is \(now) already")
      if outcome.rebuilt != nil, name == "base-currency" {
        try Terminal.output("the purchases in the reports are converted again")
      } else if let rebuilt = outcome.rebuilt {
        try Terminal.output(rebuilt.sentence)
      }
    }
  }
}
