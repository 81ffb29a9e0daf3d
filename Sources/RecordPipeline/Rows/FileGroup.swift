/// Small files of one stream, decoded into one batch; their rows are routed as those of one file.
package struct FileGroup {
  /// The rows and rejects of all files.
  package let batch: Batch
  /// The totals of each file.
  package let totals: [FileTotals]
  /// The rejects of each file, as slices of the batch's rejects.
  package let rejects: [ArraySlice<RejectedLine>]

  /// Thrown when the files do not fit in one batch: rows and rejects can take more memory than their lines.
  package struct TooLarge: Error {}

  /// - Parameters:
  ///   - files: each file, with the id that its rows get.
  ///   - routing: the state of the table before the first file.
  /// - Throws: `ReadError` when a file must not be loaded; `TooLarge`.
  package init(
    _ files: [(file: SmallFile, sourceFileID: Int64)], stream: RecordStream,
    rules: NormalizationRules, erasedUsers: ErasedUsers?, routing: RoutingStart
  ) throws {
    var encoder = RecordEncoder(
      stream: stream, rules: rules, sourceFileID: 0, routing: routing, erasedUsers: erasedUsers)
    var totals: [FileTotals] = []
    var ends = [0]
    for (file, sourceFileID) in files {
      encoder.beginFile(sourceFileID)
      totals.append(
        try encoder.readLines(of: MemorySource(file.bytes)) { _ in throw TooLarge() })
      ends.append(encoder.rejectCount)
    }
    let batch = encoder.closeBatch()
    (self.batch, self.totals) = (batch, totals)
    rejects = zip(ends, ends.dropFirst()).map { batch.rejects[$0..<$1] }
  }
}
