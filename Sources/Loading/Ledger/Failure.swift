package import Postgres

/// A file that failed and has not been loaded since.
package struct Failure: Sendable, Equatable, Decodable {
  package let number: Int
  package let stream: String
  package let path: String

  /// The failures with this number, with this path as given or in full, or with such a path that
  /// ends in `/` and this name.
  ///
  /// If a number matches, only that failure is returned; else a whole path takes precedence over
  /// the end of a path. Dismissed failures are left out.
  package static func all(called name: String, on connection: Connection) throws -> [Failure] {
    try connection.rows(
      of: Failure.self,
      """
      with open as (
        select failed_file_id, stream, path,
            case when failed_file_id = $1::bigint then 1
              when $2::text in (path, canonical_path) then 2 else 3 end as rank
          from ingest.failed_file f
          where (failed_file_id = $1::bigint or $2::text in (path, canonical_path)
              or '/' || $2::text in (right(path, length($2::text) + 1),
                right(canonical_path, length($2::text) + 1)))
            and not exists (
              select from ingest.failure_dismissal d where d.failed_file_id = f.failed_file_id)
      )
      select failed_file_id as number, coalesce(stream, '-') as stream, path from open
        where rank = (select min(rank) from open) order by failed_file_id
      """, [.optional(Int(name)), .text(name)])
  }

  /// Dismisses failures, so that they are no longer listed as open.
  ///
  /// It runs in the caller's transaction. Failures that are dismissed already keep their note.
  ///
  /// - Returns: the number of newly dismissed failures.
  /// - Throws: `PostgresError` with SQLSTATE 42501 for a role without the owner's rights.
  package static func dismiss(
    _ failures: [Failure], note: String?, on connection: Connection
  ) throws -> Int {
    try connection.query(
      """
      insert into ingest.failure_dismissal
        (failed_file_id, load_id, stream, path, reason, failed_at, note)
      select failed_file_id, load_id, stream, path, reason, failed_at, $2
        from ingest.failed_file where failed_file_id = any ($1::bigint[])
        on conflict do nothing returning failed_file_id
      """, [.integers(failures.map(\.number)), .optional(note)]
    ).rowCount
  }
}
