internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

struct ExportCommand: Command {
  static let help = """
    export: Write a view of the reports as CSV or JSONL.

    Writes all columns and the rows of one state of the database, in no particular order. CSV begins \
    with the names of the columns; NULL is an empty field, an empty text "". --output replaces an older \
    file only when the new one is complete, with the mode 0640. To compress: \
    set -o pipefail; gamebase-ingest export VIEW | gzip > x.gz.part && mv x.gz.part x.gz
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

  @Flag(help: "In CSV, write an apostrophe before texts that a spreadsheet takes for formulas.")
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
    let copy = try statement(on: connection)
    let rows = try connection.transaction(.readOnlySnapshot) {
      try output.write { write in
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

  /// The columns that hold the day, or the first day, of a row.
  private static let days: Set = [
    "day", "purchased_on", "loaded_on", "cohort_on", "cohort_start", "cohort_month", "month",
    "period_start",
  ]

  private func statement(on connection: Connection) throws -> String {
    let view = view.hasPrefix("report.") ? String(view.dropFirst("report.".count)) : view
    func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
    var rows = "from report.\(quoted(view)) v"
    let columns: QueryResult
    do { columns = try connection.query("select v.* \(rows) limit 0") } catch let error
      as PostgresError where [.undefinedTable, .invalidSchemaName].contains(error.sqlState)
    { throw try missing(view, on: connection) }
    let names = columns.columnNames
    if since != nil || until != nil {
      let day = names.indices.first {
        columns.valueType(ofColumn: $0) == .day && Self.days.contains(names[$0])
      }
      guard let day else {
        throw LoadError(
          .usage,
          "report.\(view) has no column of days, so --since and --until select nothing; leave them out"
        )
      }
      rows +=
        " where v.\(names[day]) between '\(since ?? "-infinity")' and '\(until ?? "infinity")'"
    }
    // The inner query takes off the type of the view's rows, which the workers of a cluster do not know. COPY's
    // text form would double each backslash. JSON contains no raw control character, so with these two CSV
    // changes nothing.
    guard format == .csv else {
      return "copy (select pg_catalog.row_to_json(v) from (select v.* \(rows)) v) "
        + #"to stdout (format csv, delimiter e'\x02', quote e'\x01')"#
    }
    let fields = names.indices.map { column in
      let name = quoted(names[column])
      guard escapeFormulas, columns.valueType(ofColumn: column) == .text else { return "v.\(name)" }
      // A spreadsheet runs a text that begins, after white space, with one of these signs or its full-width
      // form, or that begins with a tab or a line break.
      return #"case when v.\#(name) ~ e'^([ \t\r\n]*[-=+@\uFF0B\uFF0D\uFF1D\uFF20]|[\t\r\n])'"#
        + #" then '''' || v.\#(name) else v.\#(name) end as \#(name)"#
    }
    return "copy (select \(fields.joined(separator: ", ")) \(rows)) to stdout (format csv, header)"
  }

  private func missing(_ view: String, on connection: Connection) throws -> LoadError {
    let views = try connection.rows(
      of: String.self,
      "select viewname::text from pg_catalog.pg_views where schemaname = 'report' order by viewname"
    )
    guard !views.isEmpty else {
      return LoadError(
        .configuration, "the database has no views of the reports; run gamebase-ingest migrate")
    }
    let near = nearestNames(to: view, among: views, atMost: 3)
    return LoadError(
      .usage,
      "schema report has no view \(printable(view)); "
        + (near.isEmpty
          ? #"\dv report.* in psql lists the views"# : "nearest: \(near.joined(separator: ", "))"))
  }
}
