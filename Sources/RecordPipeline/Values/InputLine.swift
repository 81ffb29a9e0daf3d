/// A line of an input, not yet decoded.
package struct InputLine {
  /// The line without its line break and without a carriage return before it.
  ///
  /// `LineDecoder.padding` readable bytes follow it. Valid until the next line is read.
  package let bytes: ByteSlice
  /// From 1.
  package let number: Int
  /// Offset of the first byte in the decoded stream, from 0.
  package let byteOffset: Int
  /// Length of the line; more than `bytes` holds when the line is longer than the limit.
  package let byteCount: Int
  package let isTooLong: Bool
}
