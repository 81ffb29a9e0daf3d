internal import Postgres

extension Ledger {
  /// The outcomes of the records within the lines of a file.
  struct EmbeddedResult {
    let sourceFileID: Int64
    /// The records of accepted lines.
    let rowCount: Int
    let counts: OutcomeCounts
    /// The part of `counts` that merges have already written to the ledger.
    let mergedCounts: OutcomeCounts
  }

  /// Adds the outcomes of records within the lines of open files to `ingest.embedded_count`, except
  /// those that merges have already added.
  ///
  /// - Throws: `LoadError` when a file's outcomes do not add up to its records.
  func countEmbedded(_ files: [EmbeddedResult]) throws {
    for file in files where file.counts.total != file.rowCount {
      throw LoadError(
        .defect,
        "the outcomes of \(file.rowCount) records within lines add up to \(file.counts.total); "
          + "the file was rolled back, please report")
    }
    let files = files.filter { $0.rowCount > 0 }
    if files.isEmpty { return }
    try connection.query(
      "select ingest.count_embedded($1::bigint[], $2::bigint[], $3::bigint[])",
      [
        .integers(files.map { Int($0.sourceFileID) }),
        .integers(files.map { $0.counts.inserted - $0.mergedCounts.inserted }),
        .integers(files.map { $0.counts.duplicates - $0.mergedCounts.duplicates }),
      ])
  }
}
