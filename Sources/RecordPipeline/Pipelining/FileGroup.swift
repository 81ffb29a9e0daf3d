/// Small files of one stream, decoded one after another into one batch.
///
/// A row is told from those of its own file and of the files before it, as if all were one file.
package struct FileGroup {
  /// The rows and rejects of all files.
  package let batch: Batch
  /// What was read of each file.
  package let totals: [FileTotals]
  /// Which of the batch's rejects are each file's.
  package let rejects: [ArraySlice<RejectedLine>]

  /// More lines or bytes than fit into one batch: short bad lines take more memory than their bytes.
  package struct TooLarge: Error {}

  /// - Parameters:
  ///   - files: each with the number that its rows bear.
  ///   - routing: how the target stands before the first of them.
  /// - Throws: `ReadError` when a file must not be loaded, and `TooLarge`.
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
        try Pipeline.readLines(
          of: MemorySource(file.bytes), limit: rules.limits.lineBytes, with: &encoder,
          emit: { _ in throw TooLarge() }))
      ends.append(encoder.rejectCount)
    }
    let batch = encoder.closeBatch()
    self.batch = batch
    self.totals = totals
    rejects = zip(ends, ends.dropFirst()).map { batch.rejects[$0..<$1] }
  }
}
