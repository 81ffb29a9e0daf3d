internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest reference`: described things, such as exchange rates, that files bring.
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
      the reports, and tells the currencies, days and amounts of paid purchases that have no rate. Revenue of a day \
      without a rate uses the last one before it, at most 7 days old. Needs the owner's rights.

      Exits with 5 when a line is wrong; each wrong line is named, and nothing is changed.
      """)

  @Argument(
    help: "The CSV file, plain or compressed; - is standard input.", completion: .file())
  var file: String

  @OptionGroup var database: DatabaseOptions

  /// The most wrong lines that are named.
  private static let listedProblems = 20
  /// The most spans of days without a rate that are named, for each currency.
  private static let listedSpans = 10

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "reference load")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let outcome = try reportingErrors {
      try ExchangeRateLoad(
        file, connection: connection, wait: DatabaseOptions.wait, interruption: interruption
      ).run()
    }
    switch outcome {
    case .refused(let problems): throw refusal(problems)
    case .loaded(let rates):
      try Terminal.output(of: "the load of the rates") {
        try Terminal.output(
          "exchange rates: \(rates.new) new, \(rates.replaced) replaced, \(rates.unchanged) unchanged"
        )
        for unconverted in rates.unconverted { try Terminal.output(sentence(unconverted)) }
        if rates.unconverted.isEmpty {
          try Terminal.output("every paid purchase in the reports is converted")
        }
      }
    }
  }

  private func sentence(_ unconverted: UnconvertedCurrency) -> String {
    let more = unconverted.days.count - Self.listedSpans
    return "not converted: \(unconverted.amount) \(unconverted.currency) of "
      + "\(counted(unconverted.purchases, "paid purchase")), "
      + unconverted.days.prefix(Self.listedSpans).joined(separator: ", ")
      + (more > 0 ? ", and \(counted(more, "further span")) of days" : "")
  }

  private func refusal(_ problems: [ExchangeRateFile.Problem]) -> any Error {
    for problem in problems.prefix(Self.listedProblems) {
      Terminal.problem("\(file): \(problem.sentence)")
    }
    let more = problems.count - Self.listedProblems
    return Terminal.failure(
      .fileFailed,
      "\(file): \(problems.count) values or lines are wrong"
        + (more > 0 ? ", of which \(more) are not listed" : "") + "; no rate was changed")
  }
}
