internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest reference`: data that lines refer to, such as exchange rates.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Load reference data, such as exchange rates and push actions.",
    subcommands: [ReferenceLoadCommand.self])
}

/// `gamebase-ingest reference load`: loads a file of reference data.
struct ReferenceLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load a file of reference data.",
    subcommands: [ExchangeRatesCommand.self, PushActionsCommand.self])
}

/// `gamebase-ingest reference load exchange-rates`: loads rates for the converted revenue.
struct ExchangeRatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exchange-rates",
    abstract: "Load exchange rates from a CSV file, completely or not at all.",
    usage: """
      gamebase-ingest reference load exchange-rates <file> [options]
      gamebase-ingest reference load exchange-rates rates-2026-11.csv --database service=games
      """,
    discussion: """
      The file has the header currency,valid_on,rate and one line per currency and day, such as \
      USD,2026-11-20,1385.2: one unit of the currency is worth so many units of the base currency, \
      which settings set base-currency names; set it first. The base currency itself needs no rate. A rate has \
      at most 12 digits before and 12 after the point.

      A rate replaces the stored one of its currency and day. Other stored rates stay. The command refreshes \
      the reports, and tells the currencies, days and amounts of paid purchases that have no rate, as \
      report.rate_gap has them. Revenue of a day without a rate uses the last one before it, at most 7 days \
      old. Needs the owner's rights.

      Exits with 5 when a line is wrong; each wrong line is named, and nothing is changed.
      """)

  @Argument(
    help: "The CSV file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let change = try database.change("reference load")
    let rates = try reportingErrors { try change.loadExchangeRates(file) }
    if let problems = rates.problems {
      throw refusal(of: file, problems.all, what: "values or lines", kept: "no rate")
    }
    try Terminal.output(of: "the load of the rates") {
      try Terminal.output(
        "exchange rates: \(rates.newCount ?? 0) new, \(rates.replacedCount ?? 0) replaced, "
          + "\(rates.unchangedCount ?? 0) unchanged")
      let unconverted = try reportingErrors { try change.unconvertedCurrencies() }
      for sentence in unconverted { try Terminal.output(sentence) }
      if unconverted.isEmpty {
        try Terminal.output("every paid purchase in the reports is converted")
      }
    }
  }
}

/// The most findings of a reference file that are named.
private let listedFindings = 20

/// Writes the problems of a reference file.
///
/// - Parameters:
///   - what: the parts of the file that can be wrong.
///   - kept: the table that is unchanged.
private func refusal(
  of file: String, _ problems: [String], what: String, kept: String
) -> any Error {
  for problem in problems.prefix(listedFindings) { Terminal.problem("\(file): \(problem)") }
  let more = problems.count - listedFindings
  return Terminal.failure(
    .fileFailed,
    "\(file): \(problems.count) \(what) are wrong"
      + (more > 0 ? ", of which \(more) are not listed" : "") + "; \(kept) was changed")
}

/// `gamebase-ingest reference load push-actions`: loads the buttons of an app's push messages.
struct PushActionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push-actions",
    abstract: "Load the push actions of an app from its hive_push_actions.json.",
    usage: """
      gamebase-ingest reference load push-actions <file> [options]
      gamebase-ingest reference load push-actions hive_push_actions.json --app-id ab12 --database service=games
      """,
    discussion: """
      The file is a JSON object with actions, which gives each action its titles by language, and categories, \
      which lists up to three actions for each category. It replaces all actions of the app; other apps keep \
      theirs. A file with the same bytes as the app's newest one changes nothing. Needs the owner's rights.

      Exits with 5 when the file has a defect; each one is named, and nothing is changed. Warnings name what is \
      probably not meant: languages that the vendor does not know, actions in no category, white space around a \
      title, two actions of a category with one title, and names that the vendor reserves and ignores.
      """)

  @Argument(
    help: "The JSON file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: "The app of the actions; default: the database's setting app-id, else none.")
  var appId: String?

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    if let problem = appId.flatMap({ ApplicationName.problem(with: $0) }) {
      throw ValidationError("--app-id: \(problem).")
    }
  }

  func run() throws {
    let change = try database.change("reference load")
    let loaded = try reportingErrors {
      try change.loadPushActions(file, appID: appId, loaderVersion: Version.current)
    }
    if let problems = loaded.problems {
      throw refusal(of: file, problems.all, what: "values or names", kept: "no push action")
    }
    let warnings = loaded.warnings?.all ?? []
    for warning in warnings.prefix(listedFindings) { Terminal.warning("\(file): \(warning)") }
    let more = warnings.count - listedFindings
    if more > 0 { Terminal.warning("\(file): \(more) more warnings are not listed") }
    let app = loaded.appID.isEmpty ? "" : " of \(printable(loaded.appID))"
    try Terminal.output(of: "the load of the push actions") {
      try Terminal.output(
        "push actions\(app): "
          + (loaded.isLoaded == true
            ? "\(loaded.actionCount ?? 0) actions, \(loaded.titleCount ?? 0) titles, "
              + "\(loaded.categoryCount ?? 0) categories"
            : "this file is loaded already; nothing was changed"))
    }
  }
}
