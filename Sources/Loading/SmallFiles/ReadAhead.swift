internal import RecordPipeline

/// Reads the small files at the head of a stream's remaining files into memory.
///
/// They are read before the first of them is loaded, so that one query can look them all up in the ledger.
struct ReadAhead {
  let files: [SmallFile]

  /// The size up to which a file counts as small, in bytes, both on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Bytes of all files together, which bounds both the memory and one transaction.
  private static let groupBytes = 1024 * 1024
  /// The most files in one transaction: each takes a lock, and one that needs a single load rolls back
  /// all of them.
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
        // The second of two files with the same bytes must find the first one in the ledger.
        digests.insert(file.sha256).inserted
      else { break }
      files.append(file)
      byteCount += file.bytes.count
    }
    self.files = files
  }
}
