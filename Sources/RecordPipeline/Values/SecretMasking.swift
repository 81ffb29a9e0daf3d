/// Copies texts and replaces every secret by its digest.
///
/// Valid JSON is parsed as JSON, and so is JSON within its strings. In any other text, a value that
/// follows the bare name of a secret field is replaced, however it is quoted.
///
/// The columns of a row are masked one by one, and the copy of a refused line as a whole. Both give
/// the same texts, so that the copy loads to the same row as the line, and to the same key, which
/// may depend on the bytes of a text. All bytes other than those of secrets therefore stay as they
/// are.
enum SecretMasking {
  /// A copy of a line that is one JSON object; a replay of the copy has the same outcome as the line.
  ///
  /// A secret that is a valid string becomes its digest, which loads as the string does. A secret that is
  /// refused (another type, a NUL, too long) becomes an array with its digest, which is refused as well.
  ///
  /// - Parameter textLimit: the limit in bytes above which the loader refuses a secret.
  static func masked(line text: ByteSlice, textLimit: Int) -> [UInt8] {
    JSONMasking(refusedForm: .array, textLimit: textLimit).masked(json: text) ?? Array(text.buffer)
  }

  /// The masked copy of a JSON text; nil when the text has no secret.
  static func masked(json text: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(json: text)
  }

  /// The masked copy of the body of a JSON string; nil when the string has no secret.
  static func masked(stringBody body: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(stringBody: body)
  }

  /// The masked copy of a text that was the value of a JSON string; nil when the text has no secret.
  static func masked(text: ByteSlice) -> [UInt8]? {
    JSONMasking(refusedForm: .string).masked(text: text)
  }

  /// A copy of bytes that are not valid JSON.
  ///
  /// It masks more than the secrets when their ends are uncertain.
  static func masked(malformed text: ByteSlice) -> [UInt8] {
    var members = BrokenTextMasking(text)
    return text.applying(members.edits()).withUnsafeBufferPointer { once in
      guard let start = once.baseAddress else { return [] }
      let once = ByteSlice(start: start, count: once.count)
      var names = BareNameMasking(once, isValid: false)
      return once.applying(names.edits())
    }
  }
}

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

/// A replacement of some bytes of a text.
struct Edit {
  let range: Range<Int>
  let bytes: [UInt8]

  func moved(by distance: Int) -> Edit {
    Edit(range: range.lowerBound + distance..<range.upperBound + distance, bytes: bytes)
  }
}

extension ByteSlice {
  /// A copy of the text with some bytes replaced.
  ///
  /// - Parameter edits: in the order of the text, without overlaps.
  func applying(_ edits: [Edit]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count + 128)
    var position = 0
    for edit in edits {
      output.append(contentsOf: buffer[position..<edit.range.lowerBound])
      output.append(contentsOf: edit.bytes)
      position = edit.range.upperBound
    }
    output.append(contentsOf: buffer[position...])
    return output
  }
}
