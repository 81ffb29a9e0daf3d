internal import Loading
internal import Postgres

/// From a line of a file to what became of it.
struct LineTracing {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func trace(_ place: LinePlace) throws {
    let file = try FileChoice.file(place.path).onlyFile(connection)
    guard place.line <= file.lineCount else {
      throw Terminal.failure(
        .usage, "\(file.path) has \(file.lineCount) lines, and no line \(place.line)")
    }
    try Terminal.output(
      "\(printable(file.path)):\(place.line)  \(file.stream), file \(file.sourceFileID) of load "
        + "\(file.loadID), \(file.loadedAt)")
    if let undoneAt = file.undoneAt {
      return try Terminal.output("the file was undone at \(undoneAt): nothing of it is left")
    }
    let traces = try records(of: file, line: place.line)
    if traces.rowCount > 0 { return try show(traces, empty: "") }
    try Terminal.output(try withoutTrace(file))
  }

  private func records(of file: LedgerFile, line: Int) throws -> QueryResult {
    try connection.query(
      """
      select 'inserted' as became, k::text as row, '-' as column, '-' as details
        from ingest.find_line($1, $2, $3) k
      union all
      select 'filled', natural_key::text, string_agg(field, ', ' order by fill_id), '-'
        from ingest.fill where source_file_id = $2 and line_number = $3 group by natural_key
      union all
      select 'conflict', natural_key::text, field, 'kept ' || kept || ', refused ' || refused
          || coalesce(', accepted by acceptance ' || acceptance_id, '')
        from ingest.conflict where source_file_id = $2 and line_number = $3
      union all
      select case when resolved_at is null then 'rejected' else 'rejected, then replayed' end, '-',
          coalesce(field, '-'), code || ': ' || reason
        from ingest.reject where source_file_id = $2 and line_number = $3
      """, [.text(file.stream), .integer(file.sourceFileID), .integer(line)])
  }

  /// What a line can have been of which nothing is kept, by the file's counts.
  private func withoutTrace(_ file: LedgerFile) throws -> String {
    let counts = try connection.query(
      """
      select duplicate_count, blank_count, suppressed_count,
        (select sum(line_count) from ingest.erased_line where source_file_id = $1)
      from ingest.source_file where source_file_id = $1
      """, [.integer(file.sourceFileID)])
    let kinds = [
      "a duplicate", "blank", "of an erased user, and suppressed", "erased with its user",
    ].enumerated().compactMap { index, kind -> (kind: String, count: Int)? in
      guard let count = counts.integer(row: 0, column: index), count > 0 else { return nil }
      return (kind, count)
    }
    if kinds.count == 1, let only = kinds.first {
      return "the line was \(only.kind): nothing else of it is kept"
    }
    return "nothing is kept of the line; it was one of these: "
      + kinds.map { "\($0.kind) (\($0.count) lines)" }.joined(separator: "; ")
  }
}
