internal import ArgumentParser
internal import Loading

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
    settings set base-currency names; set it first. A rate has at most 12 digits before and 12 after the \
    point. A day without a rate uses the last one before it, at most 7 days old.

    A rate replaces the stored one of its currency and day; other stored rates stay. The command refreshes \
    the reports, and lists the paid purchases without a rate. A wrong line is named, and nothing is changed \
    (5). Needs the owner's rights.
    """

  @Argument(help: "The CSV file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let change = try database.change("reference load")
    try change.loadExchangeRates(file).show(of: file, "the load of the rates") {
      let unconverted = try change.unconvertedCurrencies()
      return unconverted.isEmpty
        ? ["every paid purchase in the reports is converted"] : unconverted
    }
  }
}

struct PushActionsCommand: ChangingCommand {
  static let help = """
    push-actions: Load the push actions of an app from its hive_push_actions.json.

    gamebase-ingest reference load push-actions <file> [options]
    gamebase-ingest reference load push-actions hive_push_actions.json --app-id ab12 --database service=games

    The file is a JSON object with actions, which gives each action its titles by language, and categories, \
    which lists up to three actions for each category. It replaces all actions of the app. A defect is \
    named, and nothing is changed (5). Needs the owner's rights.
    """

  @Argument(help: "The JSON file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @Option(
    help: "The app of the actions; default: the database's setting app-id, else none.",
    transform: application)
  var appId: String?

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    try database.change("reference load")
      .loadPushActions(file, appID: appId, loaderVersion: Version.current)
      .show(of: file, "the load of the push actions")
  }
}

extension LoadedReference {
  /// Names the defects of a file and ends the command with 5, or names the warnings and prints what the load
  /// has done.
  fileprivate func show(
    of file: String, _ load: String, further: () throws -> [String] = { [] }
  ) throws {
    let most = 20
    let write = problems == nil ? Terminal.warning : Terminal.problem
    let lines = ((problems ?? warnings)?.all ?? []).map { "\(file): \($0)" }
    lines.prefix(most).forEach(write)
    if lines.count > most { write("\(file): \(lines.count - most) more are not listed") }
    if let defects = problems?.all.count {
      throw LoadError(.fileFailed, "\(file) has \(counted(defects, "defect")); nothing was changed")
    }
    try Terminal.output(of: load) {
      for line in try [printable(summary)] + further() { try Terminal.output(line) }
    }
  }
}
