package import Postgres
internal import RecordPipeline

/// A choice of stored refused lines or conflicts; a nil value matches all.
package struct EntryFilter: Sendable {
  /// The run that loaded the file, or in which it failed.
  package var loadID: Int?
  /// As `FileChoice.file` names one; a failed file by its path or the end of it after a `/`.
  package var file: String?
  package var stream: String?
  /// The field at fault, or the column in which a line contradicts the stored row.
  package var field: String?
  /// Of refused lines only.
  package var code: String?
  /// Of conflicts only: the natural key of the stored row, as a JSON array.
  package var naturalKey: String?
  /// Only lines of loaded files, or only lines of failed files; nil: both.
  package var status: Status?
  /// True to include refused lines that a replay has resolved: lines that are loaded or suppressed now.
  package var includesResolved = false

  package init() {}

  package var isEmpty: Bool {
    loadID == nil && file == nil && stream == nil && field == nil && code == nil
      && naturalKey == nil
  }

  /// The outcome of the file that a refused line belongs to.
  package enum Status: String, Sendable {
    case loaded
    case failed
  }

  /// `$1` to `$8` of the conditions.
  package var parameters: [Parameter] {
    [
      .integer(loadID), .text(file), .text(file.map(FileChoice.canonicalPath)),
      .text(stream), .text(field), .text(code ?? naturalKey),
      .boolean(includesResolved), .text(status?.rawValue),
    ]
  }

  private static let condition = """
    ($1::bigint is null or load_id = $1)
      and ($2::text is null or source_file_id in (select ingest.files_called($2, $3))
        or source_file_id is null
          and ($2 = path or $3::text = canonical_path or right(path, length($2) + 1) = '/' || $2))
      and ($4::text is null or stream = $4) and ($5::text is null or field = $5)
    """

  /// The chosen refused lines.
  package static let rejects = """
    \(source) where \(condition) and ($6::text is null or code = $6) and ($7::boolean or resolved_at is null)
      and ($8::text is null or status = $8)
    """

  /// The chosen conflicts, open and accepted.
  package static let conflicts = """
    (select c.*, f.load_id, f.path, f.canonical_path, $7::boolean, $8::text
      from ingest.conflict c join ingest.source_file f using (source_file_id) where f.undone_at is null) conflicts
      where \(condition) and ($6::text is null or natural_key = $6::jsonb)
    """

  /// Gives the rows of a query of stored lines in parts of at most 100 lines, each of up to 64 KiB.
  ///
  /// The cursor keeps its snapshot while lines are resolved, and scans the table once.
  ///
  /// - Parameter connection: inside a transaction.
  package static func forEachPart<Row: Decodable>(
    of query: String, _ parameters: [Parameter], on connection: Connection,
    _ body: ([Row]) throws -> Void
  ) throws {
    try connection.query("declare stored no scroll cursor for \(query)", parameters)
    while case let part = try connection.rows(of: Row.self, "fetch 100 from stored"), !part.isEmpty
    {
      try body(part)
    }
    try connection.execute("close stored")
  }

  /// All rejects with their files: those of loaded files, and the first 1000 of each failed file
  /// whose failure is not dismissed.
  ///
  /// `is_whole` is false for a line that may have been cut, or that is stored without its bytes since a user was
  /// erased. Such a line cannot be replayed.
  package static let source = """
    (select 'loaded' as status, f.load_id, f.source_file_id, null::bigint as failed_file_id, r.reject_id, r.stream, f.path, f.canonical_path,
        r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count,
        r.user_id, r.resolved_at, \(isWhole(cap: Limits.rejectedLineBytes)) as is_whole, f.app_id, f.time_unit,
        f.unwrap_field, coalesce(f.observed_at, f.as_of) as observed_at
      from ingest.reject r join ingest.source_file f using (source_file_id)
      where f.undone_at is null
    union all
    select 'failed', f.load_id, null, f.failed_file_id, null, f.stream, f.path, f.canonical_path,
        r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count,
        r.user_id, null, \(isWhole(cap: FailureReport.keptRawBytes)), null, null, null, null
      from ingest.failed_reject r join ingest.failed_file f using (failed_file_id)
        join ingest.failure_state s using (failed_file_id)
      where s.dismissed_at is null) rejects
    """

  /// A raw line as long as the limit may have been cut, and a `line_too_long` was read only in part.
  ///
  /// An object, in which a field is at fault, ends with its brace, unless it was cut before the name of a token.
  private static func isWhole(cap: Int) -> String {
    """
    (octet_length(r.raw) between 1 and \(cap - 1) and r.code <> 'line_too_long'
          and (r.field is null or rtrim(r.raw, '\\x20090d'::bytea) like '%}'::bytea))
    """
  }
}
