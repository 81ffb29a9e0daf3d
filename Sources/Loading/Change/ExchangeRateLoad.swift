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
    /// A sentence for each wrong value or line; nothing was changed.
    case refused([String])
  }

  package struct Rates: Sendable, Equatable {
    package let new: Int
    package let replaced: Int
    package let unchanged: Int
    /// The paid purchases that still have no rate, by currency.
    package let unconverted: [UnconvertedCurrency]
  }

  /// The most bytes of a file: rates of all currencies for more than 50 years.
  private static let maxBytes = 128 * 1024 * 1024
  private static let interrupted = "interrupted; no rate was changed"

  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read, and 78 while no base
  ///   currency is set. No rate was changed then,
  ///   unless the connection broke after COMMIT was sent and before the answer arrived.
  package func run() throws(LoadError) -> Outcome {
    let stage = "loading exchange rates"
    do {
      let bytes = try ReferenceFile(
        path: path, maxBytes: Self.maxBytes, consequence: "no rate was changed",
        interruption: interruption
      ).read()
      return try interruption.cancelling([connection], message: Self.interrupted) {
        try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.refreshTransaction(wait) { try load(bytes) }
        }
      }
    } catch let malformed as Malformed {
      return .refused([malformed.reason])
    } catch {
      throw LoadError(wrapping: error, during: stage, remedy: "No rate was changed; run again")
    }
  }

  private func load(_ bytes: [UInt8]) throws -> Outcome {
    guard try DatabaseSettings(connection).value(of: .baseCurrency) != nil else {
      throw LoadError(
        .configuration,
        "no base currency is set, so the rates have no unit; run gamebase-ingest settings set "
          + "base-currency with its code, such as KRW, and load the rates again")
    }
    try copy(bytes)
    let counts = try connection.onlyRow(
      of: Counts.self, "select * from ingest.load_exchange_rates()")
    if let problems = try sentences(counts.problems) { return .refused(problems) }
    try connection.refreshReports()
    return .loaded(
      Rates(
        new: counts.newCount ?? 0, replaced: counts.replacedCount ?? 0,
        unchanged: counts.unchangedCount ?? 0,
        unconverted: try UnconvertedCurrency.all(on: connection)))
  }

  /// The file is no CSV, or has another header.
  private struct Malformed: Error {
    let reason: String
  }

  /// Copies the lines into a temporary table.
  private func copy(_ bytes: [UInt8]) throws {
    // A line with a backslash and a point would end the COPY, and hide the lines after it.
    guard !bytes.contains(UInt8(ascii: "\\")) else {
      throw Malformed(reason: "a backslash stands in the file")
    }
    try connection.execute(
      """
      create temporary table rate_line (
        line bigint generated always as identity (start with 2), currency text, valid_on text, rate text
      ) on commit drop
      """)
    let copy = try connection.copyIn(
      """
      copy pg_temp.rate_line (currency, valid_on, rate) from stdin
        (format csv, header match, force_not_null (currency, valid_on, rate), encoding 'UTF8')
      """)
    do {
      try bytes.withUnsafeBytes { try copy.write($0) }
      _ = try copy.finish()
    } catch let error as PostgresError where error.kind == .row {
      throw Malformed(reason: error.message + (error.context.map { " (\($0))" } ?? ""))
    }
  }

  private struct Counts: Decodable {
    let newCount: Int?
    let replacedCount: Int?
    let unchangedCount: Int?
    let problems: String?
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
