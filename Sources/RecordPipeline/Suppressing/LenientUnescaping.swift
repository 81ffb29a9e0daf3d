/// Resolves escapes in bytes that may be no JSON: what is no escape stays as it is.
///
/// What an escape stands for is the rule of `unescapeJSON`, also for NUL, which no id holds.
enum LenientUnescaping {
  /// Writes a text with its escapes resolved, which is never longer than the text itself.
  ///
  /// - Parameters:
  ///   - text: bytes without a surrounding quote.
  ///   - result: room for as many bytes; may be where the text is.
  /// - Returns: how many bytes were written, and whether one of them is a backslash.
  static func resolve(
    _ text: ByteSlice, into result: UnsafeMutablePointer<UInt8>
  ) -> (count: Int, hasBackslash: Bool) {
    var count = 0
    var hasBackslash = false
    var index = 0
    while index < text.count {
      let start = count
      if text[index] != UInt8(ascii: "\\") || index + 1 == text.count {
        result[count] = text[index]
        count += 1
        index += 1
      } else if let (scalar, length) = wellFormedEscape(text, at: index) {
        count += encodeUTF8(scalar, result + count)
        index += length
      } else {
        result[count] = simpleEscape(text[index + 1])
        count += 1
        index += 2
      }
      hasBackslash = hasBackslash || result[start] == UInt8(ascii: "\\")
    }
    return (count, hasBackslash)
  }

  /// - Returns: nil where no `\u` escape is, or one half of a pair on its own.
  private static func wellFormedEscape(
    _ text: ByteSlice, at start: Int
  ) -> (scalar: UInt32, length: Int)? {
    guard isUnicodeEscape(text, at: start) else { return nil }
    // The strict rule reads digits unseen, so it sees the next escape only if that has some.
    let end = isUnicodeEscape(text, at: start + 6) ? start + 12 : start + 6
    let named = unicodeEscape(ByteSlice(start: text.start, count: end), at: start)
    return named.isStorable || named.scalar == 0 ? (named.scalar, named.length) : nil
  }

  private static func isUnicodeEscape(_ text: ByteSlice, at start: Int) -> Bool {
    guard start + 6 <= text.count, text[start] == UInt8(ascii: "\\"),
      text[start + 1] == UInt8(ascii: "u")
    else { return false }
    return (start + 2..<start + 6).allSatisfy { isHexDigit(text[$0]) }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
