/// A line of an input, not yet decoded.
package struct InputLine {
  /// The line without its line break and without a carriage return before it.
  ///
  /// `ObjectParser.padding` readable bytes follow it. Valid until the next line is read.
  package let bytes: ByteSlice
  /// From 1.
  package let number: Int
  /// Offset of the first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// Length of the line; when the line is above the limit, `bytes` holds only its beginning.
  package let byteCount: Int
  package let isTooLong: Bool
  /// False for a last line without a line feed.
  package let hasLineFeed: Bool

  /// Calls a function with a line in memory of its own, such as a stored reject.
  ///
  /// The line and the values decoded from it are valid until `body` returns.
  package static func with<Value, Failure: Error>(
    bytes: [UInt8], number: Int = 1, byteOffset: Int = 0,
    _ body: (InputLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let padded = bytes + [UInt8](repeating: 0, count: ObjectParser.padding)
    return try padded.withUnsafeBufferPointer { memory throws(Failure) in
      try body(
        InputLine(
          bytes: ByteSlice(memory).slice(0..<bytes.count), number: number,
          byteOffset: byteOffset, byteCount: bytes.count, isTooLong: false, hasLineFeed: true))
    }
  }
}
