internal import Glibc

/// A line in memory of its own, such as a stored reject, with the padding that decoding needs.
package final class StoredLine {
  private let line: InputLine
  private let memory: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - bytes: the line without its line break.
  ///   - number: its line number in the file, from 1.
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
      byteCount: bytes.count, isTooLong: false, hasLineFeed: true)
  }

  deinit { memory.deallocate() }

  /// Calls a function with the line.
  ///
  /// The bytes of the line and the values decoded from it are valid until `body` returns.
  package func withLine<Value, Failure: Error>(
    _ body: (InputLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The pointers in the line do not keep its memory alive.
    defer { withExtendedLifetime(self) {} }
    return try body(line)
  }
}
