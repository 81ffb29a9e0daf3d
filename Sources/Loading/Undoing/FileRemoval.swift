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
      try connection.query(
        """
        select source_file_id, count(*) from ingest.accepted_value
          where source_file_id = any ($1::bigint[]) and before is distinct from after
          group by source_file_id
        """, [.integers(files)]
      ).rows.map { row in (row[0].flatMap { Int($0) } ?? 0, row[1].flatMap { Int($0) } ?? 0) },
      uniquingKeysWith: +)
    let result = try connection.query(
      """
      select \(LedgerFile.columns), u.row_count, u.fill_count, u.reject_count, u.conflict_count
        from ingest.undo_files($1, $2::bigint[]) u
        join ingest.source_file f using (source_file_id) order by f.source_file_id
      """, [.text(stream), .integers(files)])
    return (0..<result.rowCount).compactMap { row in
      guard let file = LedgerFile(result, row: row) else { return nil }
      let counts = (8...11).map { result.integer(row: row, column: $0) ?? 0 }
      return UndoReport.File(
        file: file, wasAskedFor: asked.contains(file.sourceFileID), rows: counts[0],
        fills: counts[1], rejects: counts[2], conflicts: counts[3],
        acceptedValues: accepted[file.sourceFileID] ?? 0)
    }
  }
}
