internal import RecordPipeline

/// The small files at the beginning of what is left of a lane.
///
/// They are read before the first of them is loaded, so that the ledger can be asked for all at once.
struct ReadAhead {
  let files: [SmallFile]

  /// Bytes of a file that counts as small, on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Bytes of all files together: what is in memory at once, and what is sent in one transaction.
  private static let groupBytes = 1024 * 1024
  /// So many files share one transaction at most: each holds a lock, and all are rolled back with the
  /// one that is not plain.
  private static let groupSize = 200

  /// - Parameter inputs: in the order in which they are to be loaded.
  init(_ inputs: some Sequence<Input>, options: LoadOptions) {
    var files: [SmallFile] = []
    var digests: Set<[UInt8]> = []
    var byteCount = 0
    for input in inputs {
      guard files.count < Self.groupSize, byteCount < Self.groupBytes,
        let file = SmallFile.read(
          input, options: options.reading, largestSize: Self.smallFileBytes),
        // The second of two files with the same bytes meets the first one in the ledger.
        digests.insert(file.sha256).inserted
      else { break }
      files.append(file)
      byteCount += file.bytes.count
    }
    self.files = files
  }
}
