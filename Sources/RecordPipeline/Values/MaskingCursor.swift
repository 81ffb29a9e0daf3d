/// A position in a text that is searched for secrets from start to end.
///
/// It works without recursion, and on broken text, too: an unclosed string extends to the end of
/// the text.
struct MaskingCursor {
  let text: ByteSlice
  var position = 0

  init(_ text: ByteSlice) { self.text = text }

  var isAtEnd: Bool { position >= text.count }

  func isAt(_ character: Unicode.Scalar) -> Bool {
    position < text.count && text[position] == UInt8(ascii: character)
  }

  func slice(_ start: Int, _ end: Int) -> ByteSlice {
    ByteSlice(start: text.start + start, count: max(0, end - start))
  }

  /// The position after the closing quote of the string that opens at `start`, or the end of the
  /// text.
  func endOfString(from start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
      } else if text[index] == UInt8(ascii: "\"") {
        return index + 1
      } else {
        index += 1
      }
    }
    return text.count
  }

  /// Moves past a string and the white space after it.
  ///
  /// - Returns: the text between the quotes.
  mutating func skipString() -> ByteSlice {
    let (start, end) = (position + 1, endOfString(from: position))
    position = end
    skipWhiteSpace()
    return slice(start, end - 1)
  }

  mutating func skipWhiteSpace() {
    while !isAtEnd, ByteSlice.isWhiteSpace(text[position]) { position += 1 }
  }

  /// Moves past the value of a member, which is not a string.
  mutating func skipValue() {
    guard isAt("{") || isAt("[") else {
      while !isAtEnd, !Self.isDelimiter(text[position]) { position += 1 }
      return
    }
    var depth = 0
    while !isAtEnd {
      switch text[position] {
      case UInt8(ascii: "\""):
        position = endOfString(from: position)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }

  /// The digest at this position, if an earlier masking wrote it as an array; with the length of
  /// the array.
  var refusedDigest: (digest: ByteSlice, length: Int)? {
    let masked = slice(position, min(position + Secrets.refusedDigestLength, text.count))
    return Secrets.refusedDigest(masked).map { ($0, masked.count) }
  }

  /// True for a byte that ends a JSON number or word.
  static func isDelimiter(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || ",}]".utf8.contains(byte)
  }
}

extension ByteSlice {
  /// False when an escape is cut short, as it can be in broken text.
  var hasWholeEscapes: Bool {
    var index = 0
    while index < count {
      guard self[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard index + 1 < count else { return false }
      index += self[index + 1] == UInt8(ascii: "u") ? 6 : 2
      guard index <= count else { return false }
    }
    return true
  }
}
