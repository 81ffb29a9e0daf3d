internal import RecordPipeline

/// Reads the small files at the start of a stream's remaining files into memory, up to the first
/// file that is not small.
///
/// They are read before the first of them is loaded, so that one query can look all of them up in
/// the ledger.
struct ReadAhead {
  let files: [SmallFile]

  /// The size up to which a file counts as small, in bytes, both on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Once the files have this many bytes together, no further file joins them.
  ///
  /// This bounds both the memory and the transaction.
  private static let groupBytes = 1024 * 1024
  /// The most files in one transaction.
  ///
  /// One file that must be loaded by itself rolls all of them back.
  private static let groupSize = 200

  /// - Parameter inputs: in the order in which they are to be loaded.
  init(_ inputs: some Sequence<Input>, options: LoadOptions) {
    var files: [SmallFile] = []
    var identities: Set<[[UInt8]]> = []
    var byteCount = 0
    for input in inputs {
      guard files.count < Self.groupSize, byteCount < Self.groupBytes,
        let file = SmallFile.read(input, largestSize: Self.smallFileBytes),
        // The second of two files with the same identity ends the group, so that it finds the first
        // one in the ledger.
        identities.insert(
          [file.sha256] + (file.hasRecord ? [] : [Array(file.canonicalPath.utf8)])
        ).inserted
      else { break }
      files.append(file)
      byteCount += file.bytes.count
    }
    self.files = files
  }
}
