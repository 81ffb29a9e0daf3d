internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a view of the reports as CSV or JSONL.",
    discussion: """
      Writes all columns and the rows of one state of the database, in no particular order. CSV begins \
      with the names of the columns; NULL is an empty field, an empty text "". Numbers have all their \
      digits in both formats.

      --output replaces an older file only when the new one is complete; a new file has the mode 0640. To \
      compress: set -o pipefail; gamebase-ingest export VIEW | gzip > x.gz.part && mv x.gz.part x.gz
      """)

  @Argument(help: "The view, such as revenue_by_day.")
  var view: String

  @OptionGroup var database: DatabaseOptions

  @Option(help: "The format.")
  var format = ViewExport.Format.csv

  @Option(
    name: .shortAndLong, help: "The file to write; standard output if unset.",
    transform: filledText)
  var output: String?

  @Option(help: "The first day, of the view's column of days, months or periods.", transform: day)
  var since: CalendarDay?

  @Option(help: "The last day.", transform: day)
  var until: CalendarDay?

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
      let export = try ViewExport(of: view, on: connection)
      return try output.write { try write(export, $0) }
    }
    Terminal.note("\(counted(rows, "row")) exported")
  }

  private func write(_ export: ViewExport, _ writer: Output.Writer) throws -> Int {
    // Rows are short, so they are collected before they are written.
    var pending = Data()
    func flush() throws {
      try writer(pending)
      pending.removeAll(keepingCapacity: true)
    }
    let rows = try export.write(
      format, since: since, until: until, escapesFormulas: escapeFormulas
    ) { bytes in
      pending.append(contentsOf: bytes)
      if pending.count >= 256 * 1024 { try flush() }
    }
    try flush()
    return rows
  }
}
