package import Postgres
internal import RecordPipeline

/// An open failure: a row of `report.open_failure`, which makes a verdict other than `ok`.
package struct OpenFailure: Sendable, Hashable, Decodable {
  /// `failed`, `missing`, `undone`, `implausible` or `incomplete`.
  package let kind: String
  /// nil: unknown.
  package let stream: String?
  /// A day has `APP/STREAM/DAY`.
  package let path: String

  /// A path by which a failure can be named: as given to the command that failed, or whose file was undone,
  /// or canonical.
  private struct Name: Decodable {
    let name: String
  }

  /// The open failures that one of the names selects, by their paths.
  ///
  /// A name that is a path selects its failures alone; any other name is a pattern. Both are compared with
  /// the path as given and with the canonical one.
  ///
  /// - Throws: `LoadError` with exit code 64 when a name selects none.
  package static func all(selectedBy names: [String], on connection: Connection) throws
    -> [OpenFailure]
  {
    let open = try connection.query(
      """
      with o as materialized (select kind, stream, path from report.open_failure)
      select o.*, o.path as name from o
      union
      select o.*, f.path
        from o join (
          select kind, stream, coalesce(canonical_path, path) as canonical_path, path from ingest.failed_file
          union all
          select 'undone', stream, coalesce(canonical_path, path), path from ingest.source_file
            where undone_at is not null
        ) f on f.kind = o.kind and f.stream is not distinct from o.stream and f.canonical_path = o.path
      order by path, kind, stream
      """)
    let failures = try open.decoded(as: OpenFailure.self)
    let paths = try open.decoded(as: Name.self).map(\.name)
    var selected: Set<OpenFailure> = []
    for name in names {
      let canonical = Input(path: name).canonicalPath
      var places = paths.indices.filter { paths[$0] == name || paths[$0] == canonical }
      if places.isEmpty, PathPattern.isMeant(by: name) {
        let patterns = [PathPattern(name), PathPattern(canonical)]
        places = paths.indices.filter { place in
          patterns.contains { $0.matches(paths[place]) }
        }
      }
      guard !places.isEmpty else {
        throw LoadError(
          .usage,
          "no open failure has the path \(name), and none matches it as a pattern; nothing was dismissed. "
            + "gamebase-ingest status lists the open failures; quote a pattern, because the shell expands it"
        )
      }
      selected.formUnion(places.map { failures[$0] })
    }
    return failures.filter { selected.remove($0) != nil }
  }

  /// Dismisses failures, so that they are no longer open; of days it makes the horizons of the reports
  /// again.
  ///
  /// It runs in the caller's transaction.
  ///
  /// - Throws: `PostgresError` with SQLSTATE 42501 for a role without the owner's rights.
  package static func dismiss(
    _ failures: [OpenFailure], note: String?, on connection: Connection
  ) throws {
    try connection.waiting(for: [.refresh]) {
      try connection.query(
        "select ingest.dismiss_failures($1::text[], $2::text[], $3::text[], $4)",
        [
          .texts(failures.map(\.kind)), .texts(failures.map(\.stream)),
          .texts(failures.map(\.path)), .text(note),
        ])
    }
  }
}
