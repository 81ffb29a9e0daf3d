/// Resolves the escapes in bytes that may not be JSON, and copies everything else.
///
/// It differs from `unescapeJSON` in two cases, which no valid id contains. NUL stays NUL, and a
/// `\u` that is cut short or names an unpaired surrogate becomes the letter `u`.
enum LenientUnescaping {
  /// Writes a text with its escapes resolved.
  ///
  /// The result is never longer than the text.
  ///
  /// - Parameters:
  ///   - text: bytes without a surrounding quote.
  ///   - result: memory for as many bytes as the text has; it may be the text's own memory.
  /// - Returns: the number of bytes written, and whether one of them is a backslash.
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

  /// The character of the `\u` escape at `start`.
  ///
  /// - Returns: nil when there is no complete `\u` escape, or only that of an unpaired surrogate.
  private static func wellFormedEscape(
    _ text: ByteSlice, at start: Int
  ) -> (scalar: UInt32, length: Int)? {
    guard isUnicodeEscape(text, at: start) else { return nil }
    // `unicodeEscape` does not check digits, so it sees the next escape only if that is complete.
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
