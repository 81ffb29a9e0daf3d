internal import SHA256

/// A small file in memory: its decoded bytes, and their digest.
///
/// Each small file is opened and read once. Many of them share one transaction, and with it the
/// expensive steps of a load.
package struct SmallFile: Sendable {
  package let input: Input
  package let canonicalPath: String
  /// The decoded bytes.
  package let bytes: [UInt8]
  package let sha256: [UInt8]

  /// False when the file has only blank lines, or none.
  package var hasRecord: Bool {
    let text = bytes.starts(with: ByteSlice.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    return !text.allSatisfy(ByteSlice.isWhiteSpace)
  }

  /// Reads a file.
  ///
  /// - Parameter largestSize: the maximum of bytes, both on disk and decoded.
  /// - Returns: nil when the file is larger, can be read only once, or cannot be read. Such a file is loaded
  ///   alone, and that load reports the error.
  package static func read(_ input: Input, largestSize: Int) -> SmallFile? {
    guard !input.isStandardInput, input.sizeOnDisk <= largestSize,
      let file = try? InputFile(input), !file.isStreamed, let size = file.size, size <= largestSize
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    do {
      try file.forEachPart {
        bytes += $0
        return bytes.count <= largestSize
      }
      try file.checkUnchanged()
    } catch {
      return nil
    }
    guard bytes.count <= largestSize else { return nil }
    return SmallFile(
      input: input, canonicalPath: input.canonicalPath, bytes: bytes,
      sha256: SHA256.digest(of: bytes))
  }
}
