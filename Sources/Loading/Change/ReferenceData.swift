internal import Foundation
internal import Postgres

/// The result of a load of reference data; a file with a problem changes nothing.
package struct LoadedReference: Decodable {
  /// The counts, in one line.
  package let summary: String
  /// One for each wrong value or line.
  package let problems: Sentences?
  /// One for all that is probably not meant.
  package let warnings: Sentences?
}

/// The findings of a function, which returns them as a JSON array of texts.
package struct Sentences: Decodable {
  package let all: [String]

  init(_ all: [String]) { self.all = all }

  package init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(String.self)
    all = try JSONDecoder().decode([String].self, from: Data(json.utf8))
  }
}

extension Change {
  /// Loads a CSV file of exchange rates into `game.exchange_rate`, completely or not at all, and
  /// converts the purchases of their days again.
  ///
  /// - Parameter path: a file, plain or compressed; `-` is standard input.
  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read, and 78 while no base
  ///   currency is set.
  package func loadExchangeRates(_ path: String) throws(LoadError) -> LoadedReference {
    // Rates of all currencies for more than 50 years.
    let bytes = try read(path, maxBytes: 128 << 20, ifNot: "no rate was changed")
    return try run(
      during: "loading exchange rates", remedy: "No rate was changed; run again",
      refreshes: true, isDone: { $0.problems == nil }
    ) {
      if let problem = try copyRates(bytes) {
        return LoadedReference(summary: "", problems: Sentences([problem]), warnings: nil)
      }
      let rates = try connection.onlyRow(
        of: LoadedReference.self,
        """
        select format('exchange rates: %s new, %s replaced, %s unchanged', new_count, replaced_count,
            unchanged_count) as summary, problems, null as warnings
          from ingest.load_exchange_rates()
        """)
      if rates.problems == nil { try connection.refreshReports() }
      return rates
    }
  }

  /// Copies the lines into a temporary table.
  ///
  /// - Returns: the reason why the file is no CSV, or has another header.
  private func copyRates(_ bytes: [UInt8]) throws -> String? {
    // A line with a backslash and a point would end the COPY, and hide the lines after it.
    if bytes.contains(UInt8(ascii: "\\")) { return "a backslash stands in the file" }
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
      return nil
    } catch let error as PostgresError where error.kind == .row {
      return error.message + (error.context.map { " (\($0))" } ?? "")
    }
  }

  /// Loads an app's `hive_push_actions.json`, completely or not at all.
  ///
  /// - Parameters:
  ///   - path: a file, plain or compressed; `-` is standard input.
  ///   - appID: the app of the actions; nil: that of the database's setting, else the empty text.
  ///   - loaderVersion: the version of this program.
  /// - Throws: `LoadError`, with exit code 5 when the file cannot be read.
  package func loadPushActions(
    _ path: String, appID: String?, loaderVersion: String
  ) throws(LoadError) -> LoadedReference {
    // Thousands of actions in all languages.
    let bytes = try read(path, maxBytes: 4 << 20, ifNot: "no push action was changed")
    return try run(
      during: "loading push actions", remedy: "No push action was changed; run again",
      isDone: { $0.problems == nil }
    ) {
      // Two loads of one app would otherwise mix two files.
      try connection.waiting(for: [.table("game.push_action")]) {
        try connection.execute("lock table game.push_action in share row exclusive mode")
      }
      let app = try appID ?? Ledger(connection: connection).appIDSetting() ?? ""
      return try connection.onlyRow(
        """
        select concat('push actions', ' of ' || nullif($1, ''), ': ', case when is_loaded
            then format('%s actions, %s titles, %s categories', action_count, title_count, category_count)
            else 'this file is loaded already; nothing was changed' end) as summary, problems, warnings
          from ingest.load_push_actions($1, $2, $3, $4)
        """, [.text(app), .bytes(bytes), .text(path), .text(loaderVersion)])
    }
  }

  /// A sentence for each currency of paid purchases that have no exchange rate: `report.rate_gap`, over all
  /// applications.
  package func unconvertedCurrencies() throws -> [String] {
    try connection.rows(
      of: String.self,
      """
      select format('not converted: %s %s of %s paid purchase%s, %s', round(sum(g.amount), c.minor_unit), g.currency,
          sum(g.unconverted_count), case when sum(g.unconverted_count) <> 1 then 's' end,
          concat_ws(' to ', min(g.first_purchased_on),
            nullif(max(g.last_purchased_on), min(g.first_purchased_on))))
        from report.rate_gap g join game.currency c on c.currency = g.currency
        group by g.currency, c.minor_unit
        order by g.currency
      """)
  }
}
