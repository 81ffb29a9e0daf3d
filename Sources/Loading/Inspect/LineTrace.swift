package import Postgres

/// A line of a loaded file and its outcome.
package struct LineTrace {
  package let file: LedgerFile
  /// The line in one row: `path`, `line_number`, `stream`, `file`, `load`, `loaded`, `undone`.
  package let place: Listing
  package let outcome: Outcome

  package enum Outcome {
    /// The file was undone at this time (text, UTC), so the database has no record of the line.
    case undone(at: String)
    /// One row for each record of the line, with columns `became`, `row` (a natural key), `column`,
    /// `details`.
    case recorded(Listing)
    /// The database has no record of the line. By the file's counts its outcome is one of these.
    case unrecorded([PossibleOutcome])
  }

  /// An outcome that is only counted, and not recorded line by line.
  package struct PossibleOutcome: Sendable, Equatable, Codable {
    package enum Kind: String, Sendable, Codable { case duplicate, blank, suppressed, erased }

    package let kind: Kind
    /// The number of lines of the file with that outcome, at least 1.
    package let lineCount: Int

    package init(kind: Kind, lineCount: Int) {
      self.kind = kind
      self.lineCount = lineCount
    }
  }
}

/// Traces lines of loaded files to their outcomes, for `trace`.
package struct LineTracing {
  private let connection: Connection

  /// - Parameter connection: inside a transaction, so that records and counts agree.
  package init(_ connection: Connection) { self.connection = connection }

  /// - Parameters:
  ///   - lineNumber: from 1.
  ///   - file: a name of a loaded file in any form that `FileChoice.file` accepts.
  /// - Throws: `LoadError` with exit code 64 when the name does not select one file, or the file
  ///   has no such line.
  package func trace(line lineNumber: Int, of file: String) throws -> LineTrace {
    let file = try FileChoice.file(file).onlyFile(connection)
    guard lineNumber <= file.lineCount else {
      throw LoadError(
        .usage, "\(file.path) has \(file.lineCount) lines, and no line \(lineNumber)")
    }
    let place = Listing(
      """
      select path, $2::bigint as line_number, stream, source_file_id as file, load_id as load,
        loaded_at as loaded, undone_at as undone
      from ingest.source_file where source_file_id = $1
      """, [.integer(file.sourceFileID), .integer(lineNumber)], on: connection)
    if let undoneAt = file.undoneAt {
      return LineTrace(file: file, place: place, outcome: .undone(at: undoneAt))
    }
    let records = records(of: file, line: lineNumber)
    return LineTrace(
      file: file, place: place,
      outcome: try records.table().rowCount > 0
        ? .recorded(records) : .unrecorded(try possibleOutcomes(of: file)))
  }

  private func records(of file: LedgerFile, line: Int) -> Listing {
    Listing(
      """
      select 'inserted' as became, k as row, null::text as column, null::text as details
        from ingest.find_line($1, $2, $3) k
      union all
      select 'inserted', k, null, s.embedded_stream
        from ingest.stream s cross join lateral ingest.find_line(s.embedded_stream, $2, $3) k
        where s.stream = $1 and s.embedded_stream is not null
      union all
      select 'filled', natural_key, string_agg(field, ', ' order by fill_id), null
        from ingest.fill where source_file_id = $2 and line_number = $3 group by natural_key
      union all
      select 'conflict', natural_key, field, 'kept ' || kept || ', refused ' || refused
          || coalesce(', accepted by acceptance ' || acceptance_id, '')
        from ingest.conflict where source_file_id = $2 and line_number = $3
      union all
      select case when resolved_at is null then 'rejected' else 'rejected, then replayed' end, null, field,
          code || ': ' || reason
        from ingest.reject where source_file_id = $2 and line_number = $3
      """, [.text(file.stream), .integer(file.sourceFileID), .integer(line)], on: connection)
  }

  private func possibleOutcomes(of file: LedgerFile) throws -> [LineTrace.PossibleOutcome] {
    try connection.rows(
      of: LineTrace.PossibleOutcome.self,
      """
      select k.kind, k.line_count
        from ingest.source_file f cross join lateral (values
          (1, 'duplicate', f.duplicate_count), (2, 'blank', f.blank_count),
          (3, 'suppressed', f.suppressed_count),
          (4, 'erased', (select sum(e.line_count) from ingest.erased_line e
            where e.source_file_id = f.source_file_id))) k (place, kind, line_count)
        where f.source_file_id = $1 and k.line_count > 0 order by k.place
      """, [.integer(file.sourceFileID)])
  }
}
