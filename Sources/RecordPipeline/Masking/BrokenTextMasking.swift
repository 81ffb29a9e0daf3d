/// Copies broken JSON and replaces the values of secret members by their digests.
///
/// In broken text the end of a value is uncertain. An array, an object, or a value that contains
/// the name of another secret is therefore masked up to the end of the text.
struct BrokenTextMasking {
  private var cursor: MaskingCursor

  init(_ text: ByteSlice) { cursor = MaskingCursor(text) }

  mutating func masked() -> [UInt8] {
    while !cursor.isAtEnd {
      guard cursor.isAt("\"") else {
        cursor.copyByte()
        continue
      }
      let name = cursor.copyString()
      guard cursor.isAt(":"), MaskingCursor.isSecret(name) else { continue }
      cursor.copyByte()
      cursor.copyWhiteSpace()
      if !cursor.isAtEnd { maskValue() }
    }
    return cursor.output
  }

  private mutating func maskValue() {
    let (text, start) = (cursor.text, cursor.position)
    if cursor.isAt("\"") {
      let end = cursor.endOfString(from: start)
      let holdsName = BareName.isIn(text, start + 1, end)
      let isClosed = !holdsName && end > start + 1 && text[end - 1] == UInt8(ascii: "\"")
      cursor.position = holdsName ? text.count : end
      cursor.appendDigest(
        ofString: cursor.slice(start + 1, isClosed ? end - 1 : cursor.position),
        isClosed: isClosed, refusedAs: .array)
    } else if let (digest, length) = cursor.refusedDigest {
      cursor.position += length
      cursor.appendDigest(of: digest, as: .array)
    } else {
      let end = endOfOther
      let value = cursor.slice(start, end)
      cursor.position = end
      if value == "null" || value.isEmpty {
        cursor.output.append(contentsOf: value.buffer)
      } else {
        cursor.appendDigest(of: value, as: .array)
      }
    }
  }

  /// The end of a value that is not a string.
  ///
  /// A number or a word ends at a delimiter. Any other value counts as extending to the end of the
  /// text, because its brackets may not match and its quotes may not be those of JSON.
  private var endOfOther: Int {
    let (text, start) = (cursor.text, cursor.position)
    let first = text[start]
    guard first == UInt8(ascii: "-") || ScaledNumber.isDigit(first) || (first | 0x20) &- 0x61 < 26
    else { return text.count }
    let end = (start..<text.count).first { MaskingCursor.isDelimiter(text[$0]) } ?? text.count
    return BareName.isIn(text, start, end) ? text.count : end
  }
}
