package import Postgres
internal import RecordPipeline

/// Which stored rejects are meant, by whatever of this is given.
package struct RejectFilter: Sendable {
  /// The run that refused them.
  package var loadID: Int?
  /// How their file's path ends.
  package var path: String?
  package var stream: String?
  package var code: String?
  package var field: String?
  package var lineNumber: Int?
  /// Only those of files that were loaded, or only those of files that failed; nil: both.
  package var status: Status?
  /// Also those that a replay has loaded meanwhile.
  package var includesResolved = false

  package init() {}

  /// What became of the file of a reject.
  package enum Status: String, Sendable {
    case loaded
    case failed
  }

  /// The condition on a query over `source`; its parameters are `$1` to `$8`.
  package static let condition = """
    ($1::bigint is null or load_id = $1) and ($2::text is null or right(path, length($2)) = $2)
      and ($3::text is null or stream = $3) and ($4::text is null or code = $4)
      and ($5::text is null or field = $5) and ($6::bigint is null or line_number = $6)
      and ($7::boolean or resolved_at is null) and ($8::text is null or status = $8)
    """

  package var parameters: [Parameter] {
    [
      .optional(loadID), .optional(path), .optional(stream), .optional(code), .optional(field),
      .optional(lineNumber), .boolean(includesResolved),
      .optional(status?.rawValue),
    ]
  }

  /// All rejects with their files: of loaded ones, and the first thousand of each that failed and
  /// whose failure was not dismissed.
  ///
  /// A cut line is not whole: its end is not there to be read again.
  package static let source = """
    (select 'loaded' as status, f.load_id, f.source_file_id, r.reject_id, r.stream, f.path,
        r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count,
        r.resolved_at, \(isWhole(cap: Limits.rejectedLineBytes)) as is_whole, f.app_id, f.time_unit,
        f.unwrap_field, coalesce(f.observed_at, f.as_of) as observed_at
      from ingest.reject r join ingest.source_file f using (source_file_id)
      where f.undone_at is null
    union all
    select 'failed', f.load_id, null, null, f.stream, f.path,
        r.line_number, r.byte_offset, r.code, r.field, r.reason, r.raw, r.raw_byte_count,
        null, \(isWhole(cap: FailedFile.keptRawBytes)), null, null, null, null
      from ingest.failed_reject r join ingest.failed_file f using (failed_file_id)
      where not exists (
        select from ingest.failure_dismissal d where d.failed_file_id = f.failed_file_id)) rejects
    """

  /// A raw line of a cap's length may have been cut; one that was too long has been read in part.
  private static func isWhole(cap: Int) -> String {
    "(octet_length(r.raw) < \(cap) and r.code <> 'line_too_long')"
  }
}
