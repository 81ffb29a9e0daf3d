internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

struct ExportCommand: Command {
  static let help = """
    export: Write a view of the reports as CSV or JSONL.

    Writes all columns and the rows of one state of the database, in no particular order. CSV begins \
    with the names of the columns; NULL is an empty field, an empty text "". Numbers have all their \
    digits in both formats.

    --output replaces an older file only when the new one is complete; a new file has the mode 0640. To \
    compress: set -o pipefail; gamebase-ingest export VIEW | gzip > x.gz.part && mv x.gz.part x.gz
    """

  @Argument(help: "The view, such as revenue_by_day.") var view: String
  @OptionGroup var database: DatabaseOptions

  enum Format: String, ExpressibleByArgument, CaseIterable { case csv, jsonl }

  @Option(help: "The format.") var format = Format.csv

  @Option(
    name: .shortAndLong, help: "The file to write; standard output if unset.",
    transform: filledText)
  var output: String?

  @Option(help: "The first day, of the view's column of days, months or periods.", transform: day)
  var since: String?

  @Option(help: "The last day.", transform: day) var until: String?

  @Flag(
    help: """
      Write an apostrophe before texts that a spreadsheet would take for a formula; only for CSV.
      """)
  var escapeFormulas = false

  func validate() throws {
    if escapeFormulas, format != .csv { throw ValidationError("--escape-formulas is for CSV.") }
    if let output, [".gz", ".zst"].contains(where: output.lowercased().hasSuffix) {
      throw ValidationError(
        "--output does not compress; write to standard output, and let gzip or zstd read it.")
    }
  }

  func run() throws {
    let output = Output(output, mode: 0o640)
    try output.check()
    let connection = try database.connect()
    let rows = try connection.transaction(.readOnlySnapshot) {
      let copy = try statement(on: connection)
      return try output.write { write in
        // Rows are short, so they are collected before they are written.
        var pending = Data()
        let rows = try connection.copyOut(copy) { bytes in
          pending.append(contentsOf: bytes)
          guard pending.count >= 256 * 1024 else { return }
          try write(pending)
          pending.removeAll(keepingCapacity: true)
        }
        try write(pending)
        return rows
      }
    }
    Terminal.note("\(counted(rows, "row")) exported")
  }

  private func statement(on connection: Connection) throws -> String {
    let view = view.hasPrefix("report.") ? String(view.dropFirst("report.".count)) : view
    let columns = try columns(of: view, on: connection)
    var rows = "from report.\(try connection.quotedIdentifier(view)) v"
    if since != nil || until != nil {
      guard let day = columns.first(where: \.isDay) else {
        throw LoadError(
          .usage,
          "report.\(view) has no column of days, so --since and --until select nothing; leave them out"
        )
      }
      rows += " where v.\(day.name) between '\(since ?? "-infinity")' and '\(until ?? "infinity")'"
    }
    switch format {
    case .csv:
      let fields = columns.map { column in
        guard escapeFormulas, column.isText else { return "v.\(column.name)" }
        // A spreadsheet runs a text that begins, after white space, with one of these signs or its full-width
        // form, or that begins with a tab or a line break.
        return
          #"case when v.\#(column.name) ~ e'^([ \t\r\n]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])'"#
          + #" then '''' || v.\#(column.name) else v.\#(column.name) end as \#(column.name)"#
      }
      return
        "copy (select \(fields.joined(separator: ", ")) \(rows)) to stdout (format csv, header)"
    case .jsonl:
      // COPY's text form would double each backslash. JSON contains no raw control character, so with
      // these two CSV changes nothing. The inner query takes off the type of the view's rows, which the
      // workers of a cluster do not know.
      return "copy (select pg_catalog.row_to_json(v) from (select v.* \(rows)) v) "
        + #"to stdout (format csv, delimiter e'\x02', quote e'\x01')"#
    }
  }

  private struct Column: Decodable {
    /// Quoted where it must be.
    let name: String
    let isText: Bool
    /// True when it holds the day, or the first day, of a row.
    let isDay: Bool
  }

  private func columns(of view: String, on connection: Connection) throws -> [Column] {
    let columns = try connection.rows(
      of: Column.self,
      """
      select pg_catalog.quote_ident(a.attname) as name, a.atttypid = 'pg_catalog.text'::pg_catalog.regtype as is_text,
          a.atttypid = 'pg_catalog.date'::pg_catalog.regtype and a.attname in ('day', 'purchased_on', 'loaded_on',
            'cohort_on', 'cohort_start', 'cohort_month', 'month', 'period_start') as is_day
        from pg_catalog.pg_class c
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where n.nspname = 'report' and c.relkind = 'v' and c.relname = $1
        order by a.attnum
      """, [.text(view)])
    guard columns.isEmpty else { return columns }
    let views = try connection.rows(
      of: String.self,
      "select viewname::text from pg_catalog.pg_views where schemaname = 'report' order by viewname"
    )
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
}
