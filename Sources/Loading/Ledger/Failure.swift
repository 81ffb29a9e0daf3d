package import Postgres
internal import RecordPipeline

/// A file that failed and has not been loaded since.
package struct Failure: Sendable, Equatable, Decodable {
  let number: Int
  /// nil: unknown.
  package let stream: String?
  /// As `report.open_failure` shows it.
  package let path: String
  /// As given to the command that failed.
  let givenPath: String

  /// The failures that are not dismissed, and that one of the names selects, by their paths.
  ///
  /// A name that is a path selects its failures alone; any other name is a pattern. Both are compared with
  /// the path as given and with the canonical one.
  ///
  /// - Throws: `LoadError` with exit code 64 when a name selects none.
  package static func open(selectedBy names: [String], on connection: Connection) throws
    -> [Failure]
  {
    let open = try connection.rows(
      of: Failure.self,
      """
      select failed_file_id as number, stream, coalesce(canonical_path, path) as path, path as given_path
        from ingest.failed_file f
        where not exists (
          select from ingest.failure_dismissal d where d.failed_file_id = f.failed_file_id)
        order by 3, 1
      """)
    var selected: Set<Int> = []
    for name in names {
      let found = open.selected(by: name)
      guard !found.isEmpty else {
        throw LoadError(
          .usage,
          "no open failure has the path \(name), and none matches it as a pattern; nothing was dismissed. "
            + "gamebase-ingest status lists the open failures; quote a pattern, because the shell expands it"
        )
      }
      selected.formUnion(found.map(\.number))
    }
    return open.filter { selected.contains($0.number) }
  }

  /// Dismisses failures, so that they are no longer open.
  ///
  /// It runs in the caller's transaction. Failures that are dismissed already keep their note.
  ///
  /// - Throws: `PostgresError` with SQLSTATE 42501 for a role without the owner's rights.
  package static func dismiss(
    _ failures: [Failure], note: String?, on connection: Connection
  ) throws {
    try connection.query(
      """
      insert into ingest.failure_dismissal
        (failed_file_id, load_id, stream, path, reason, failed_at, note)
      select failed_file_id, load_id, stream, path, reason, failed_at, $2
        from ingest.failed_file where failed_file_id = any ($1::bigint[])
        on conflict do nothing
      """, [.integers(failures.map(\.number)), .optional(note)])
  }
}

extension [Failure] {
  fileprivate func selected(by name: String) -> [Failure] {
    let canonical = Input(path: name, stream: "").canonicalPath
    let named = filter { [$0.path, $0.givenPath].contains { $0 == name || $0 == canonical } }
    guard named.isEmpty, name.contains(where: { "*?[".contains($0) }) else { return named }
    let patterns = [PathPattern(canonical: name), PathPattern(canonical: canonical)]
    return filter { failure in
      patterns.contains { $0.matches(failure.path) || $0.matches(failure.givenPath) }
    }
  }
}
