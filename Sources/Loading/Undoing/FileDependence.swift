internal import Postgres

/// A file whose lines may have met rows of another, and how often its lines met any.
package struct DependentFile: Sendable {
  package let file: LedgerFile
  package let duplicates: Int
  package let fills: Int
  package let conflicts: Int
}

/// Which files cannot stay when others go.
///
/// A line that was a duplicate left nothing behind but its count, so nobody knows which row it met.
/// If that row goes, the line's record is nowhere, though its file counts as loaded. So any file that
/// counted a duplicate, fill or conflict after the rows were there is taken for a dependent. This errs
/// on one side only: it may name a file that met other rows, or its own.
struct FileDependence {
  let connection: Connection

  /// The files that depend on any of these, or on one that does, oldest first.
  ///
  /// The caller holds the stream's lock.
  ///
  /// - Parameter acceptance: the number of an acceptance whose values are to go as well.
  func dependents(
    of files: [Int], stream: String, acceptance: Int? = nil
  ) throws -> [DependentFile] {
    var dependents: [DependentFile] = []
    // What a replay made of an older file's lines can depend on a younger file; so it takes more than
    // one look.
    while true {
      let next = try directDependents(
        of: files + dependents.map(\.file.sourceFileID), stream: stream, acceptance: acceptance)
      if next.isEmpty {
        return dependents.sorted { $0.file.sourceFileID < $1.file.sourceFileID }
      }
      dependents += next
    }
  }

  /// A stream's files, replays and acceptances get their numbers behind its lock, so the numbers are
  /// their order, whatever the server's clock does.
  ///
  /// A file that brought neither a row nor a value cannot have been met, and an accepted value not before
  /// it was accepted.
  private func directDependents(
    of files: [Int], stream: String, acceptance: Int?
  ) throws -> [DependentFile] {
    let result = try connection.query(
      """
      with taken as (
        select least(
            (select min(source_file_id) from ingest.source_file
              where source_file_id = any ($2::bigint[]) and inserted_count + filled_count > 0),
            (select min(acceptance_id) from ingest.accepted_value
              where stream = $1 and (source_file_id = any ($2::bigint[]) or acceptance_id = $3)))
          as first_id
      )
      select \(LedgerFile.columns), f.duplicate_count, f.filled_count, f.conflict_count
        from ingest.source_file f, taken
        where f.stream = $1 and f.undone_at is null and f.source_file_id <> all ($2::bigint[])
          and f.duplicate_count + f.filled_count + f.conflict_count > 0
          and (f.source_file_id > taken.first_id or exists (
            select from ingest.reject r
              where r.source_file_id = f.source_file_id and r.resolved_at is not null
                and coalesce(r.resolved_order > taken.first_id, true)))
        order by f.source_file_id
      """, [.text(stream), .integers(files), .optional(acceptance)])
    return (0..<result.rowCount).compactMap { row in
      guard let file = LedgerFile(result, row: row) else { return nil }
      let counts = (8...10).map { result.integer(row: row, column: $0) ?? 0 }
      return DependentFile(
        file: file, duplicates: counts[0], fills: counts[1], conflicts: counts[2])
    }
  }
}
