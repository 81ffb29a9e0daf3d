package import Postgres

/// Loads a CSV file of exchange rates into `game.exchange_rate`, completely or not at all, and in the same
/// transaction converts the purchases of their days again.
package struct ExchangeRateLoad {
  private let path: String
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - path: a file, plain or compressed; `-` is standard input.
  ///   - connection: to a database at this program's schema; the role may write the table.
  package init(
    _ path: String, connection: Connection, wait: LockWait = .silent,
    interruption: Interruption = Interruption()
  ) {
    self.path = path
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  package enum Outcome: Sendable, Equatable {
    case loaded(Rates)
    /// Nothing was changed.
    case refused([ExchangeRateFile.Problem])
  }

  package struct Rates: Sendable, Equatable {
    package let new: Int
    package let replaced: Int
    package let unchanged: Int
    /// The paid purchases that still have no rate, by currency.
    package let unconverted: [UnconvertedCurrency]

    package init(
      new: Int, replaced: Int, unchanged: Int, unconverted: [UnconvertedCurrency] = []
    ) {
      self.new = new
      self.replaced = replaced
      self.unchanged = unchanged
      self.unconverted = unconverted
    }
  }

  /// The most bytes of a file: rates of all currencies for more than 50 years.
  private static let maxBytes = 128 * 1024 * 1024
  /// The number of rates in one statement.
  private static let batchSize = 10_000
  private static let interrupted = "interrupted; no rate was changed"

  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read, and 78 while no base
  ///   currency is set. No rate was changed then,
  ///   unless the connection broke after COMMIT was sent and before the answer arrived.
  package func run() throws(LoadError) -> Outcome {
    let stage = "loading exchange rates"
    do {
      let bytes = try ReferenceFile(
        path: path, maxBytes: Self.maxBytes, consequence: "no rate was changed"
      ).read()
      return try interruption.cancelling([connection], message: Self.interrupted) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.refreshTransaction(wait) { try load(bytes) }
        }
      }
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: "No rate was changed; run again")
    }
  }

  private func load(_ bytes: [UInt8]) throws -> Outcome {
    guard let base = try DatabaseSettings(connection).value(of: .baseCurrency) else {
      throw LoadError(
        .configuration,
        "no base currency is set, so the rates have no unit; run gamebase-ingest settings set "
          + "base-currency with its code, such as KRW, and load the rates again")
    }
    let currencies = try connection.rows(
      of: String.self, "select currency from game.currency where minor_unit is not null")
    let file = ExchangeRateFile(bytes, currencies: Set(currencies), base: base)
    guard file.problems.isEmpty else { return .refused(file.problems) }
    var (new, replaced) = (0, 0)
    for start in stride(from: 0, to: file.rates.count, by: Self.batchSize) {
      try interruption.check(message: Self.interrupted)
      let batch = file.rates[start..<min(start + Self.batchSize, file.rates.count)]
      // A row that this transaction has inserted and not updated has no xmax.
      let counts = try connection.onlyRow(
        of: Counts.self,
        """
        with given as (
          select * from unnest($1::text[], $2::date[], $3::numeric[]) g (currency, valid_on, rate)
        ), changed as (
          insert into game.exchange_rate as e (base_currency, currency, valid_on, rate)
            select s.value, g.currency, g.valid_on, g.rate
              from given g join ingest.setting s on s.name = 'base-currency'
            on conflict (base_currency, currency, valid_on) do update set rate = excluded.rate
              where e.rate <> excluded.rate
            returning e.xmax = 0 as is_new
        )
        select count(*) filter (where is_new) as new,
            count(*) filter (where not is_new) as replaced
          from changed
        """,
        [
          .texts(batch.map(\.currency)), .texts(batch.map(\.validOn)), .texts(batch.map(\.rate)),
        ])
      new += counts.new
      replaced += counts.replaced
    }
    try connection.refreshReports()
    return .loaded(
      Rates(
        new: new, replaced: replaced, unchanged: file.rates.count - new - replaced,
        unconverted: try UnconvertedCurrency.all(on: connection)))
  }

  private struct Counts: Decodable {
    let new: Int
    let replaced: Int
  }
}

/// The paid purchases of one currency that have no exchange rate: `report.rate_gap`, over all applications.
package struct UnconvertedCurrency: Decodable, Sendable, Equatable {
  package let currency: String
  /// The sum of their prices, in the major unit, as text.
  package let amount: String
  package let purchases: Int
  /// Days in the reporting zone, such as `2025-07-01`.
  package let firstDay: String
  package let lastDay: String

  package init(
    currency: String, amount: String, purchases: Int, firstDay: String, lastDay: String
  ) {
    self.currency = currency
    self.amount = amount
    self.purchases = purchases
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// - Parameter connection: with the owner's rights.
  static func all(on connection: Connection) throws -> [UnconvertedCurrency] {
    try connection.rows(
      """
      select g.currency, round(sum(g.amount), c.minor_unit) as amount,
          sum(g.unconverted_count) as purchases, min(g.first_purchased_on) as first_day,
          max(g.last_purchased_on) as last_day
        from report.rate_gap g join game.currency c on c.currency = g.currency
        group by g.currency, c.minor_unit
        order by g.currency
      """)
  }
}
