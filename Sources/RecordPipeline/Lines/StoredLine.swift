extension InputLine {
  /// Calls a function with a line in memory of its own, such as a stored reject, with the padding that
  /// decoding needs.
  ///
  /// The bytes of the line and the values decoded from it are valid until `body` returns.
  ///
  /// - Parameters:
  ///   - bytes: the line without its line break.
  ///   - number: its line number in the file, from 1.
  package static func with<Value, Failure: Error>(
    bytes: [UInt8], number: Int = 1, byteOffset: Int = 0,
    _ body: (InputLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let padded = bytes + [UInt8](repeating: 0, count: LineDecoder.padding)
    return try padded.withUnsafeBufferPointer { memory throws(Failure) in
      guard let start = memory.baseAddress else { preconditionFailure("the padding is not empty") }
      return try body(
        InputLine(
          bytes: ByteSlice(start: start, count: bytes.count), number: number,
          byteOffset: byteOffset, byteCount: bytes.count, isTooLong: false, hasLineFeed: true))
    }
  }
}
