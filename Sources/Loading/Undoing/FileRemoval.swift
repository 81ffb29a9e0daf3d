internal import Postgres

/// Undoes files of one lane.
///
/// The caller holds the locks of its streams, and passes files that depend on each other in the same call.
struct FileRemoval {
  let connection: Connection

  /// - Parameters:
  ///   - files: the numbers of all files to undo.
  ///   - asked: those of them that the user named; the others depend on them.
  ///   - stream: one of the lane's streams.
  func remove(_ files: [Int], asked: Set<Int>, stream: String) throws -> [UndoReport.File] {
    let accepted = Dictionary(
      uniqueKeysWithValues: try connection.rows(
        of: AcceptedValues.self,
        """
        select source_file_id, count(*) as count from ingest.accepted_value
          where source_file_id = any ($1::bigint[]) and before is distinct from after
          group by source_file_id
        """, [.integers(files)]
      ).map { ($0.sourceFileID, $0.count) })
    let result = try connection.query(
      """
      select \(LedgerFile.columns), u.row_count, u.fill_count, u.reject_count, u.conflict_count
        from ingest.undo_files($1, $2::bigint[]) u
        join ingest.source_file f using (source_file_id) order by f.source_file_id
      """, [.text(stream), .integers(files)])
    return zip(try result.decoded(as: LedgerFile.self), try result.decoded(as: Counts.self)).map {
      file, counts in
      UndoReport.File(
        file: file, wasAskedFor: asked.contains(file.sourceFileID), rows: counts.rowCount,
        fills: counts.fillCount, rejects: counts.rejectCount, conflicts: counts.conflictCount,
        acceptedValues: accepted[file.sourceFileID] ?? 0)
    }
  }

  private struct AcceptedValues: Decodable {
    let sourceFileID: Int
    let count: Int
  }

  private struct Counts: Decodable {
    let rowCount: Int
    let fillCount: Int
    let rejectCount: Int
    let conflictCount: Int
  }
}
