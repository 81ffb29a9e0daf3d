package import Postgres

/// A filter for conflicts; a nil value matches every conflict.
package struct ConflictFilter: Sendable {
  /// A file's path, the end of its path after a `/`, or its `source_file_id`.
  package var file: String?
  package var loadID: Int?
  package var stream: String?
  /// A natural key, as a JSON array.
  package var naturalKey: String?
  /// The column in which a line contradicts the stored row.
  package var field: String?

  package init() {}

  package var isEmpty: Bool {
    file == nil && loadID == nil && stream == nil && naturalKey == nil && field == nil
  }

  /// The SQL condition of the filter, on `ingest.conflict c` and its `ingest.source_file f`.
  ///
  /// `$1` to `$5` are `parameters`.
  package static let condition = """
    ($1::text is null or f.path = $1 or right(f.path, length($1) + 1) = '/' || $1
        or f.source_file_id::text = $1)
      and ($2::bigint is null or f.load_id = $2) and ($3::text is null or c.stream = $3)
      and ($4::text is null or c.natural_key = $4::jsonb) and ($5::text is null or c.field = $5)
    """

  package var parameters: [Parameter] {
    [
      .optional(file), .optional(loadID), .optional(stream), .optional(naturalKey),
      .optional(field),
    ]
  }
}
