internal import ArgumentParser
internal import Loading
internal import Postgres

struct ReferenceCommand: Command {
  static let help = "reference: Load reference data, such as exchange rates and push actions."
  static let subcommands: Commands = [ReferenceLoadCommand.self]
}

struct ReferenceLoadCommand: Command {
  static let help = "load: Load a file of reference data."
  static let subcommands: Commands = [ExchangeRatesCommand.self, PushActionsCommand.self]
}

struct ExchangeRatesCommand: ChangingCommand {
  static let help = """
    exchange-rates: Load exchange rates from a CSV file, completely or not at all.

    gamebase-ingest reference load exchange-rates <file> [options]
    gamebase-ingest reference load exchange-rates rates-2026-11.csv --database service=games

    The file has the header currency,valid_on,rate and one line per currency and day, such as \
    USD,2026-11-20,1385.2: one unit of the currency is worth so many units of the base currency, which \
    settings set base-currency names; set it first. The base currency itself needs no rate. A rate has at \
    most 12 digits before and 12 after the point.

    A rate replaces the stored one of its currency and day; other stored rates stay. The command refreshes \
    the reports, and lists the paid purchases without a rate, as report.rate_gap has them. A day without a \
    rate uses the last one before it, at most 7 days old. Needs the owner's rights.

    Exits with 5 when a line is wrong; each wrong line is named, and nothing is changed.
    """

  @Argument(help: "The CSV file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let change = try database.change("reference load")
    let rates = try change.loadExchangeRates(file)
    try rates.requireNoProblem(in: file)
    try Terminal.output(of: "the load of the rates") {
      try Terminal.output(rates.summary)
      let unconverted = try change.unconvertedCurrencies()
      for sentence in unconverted { try Terminal.output(sentence) }
      if unconverted.isEmpty {
        try Terminal.output("every paid purchase in the reports is converted")
      }
    }
  }
}

struct PushActionsCommand: ChangingCommand {
  static let help = """
    push-actions: Load the push actions of an app from its hive_push_actions.json.

    gamebase-ingest reference load push-actions <file> [options]
    gamebase-ingest reference load push-actions hive_push_actions.json --app-id ab12 --database service=games

    The file is a JSON object with actions, which gives each action its titles by language, and categories, \
    which lists up to three actions for each category. It replaces all actions of the app. A file with the \
    same bytes as the app's newest one changes nothing. Needs the owner's rights.

    Exits with 5 when the file has a defect; each one is named, and nothing is changed. Warnings name what \
    is probably not meant, such as unknown languages and actions in no category.
    """

  @Argument(help: "The JSON file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: "The app of the actions; default: the database's setting app-id, else none.",
    transform: application)
  var appId: String?

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let change = try database.change("reference load")
    let loaded = try change.loadPushActions(file, appID: appId, loaderVersion: Version.current)
    try loaded.requireNoProblem(in: file)
    list(loaded.warnings?.all ?? [], in: file, Terminal.warning)
    try Terminal.output(of: "the load of the push actions") {
      try Terminal.output(printable(loaded.summary))
    }
  }
}

/// Names the first findings in a file.
private func list(_ findings: [String], in file: String, _ write: (String) -> Void) {
  let most = 20
  for finding in findings.prefix(most) { write("\(file): \(finding)") }
  let more = findings.count - most
  if more > 0 { write("\(file): \(more) more are not listed") }
}

extension LoadedReference {
  /// - Throws: `LoadError` with exit code 5 when the file has defects.
  fileprivate func requireNoProblem(in file: String) throws {
    guard let defects = problems?.all else { return }
    list(defects, in: file, Terminal.problem)
    throw LoadError(
      .fileFailed, "\(file) has \(counted(defects.count, "defect")); nothing was changed")
  }
}
