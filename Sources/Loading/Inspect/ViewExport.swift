package import Postgres
package import RecordPipeline

/// The rows of a view of the reports as CSV or JSONL, by the server's own COPY.
package struct ViewExport {
  package enum Format: String, Sendable, CaseIterable {
    /// With a line of column names; NULL is an empty field, an empty text `""`.
    case csv
    /// A JSON object per line.
    case jsonl
  }

  private let connection: Connection
  private let view: String
  private let columns: [Column]

  private struct Column: Decodable {
    let name: String
    let isText: Bool
    let isDay: Bool
  }

  /// The names of the column that holds the day, or the first day, of a row.
  private static let dayColumns = [
    "day", "purchased_on", "loaded_on", "cohort_on", "cohort_start", "cohort_month", "month",
    "period_start",
  ]

  /// - Parameter name: with or without `report.`.
  /// - Throws: `LoadError` with exit code 64 when schema `report` has no such view.
  package init(of name: String, on connection: Connection) throws {
    self.connection = connection
    view = name.hasPrefix("report.") ? String(name.dropFirst("report.".count)) : name
    columns = try connection.rows(
      of: Column.self,
      """
      select a.attname as name, a.atttypid = 'pg_catalog.text'::pg_catalog.regtype as is_text,
        a.atttypid = 'pg_catalog.date'::pg_catalog.regtype and a.attname = any ($2) as is_day
      from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = 'report' and c.relkind = 'v' and c.relname = $1
      order by a.attnum
      """, [.text(view), .texts(Self.dayColumns)])
    guard columns.isEmpty else { return }
    let views = try connection.rows(
      of: String.self,
      """
      select c.relname::text from pg_catalog.pg_class c
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'report' and c.relkind = 'v' order by c.relname
      """)
    guard !views.isEmpty else {
      throw LoadError(
        .configuration, "the database has no views of the reports; run gamebase-ingest migrate")
    }
    let near = nearestNames(to: view, among: views, atMost: 3)
    throw LoadError(
      .usage,
      "schema report has no view \(printable(view)); "
        + (near.isEmpty
          ? #"\dv report.* in psql lists the views"# : "nearest: \(near.joined(separator: ", "))"))
  }

  /// Writes the rows in the server's order.
  ///
  /// - Parameters:
  ///   - days: the first and the last day, each included; nil: no bound.
  ///   - escapesFormulas: write an apostrophe before texts that a spreadsheet would run: those that begin,
  ///     after blanks, tabs and line breaks, with `=`, `+`, `-` or `@`, or the full-width form of one, and
  ///     those that begin with a tab or a line break. Only for CSV.
  /// - Returns: the number of rows.
  /// - Throws: `LoadError` with exit code 64 when days are given and the view has no day, the server's
  ///   error, and any error of `take`.
  package func write(
    _ format: Format, since: CalendarDay?, until: CalendarDay?, escapesFormulas: Bool,
    take: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    let source = try "report.\(connection.quotedIdentifier(view)) v"
    let rows = try "from \(source)\(condition(since, until))"
    switch format {
    case .csv:
      let fields = try columns.map { try field($0, escapesFormulas: escapesFormulas) }
      return try connection.copyOut(
        "copy (select \(fields.joined(separator: ", ")) \(rows)) to stdout (format csv, header)",
        take: take)
    case .jsonl:
      // COPY's text form would double each backslash. JSON contains no raw control character, so with
      // these two CSV changes nothing. The inner query takes off the type of the view's rows, which the
      // workers of a cluster do not know.
      return try connection.copyOut(
        "copy (select pg_catalog.row_to_json(v) from (select v.* \(rows)) v) "
          + #"to stdout (format csv, delimiter e'\x02', quote e'\x01')"#,
        take: take)
    }
  }

  private func field(_ column: Column, escapesFormulas: Bool) throws -> String {
    let name = try connection.quotedIdentifier(column.name)
    guard escapesFormulas, column.isText else { return "v.\(name)" }
    return
      #"case when v.\#(name) ~ e'^([ \t\r\n]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])'"#
      + #" then '''' || v.\#(name) else v.\#(name) end as \#(name)"#
  }

  private func condition(_ since: CalendarDay?, _ until: CalendarDay?) throws -> String {
    guard since != nil || until != nil else { return "" }
    guard let day = columns.first(where: \.isDay) else {
      throw LoadError(
        .usage,
        "report.\(view) has no column of days, so --since and --until select nothing; leave them out"
      )
    }
    let name = try connection.quotedIdentifier(day.name)
    let bounds = [("v.\(name) >=", since), ("v.\(name) <=", until)].compactMap { bound, day in
      day.map { "\(bound) date '\($0.text)'" }
    }
    return " where \(bounds.joined(separator: " and "))"
  }
}
