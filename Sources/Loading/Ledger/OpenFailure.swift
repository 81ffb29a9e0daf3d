package import Postgres
internal import RecordPipeline

/// An open failure: a row of `report.open_failure`, which makes a verdict other than `ok`.
package struct OpenFailure: Sendable, Equatable, Decodable {
  /// `failed`, `missing`, `undone`, `implausible` or `incomplete`.
  package let kind: String
  /// nil: unknown.
  package let stream: String?
  /// A day has `APP/STREAM/DAY`.
  package let path: String

  private struct Named: Decodable {
    let kind: String
    let stream: String?
    let path: String
    /// As given to the command that failed, or whose file was undone.
    let givenPaths: String
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
    let open = try connection.rows(
      of: Named.self,
      """
      select o.kind, o.stream, o.path, coalesce(g.paths, '') as given_paths
        from report.open_failure o
        left join (
          select kind, stream, coalesce(canonical_path, path) as canonical_path,
              string_agg(distinct path, e'\\n') as paths
            from (
              select kind, stream, canonical_path, path from ingest.failed_file
              union all
              select 'undone', stream, canonical_path, path from ingest.source_file where undone_at is not null
            ) f group by 1, 2, 3
        ) g on g.kind = o.kind and g.stream is not distinct from o.stream and g.canonical_path = o.path
        order by o.path, o.kind, o.stream
      """
    ).map { row in
      (
        OpenFailure(kind: row.kind, stream: row.stream, path: row.path),
        [row.path] + row.givenPaths.split(separator: "\n").map { String($0) }
      )
    }
    var selected = Array(repeating: false, count: open.count)
    for name in names {
      let places = Self.places(of: name, in: open.map(\.1))
      guard !places.isEmpty else {
        throw LoadError(
          .usage,
          "no open failure has the path \(name), and none matches it as a pattern; nothing was dismissed. "
            + "gamebase-ingest status lists the open failures; quote a pattern, because the shell expands it"
        )
      }
      for place in places { selected[place] = true }
    }
    return zip(open, selected).filter { $1 }.map(\.0.0)
  }

  private static func places(of name: String, in paths: [[String]]) -> [Int] {
    let canonical = Input(path: name, stream: "").canonicalPath
    let named = paths.indices.filter { paths[$0].contains { $0 == name || $0 == canonical } }
    guard named.isEmpty, PathPattern.isMeant(by: name) else { return named }
    let patterns = [PathPattern(name), PathPattern(canonical)]
    return paths.indices.filter { place in
      patterns.contains { paths[place].contains(where: $0.matches) }
    }
  }

  /// Dismisses failures, so that they are no longer open; of days it makes the horizons of the reports
  /// again.
  ///
  /// It runs in the caller's transaction.
  ///
  /// - Throws: `PostgresError` with SQLSTATE 42501 for a role without the owner's rights.
  package static func dismiss(
    _ failures: [OpenFailure], note: String?, wait: LockWait = .silent, on connection: Connection
  ) throws {
    _ = try wait(for: [.refresh], on: connection) {
      try connection.query(
        "select ingest.dismiss_failures($1::text[], $2::text[], $3::text[], $4)",
        [
          .texts(failures.map(\.kind)), .texts(failures.map(\.stream)),
          .texts(failures.map(\.path)), .optional(note),
        ])
    }
  }
}
