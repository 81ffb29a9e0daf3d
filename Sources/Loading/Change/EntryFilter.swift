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
  /// Only lines of `loaded` files, or only lines of `failed` files; nil: both.
  package var status: String?
  /// True to include refused lines that a replay has resolved: lines that are loaded or suppressed now.
  ///
  /// Of conflicts true chooses the accepted ones, and false the open ones.
  package var includesResolved = false

  package init() {}

  package var isEmpty: Bool {
    loadID == nil && file == nil && stream == nil && field == nil && code == nil
      && naturalKey == nil
  }

  /// `$1` to `$8` of the conditions.
  package var parameters: [Parameter] {
    [
      .integer(loadID), .text(file), .text(file.map { Input(path: $0).canonicalPath }),
      .text(stream), .text(field), .text(code ?? naturalKey),
      .boolean(includesResolved), .text(status),
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
    ingest.refused_line where \(condition) and ($6::text is null or code = $6)
      and ($7::boolean or resolved_at is null) and ($8::text is null or status = $8)
    """

  /// The chosen conflicts: the open ones, or those that are accepted.
  package static let conflicts = """
    ingest.conflicting_line where \(condition) and ($6::text is null or natural_key = $6::jsonb)
      and (acceptance_id is not null) = $7::boolean and $8::text is null
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
}
