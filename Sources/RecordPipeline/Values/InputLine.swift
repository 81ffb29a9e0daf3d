/// A line as it was found.
package struct InputLine {
  /// Without its line break, and without a carriage return before it.
  ///
  /// `LineDecoder.padding` bytes behind it are readable. Good until the next line is asked for.
  package let bytes: ByteSlice
  /// From 1.
  package let number: Int
  /// Of the first byte, in the decoded stream, from 0.
  package let byteOffset: Int
  /// How long the line is; more than `bytes` holds when it is above the limit.
  package let byteCount: Int
  package let isTooLong: Bool
}
