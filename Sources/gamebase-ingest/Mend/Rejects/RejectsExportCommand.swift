internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest rejects export`: refused lines as they were, to be mended and loaded.
struct RejectsExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write refused lines as JSONL, to be mended and loaded.",
    discussion: """
      Tokens are written as their digests, which load as the tokens would. Lines of one stream that \
      were read with one set of options are exported at a time, and standard error says how to load \
      them again. Lines of which only the beginning was kept are left out and counted.

      Lines of files that failed are left out too: nothing of such a file is loaded, so it is the file \
      that has to be loaded again. --failed writes those lines, and no others: the first 1,000 of each \
      file, each cut at 4 KiB.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Option(name: .shortAndLong, help: "Where to write them; standard output if unset.")
  var output: String?

  @Flag(help: "Write lines of files that failed, instead of those of loaded files.")
  var failed = false

  /// So many lines are fetched at a time; each has up to 64 KiB.
  private static let pageSize = 100

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      try connection.transaction {
        let hint = try loadingHint(connection)
        let (exported, cut) = try withOutput { try export(connection, to: $0) }
        Terminal.note("\(exported) lines exported\(hint)")
        if cut > 0 {
          Terminal.note(
            "\(cut) lines are left out, for only their beginning was kept: mend them in their source"
          )
        }
        if !failed { try noteFailedFiles(connection) }
      }
    }
  }

  private var filter: RejectFilter {
    var filter = rejects.filter
    filter.status = failed ? .failed : .loaded
    return filter
  }

  /// Says which lines are not among those exported, because their whole file is to be loaded again.
  private func noteFailedFiles(_ connection: Connection) throws {
    var filter = rejects.filter
    filter.status = .failed
    let counts = try connection.query(
      """
      select count(*), count(distinct path) from \(RejectFilter.source) where \(RejectFilter.condition)
      """, filter.parameters)
    guard let lines = counts.integer(row: 0, column: 0), lines > 0 else { return }
    Terminal.note(
      "\(lines) lines of \(counts[0, 1] ?? "") files that failed are left out: nothing of these files is "
        + "loaded, so mend and load the files themselves; --failed exports the lines")
  }

  /// How the lines have to be loaded, to mean what they meant.
  ///
  /// - Throws: exit code 64 when they do not all mean the same.
  private func loadingHint(_ connection: Connection) throws -> String {
    let observed = StreamCatalog.all.filter(\.isObserved).map(\.name)
    let sets = try connection.query(
      """
      select distinct stream, status = 'loaded', app_id, time_unit, unwrap_field,
          case when stream = any ($9)
            then to_char(observed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end
        from \(RejectFilter.source) where \(RejectFilter.condition)
      """, filter.parameters + [.texts(observed)])
    if sets.rowCount > 1 {
      throw Terminal.failure(
        .usage,
        "these lines are of several streams, or were read with different options, and no one load "
          + "can take them all: narrow them with --stream, --load or --file")
    }
    guard let set = sets.rows.first else { return "" }
    guard set[1] == "t" else {
      return "; load them with the options that their file was loaded with"
    }
    var options = ["--stream \(set[0] ?? "")"]
    let given = [("--app-id", set[2]), ("--unwrap", set[4]), ("--observed-at", set[5])]
    options += given.compactMap { name, value in value.map { "\(name) \(shellQuoted($0))" } }
    if let unit = set[3], unit != "ms" { options.append("--time-unit \(unit)") }
    return "; load them with \(options.joined(separator: " "))"
  }

  private func export(
    _ connection: Connection, to file: FileHandle
  ) throws -> (exported: Int, cut: Int) {
    var counts = (exported: 0, cut: 0)
    let order = "coalesce(reject_id, 0), path, line_number"
    try connection.query(
      """
      declare exported no scroll cursor for
        select is_whole, case when is_whole then raw end
        from \(RejectFilter.source) where \(RejectFilter.condition) order by \(order)
      """, filter.parameters)
    while true {
      let page = try connection.query("fetch \(Self.pageSize) from exported")
      if page.rowCount == 0 { return counts }
      for row in 0..<page.rowCount {
        guard page[row, 0] == "t", let raw = page[row, 1] else {
          counts.cut += 1
          continue
        }
        let line = bytesOfHexadecimal(raw)
        // At the start of a file a byte-order mark would be no part of the line any more.
        let isMarked = counts.exported == 0 && line.starts(with: [0xEF, 0xBB, 0xBF])
        counts.exported += 1
        do { try file.write(contentsOf: Data((isMarked ? [0x0A] : []) + line + [0x0A])) } catch {
          throw OutputFile.Failure(error)
        }
      }
    }
  }

  /// Standard output, or a file that is in its place only when it is whole.
  private func withOutput<Value>(_ body: (FileHandle) throws -> Value) throws -> Value {
    do {
      guard let output else { return try body(.standardOutput) }
      return try OutputFile(output).write(body)
    } catch let error as OutputFile.Failure {
      throw Terminal.failure(
        .outputFailed, "cannot write \(output ?? "to standard output"): \(error)")
    }
  }
}

/// A word of a command line, safe to paste into a shell.
private func shellQuoted(_ text: String) -> String {
  let quoted = printable(text).replacing("'", with: #"'\''"#)
  return "'\(quoted)'"
}
