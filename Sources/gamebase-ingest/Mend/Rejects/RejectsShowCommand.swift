internal import ArgumentParser
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest rejects show`: one refused line and why.
struct RejectsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one refused line, field by field, by the rules of today.",
    usage: """
      gamebase-ingest rejects show <file>:<line> [options]
      gamebase-ingest rejects show receipts/2026-11-20.jsonl:212 --database service=games
      """,
    discussion: """
      The line is the one that was kept, with tokens as their digests; the file itself is not needed.
      """)

  @Argument(help: "The end of the file's path, and the line, as rejects list prints them.")
  var place: LinePlace

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = RejectFilter()
    filter.path = place.path
    filter.lineNumber = place.line
    filter.includesResolved = true
    try reportingErrors {
      try connection.transaction {
        let found = try connection.query(
          """
          select path || ':' || line_number, stream, status, byte_offset, raw_byte_count, code, field,
            reason, to_char(resolved_at, 'YYYY-MM-DD HH24:MI:SS "UTC"'), is_whole, source_file_id, raw
          from \(RejectFilter.source) where \(RejectFilter.condition)
          order by reject_id desc nulls last
          """, filter.parameters)
        guard found.rowCount > 0 else {
          throw Terminal.failure(.usage, "no refused line is kept of \(place.path):\(place.line)")
        }
        for row in 0..<found.rowCount { try show(found, row, connection) }
      }
    }
  }

  private func show(_ found: QueryResult, _ row: Int, _ connection: Connection) throws {
    func text(_ column: Int) -> String { printable(found[row, column] ?? "-") }
    try Terminal.output(
      """
      \(text(0))  \(text(1)), \(text(4)) bytes from byte \(text(3))
      recorded: \(text(5)) \(text(6)): \(text(7))
      """)
    if found[row, 8] != nil { try Terminal.output("resolved: a replay loaded it, \(text(8))") }
    if found[row, 2] == "failed" {
      try Terminal.output("the file failed; nothing of it is loaded")
    }
    guard let stream = StreamCatalog.stream(named: found[row, 1] ?? ""),
      let bytes = found[row, 11].map(bytesOfHexadecimal)
    else { return }
    guard found[row, 9] == "t" else {
      return try Terminal.output("only the beginning of the line is kept: \(bytes.count) bytes")
    }
    let settings = try found.integer(row: row, column: 10).flatMap {
      try FileSettings.read($0, from: connection)
    }
    let rules = settings?.rules ?? NormalizationRules(startOfRun: currentMilliseconds())
    let line = StoredLine(
      bytes: bytes, number: place.line, byteOffset: found.integer(row: row, column: 3) ?? 0)
    do {
      try line.withLine { try LineExplainer(stream: stream, rules: rules).explain($0) }.show()
    } catch let error as ReadError {
      throw Terminal.failure(.fileFailed, "the line \(error.message)")
    }
  }
}
