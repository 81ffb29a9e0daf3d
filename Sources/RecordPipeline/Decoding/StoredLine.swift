internal import Glibc

/// A line that comes from somewhere else than a file: with the room behind it that decoding needs.
package final class StoredLine {
  private let line: InputLine
  private let memory: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - bytes: the line without its line break.
  ///   - number: its place in its file, from 1.
  package init(bytes: [UInt8], number: Int, byteOffset: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes.count + LineDecoder.padding, alignment: 64)
    memset(memory, 0, bytes.count + LineDecoder.padding)
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
    }
    self.memory = memory
    let start = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
    line = InputLine(
      bytes: ByteSlice(start: start, count: bytes.count), number: number, byteOffset: byteOffset,
      byteCount: bytes.count, isTooLong: false)
  }

  deinit { memory.deallocate() }

  /// Lends the line: its bytes, and what was decoded of them, are good until `body` returns.
  package func withLine<Value, Failure: Error>(
    _ body: (InputLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // What points into memory does not keep it alive.
    defer { withExtendedLifetime(self) {} }
    return try body(line)
  }
}
