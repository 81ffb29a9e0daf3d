internal import Postgres

/// Finds the files that depend on files to be undone.
///
/// A duplicate line leaves only a count. If the row that it duplicates were removed, its record
/// would be lost, although the file of the duplicate line counts as loaded. `ingest.met_file` has
/// the files whose rows a file met. Of a file that an older version loaded they are unknown: it
/// depends on every file before it that brought a row or a value, if it has a duplicate, fill or
/// conflict.
struct FileDependence {
  let connection: Connection

  /// The files that depend directly or indirectly on these files, oldest first.
  ///
  /// The caller holds the locks of the streams.
  ///
  /// - Parameters:
  ///   - streams: those of the lane of the files. A file can bring rows of two of them, so
  ///     dependents are looked for in all their tables.
  ///   - acceptance: the number of an acceptance that is undone as well; its values count like rows
  ///     of `files`.
  func dependents(
    of files: [Int], streams: [String], acceptance: Int? = nil
  ) throws -> [DependentFile] {
    var dependents: [DependentFile] = []
    // A replayed line of an older file can depend on a newer file, so the search is repeated until
    // it finds no further file.
    while true {
      var found = false
      for stream in streams {
        let next = try directDependents(
          of: files + dependents.map(\.file.sourceFileID), stream: stream, acceptance: acceptance)
        dependents += next
        found = found || !next.isEmpty
      }
      if !found { return dependents.sorted { $0.file.sourceFileID < $1.file.sourceFileID } }
    }
  }

  /// The streams of a lane, by one of them.
  func lane(of stream: String) throws -> [String] {
    try connection.rows(
      of: String.self, "select unnest(ingest.lane_of($1))", [.text(stream)])
  }

  /// Finds the files that depend on these files by one step.
  ///
  /// Files, replays and acceptances draw their numbers from one sequence, under the stream's lock.
  /// So the numbers show the order of all three, independently of the server's clock. A file can
  /// depend on an accepted value only if it was loaded or replayed after the acceptance.
  private func directDependents(
    of files: [Int], stream: String, acceptance: Int?
  ) throws -> [DependentFile] {
    let result = try connection.query(
      """
      with touch as (
        -- The outcomes of a file in the table of the stream: of its lines, or of records within them.
        select source_file_id, inserted_count, filled_count, duplicate_count, conflict_count
          from ingest.source_file where stream = $1
        union all
        select source_file_id, inserted_count, filled_count, duplicate_count, conflict_count
          from ingest.embedded_count where stream = $1
      ), taken as (
        select least(
            (select min(source_file_id) from touch
              where source_file_id = any ($2::bigint[]) and inserted_count + filled_count > 0),
            (select min(acceptance_id) from ingest.conflict
              where stream = $1 and acceptance_id is not null
                and (source_file_id = any ($2::bigint[]) or acceptance_id = $3)))
          as first_id,
          array(select distinct source_file_id from ingest.conflict
            where stream = $1 and acceptance_id = $3) as accepted_ids
      ), met as (
        select m.source_file_id, bool_or(m.met_file_id = any ($2::bigint[])) as is_of_files
          from ingest.met_file m, taken
          where m.stream = $1 and m.met_file_id = any ($2::bigint[] || taken.accepted_ids)
          group by m.source_file_id
      )
      select \(LedgerFile.columns), k.duplicate_count, k.filled_count, k.conflict_count
        from touch k join ingest.source_file f using (source_file_id) cross join taken
          left join met using (source_file_id)
          cross join lateral (select case when met.is_of_files then 0
            when not f.has_met_files then taken.first_id
            when met.source_file_id is not null then $3::bigint end as id) after
        where f.undone_at is null and f.source_file_id <> all ($2::bigint[])
          and k.duplicate_count + k.filled_count + k.conflict_count > 0
          and (f.source_file_id > after.id or exists (
            select from ingest.reject r
              where r.source_file_id = f.source_file_id and r.resolved_at is not null
                and coalesce(r.resolved_order > after.id, after.id is not null)))
        order by f.source_file_id
      """, [.text(stream), .integers(files), .optional(acceptance)])
    return zip(try result.decoded(as: LedgerFile.self), try result.decoded(as: Counts.self)).map {
      file, counts in
      DependentFile(
        file: file, duplicates: counts.duplicateCount, fills: counts.filledCount,
        conflicts: counts.conflictCount)
    }
  }

  private struct Counts: Decodable {
    let duplicateCount: Int
    let filledCount: Int
    let conflictCount: Int
  }
}

/// A file that depends on another one: its lines duplicate, fill or contradict rows of that file.
///
/// The counts are those of all its lines, because the row that a duplicate met is not recorded.
package struct DependentFile: Sendable {
  package let file: LedgerFile
  package let duplicates: Int
  package let fills: Int
  package let conflicts: Int
}
