internal import SHA256

/// A small file in memory: its decoded bytes, and their digest.
///
/// Each small file is opened and read once. Many of them share one transaction, and with it the
/// expensive steps of a load.
package struct SmallFile: Sendable {
  package let input: Input
  package let canonicalPath: String
  /// Bytes on disk.
  package let size: Int
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
    guard !input.isStandardInput, input.sizeOnDisk <= largestSize else { return nil }
    do throws(ReadError) {
      let file = try InputFile(input)
      guard !file.isStreamed, let size = file.size, size <= largestSize else { return nil }
      let source = DecodedSource(file)
      // Reads one byte more than allowed, to detect a larger file.
      let bytes = try Self.bytes(of: source, expected: size, atMost: largestSize + 1)
      guard bytes.count <= largestSize else { return nil }
      try file.checkUnchanged()
      return SmallFile(
        input: input, canonicalPath: input.canonicalPath, size: size, bytes: bytes,
        sha256: SHA256.digest(of: bytes))
    } catch {
      return nil
    }
  }

  private static func bytes(
    of source: any ByteSource, expected: Int, atMost limit: Int
  ) throws(ReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expected + 1)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
    defer { buffer.deallocate() }
    while bytes.count < limit {
      let count = try source.read(into: buffer)
      if count == 0 { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }
}

/// A source of bytes in memory.
package final class MemorySource: ByteSource {
  private var bytes: ArraySlice<UInt8>

  package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let taken = bytes.prefix(buffer.count)
    buffer.copyBytes(from: taken)
    bytes = bytes.dropFirst(taken.count)
    return taken.count
  }
}
