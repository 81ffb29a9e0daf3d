/// Finds the values of secret members in broken JSON.
///
/// In broken text the end of a value is uncertain. An array, an object, or a value that contains
/// the name of another secret is therefore masked up to the end of the text.
struct BrokenTextMasking {
  private var cursor: MaskingCursor

  init(_ text: ByteSlice) { cursor = MaskingCursor(text) }

  mutating func edits() -> [Edit] {
    var edits: [Edit] = []
    while !cursor.isAtEnd {
      guard cursor.isAt("\"") else {
        cursor.position += 1
        continue
      }
      let name = cursor.skipString()
      guard cursor.isAt(":"), Secrets.isWritten(name) else { continue }
      cursor.position += 1
      cursor.skipWhiteSpace()
      if !cursor.isAtEnd, let edit = editOfValue() { edits.append(edit) }
    }
    return edits
  }

  /// The replacement of a secret's value; moves past the value.
  private mutating func editOfValue() -> Edit? {
    let start = cursor.position
    if cursor.isAt("\"") { return editOfString(from: start) }
    if let (_, length) = cursor.refusedDigest, isEnd(start + length) {
      cursor.position += length
      return nil
    }
    cursor.position = endOfOther
    let value = cursor.slice(start, cursor.position)
    if value == "null" || value.isEmpty { return nil }
    return Edit(
      range: start..<cursor.position,
      bytes: Secrets.writtenDigest(of: value, quotedAsArray: true))
  }

  private mutating func editOfString(from start: Int) -> Edit? {
    let end = cursor.endOfString(from: start)
    let holdsName = BareName.isIn(text, start + 1, end)
    let isClosed =
      !holdsName && end > start + 1 && text[end - 1] == UInt8(ascii: "\"") && isEnd(end)
    cursor.position = isClosed ? end : text.count
    let bodyEnd = isClosed ? end - 1 : cursor.position
    let body = cursor.slice(start + 1, bodyEnd)
    var arena = TextArena()
    guard body.buffer.contains(UInt8(ascii: "\\")), body.hasWholeEscapes else {
      return body.isEmpty
        ? nil : Edit(range: start + 1..<bodyEnd, bytes: Secrets.writtenDigest(of: body))
    }
    let secret = arena.unescape(body)
    return secret.replacementCount == 0
      ? Edit(range: start + 1..<bodyEnd, bytes: Secrets.writtenDigest(of: secret.bytes))
      : Edit(
        range: start..<cursor.position,
        bytes: Secrets.writtenDigest(of: secret.bytes, quotedAsArray: true))
  }

  /// The end of a value that is not a string.
  ///
  /// A number or a word ends at a delimiter. Any other value counts as extending to the end of the
  /// text, because its brackets may not match and its quotes may not be those of JSON.
  private var endOfOther: Int {
    let start = cursor.position
    let first = text[start]
    guard first == UInt8(ascii: "-") || ScaledNumber.isDigit(first) || (first | 0x20) &- 0x61 < 26
    else { return text.count }
    let end = (start..<text.count).first { MaskingCursor.isDelimiter(text[$0]) } ?? text.count
    return BareName.isIn(text, start, end) || !isEnd(end) ? text.count : end
  }

  /// True when only white space lies between this position and a delimiter or the end of the text.
  private func isEnd(_ position: Int) -> Bool {
    let next = (position..<text.count).first { !ByteSlice.isWhiteSpace(text[$0]) }
    return next.map { ",}]".utf8.contains(text[$0]) } ?? true
  }

  private var text: ByteSlice { cursor.text }
}
