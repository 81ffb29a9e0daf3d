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
  /// Length of the line; when the line is above the limit, `bytes` holds only its beginning.
  package let byteCount: Int
  package let isTooLong: Bool
  /// False for a last line without a line feed.
  package let hasLineFeed: Bool
}
