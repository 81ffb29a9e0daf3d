/// Finds each value that follows the bare name of a secret field.
struct BareNameMasking {
  private var cursor: MaskingCursor
  /// True for the text of a valid JSON string, which may mention a token without holding one; false
  /// for a line that is not JSON.
  private let isValid: Bool

  /// The text between a name and its value.
  private struct Connection {
    /// True when a quote follows the name.
    var isNameQuoted = false
    /// True when a connector or quote in it is written as an escape of an unknown number of levels.
    var isEscaped = false
    /// The quote that opens the value, and the number of backslashes before it; there are some when
    /// the text is quoted within a quoted text.
    var quote: Quote?
  }

  private typealias Quote = (mark: UInt8, backslashes: Int)

  init(_ text: ByteSlice, isValid: Bool) {
    cursor = MaskingCursor(text)
    self.isValid = isValid
  }

  private var text: ByteSlice { cursor.text }

  mutating func edits() -> [Edit] {
    var edits: [Edit] = []
    while !cursor.isAtEnd {
      if let name = BareName(in: text, at: cursor.position) {
        if let edit = editOfValue(behind: name) { edits.append(edit) }
      } else {
        cursor.position += 1
      }
    }
    return edits
  }

  /// The replacement of the value; moves past it, or past the name when no value follows.
  private mutating func editOfValue(behind name: BareName) -> Edit? {
    cursor.position += name.length
    let nameEnd = cursor.position
    let connection = skipConnection()
    let start = cursor.position
    guard isGiven(name, connection, cursor.slice(nameEnd, start)) else {
      cursor.position = nameEnd
      return nil
    }
    if let (_, length) = cursor.refusedDigest {
      cursor.position += length
      return nil
    }
    // If the name or the text after it is written in escapes, the value may be, too. Its end cannot
    // be found then, so the whole rest is masked.
    let isPlain = (name.isPlain || isValid) && !connection.isEscaped
    var end = isPlain ? endOfValue(connection) : text.count
    if BareName.isIn(text, start, end) { end = text.count }
    let secret = cursor.slice(start, end)
    cursor.position = start + secret.count
    return secret.isEmpty
      ? nil : Edit(range: start..<cursor.position, bytes: Secrets.writtenDigest(of: secret))
  }

  /// True when a value follows the name.
  ///
  /// The text of a valid JSON string may mention a token without holding one, so there a colon or an
  /// equals sign must follow. In other text anything that can stand between a name and a value suffices;
  /// in `purchaseTokenType`, for example, the next letter follows at once, so that is another name.
  private func isGiven(_ name: BareName, _ connection: Connection, _ between: ByteSlice) -> Bool {
    if connection.isEscaped { return true }
    return isValid
      ? between.buffer.contains { ":=".utf8.contains($0) } : !between.isEmpty || !name.isPlain
  }

  // MARK: - Between name and value

  /// Moves from the end of a name to its value, past the quote that opens the value.
  private mutating func skipConnection() -> Connection {
    var connection = Connection()
    connection.isNameQuoted = skipQuote() != nil
    while !cursor.isAtEnd {
      let byte = text[cursor.position]
      if ByteSlice.isWhiteSpace(byte) || ":=>".utf8.contains(byte) {
        cursor.position += 1
      } else if let end = endOfEscapedWhiteSpace() {
        cursor.position = end
      } else if let end = endOfEscapedConnector() {
        cursor.position = end
        connection.isEscaped = true
      } else {
        break
      }
    }
    connection.quote = skipQuote()
    // Another escape can be any character, such as a quote that is escaped twice.
    if cursor.isAt("\\") { connection.isEscaped = true }
    return connection
  }

  /// The end of a tab or line break that is written here as an escape; nil when there is none.
  ///
  /// JSON within a string has white space in this form, with several backslashes if it is quoted
  /// more than once.
  private func endOfEscapedWhiteSpace() -> Int? {
    let index = endOfBackslashes()
    guard index > cursor.position, index < text.count, "nrt".utf8.contains(text[index]) else {
      return nil
    }
    return index + 1
  }

  /// The end of a connector or quote that is written here as a `\u` escape; nil when there is none.
  ///
  /// Writers of JSON for HTML escape more characters than JSON requires, such as `=`.
  private func endOfEscapedConnector() -> Int? {
    [UInt8](":=>\"'` ".utf8).lazy.compactMap { connector in
      BareName.length(in: text, at: cursor.position, of: { $0 == connector })
        .flatMap { $0 > 1 ? cursor.position + $0 : nil }
    }.first
  }

  private mutating func skipQuote() -> Quote? {
    let index = endOfBackslashes()
    guard index < text.count, Self.isQuote(text[index]) else { return nil }
    defer { cursor.position = index + 1 }
    return (text[index], index - cursor.position)
  }

  private func endOfBackslashes() -> Int {
    var index = cursor.position
    while index < text.count, text[index] == UInt8(ascii: "\\") { index += 1 }
    return index
  }

  // MARK: - The value

  private func endOfValue(_ connection: Connection) -> Int {
    guard let quote = connection.quote else { return endOfBareValue(connection) }
    var backslashes = 0
    for index in cursor.position..<text.count {
      if text[index] == quote.mark, backslashes <= quote.backslashes { return index - backslashes }
      backslashes = text[index] == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    return text.count
  }

  private func endOfBareValue(_ connection: Connection) -> Int {
    let start = cursor.position
    guard start < text.count, !"[{(".utf8.contains(text[start]),
      var end = (start..<text.count).first(where: { Self.isBareEnd(text[$0]) })
    else { return text.count }
    guard Self.isQuote(text[end]) else { return end }
    // These bytes may be a damaged colon instead of a value, with the value in the quotes.
    if !isValid, connection.isNameQuoted { return text.count }
    // The backslashes stay with the quote, because without them it would end the enclosing string.
    while end > start, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    return end
  }

  private static func isQuote(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }

  private static func isBareEnd(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || isQuote(byte) || ",;&}])".utf8.contains(byte)
  }
}

/// The name of a secret field within a text.
struct BareName {
  /// In bytes.
  let length: Int
  /// False when the name has escapes, or NULs between its letters as in UTF-16 and UTF-32.
  ///
  /// In text that is not a valid JSON string, everything after such a name is masked.
  let isPlain: Bool

  /// - Returns: nil when there is no such name at `start`.
  init?(in text: ByteSlice, at start: Int) {
    for name in Secrets.names {
      let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      var index = start
      var matched = 0
      while matched < letters.count,
        let length = Self.length(in: text, at: index, of: { $0.isLetter(letters[matched]) })
      {
        index += length
        matched += 1
        while matched < letters.count, index < text.count, text[index] == 0 { index += 1 }
      }
      if matched == letters.count {
        length = index - start
        isPlain = length == letters.count
        return
      }
    }
    return nil
  }

  /// True when a name starts within a range.
  static func isIn(_ text: ByteSlice, _ start: Int, _ end: Int) -> Bool {
    start < end && (start..<end).contains { BareName(in: text, at: $0) != nil }
  }

  /// How many bytes an ASCII character takes at `index`, plain or as an escape; nil when it is
  /// another one.
  static func length(
    in text: ByteSlice, at index: Int, of isCharacter: (UInt8) -> Bool
  ) -> Int? {
    guard index < text.count else { return nil }
    if isCharacter(text[index]) { return 1 }
    guard text[index] == UInt8(ascii: "\\") else { return nil }
    // Each level of quoting doubles the backslashes of an escape, so 16 backslashes are the fifth
    // level.
    var digits = index + 1
    while digits < text.count, digits < index + 16, text[digits] == UInt8(ascii: "\\") {
      digits += 1
    }
    guard digits + 5 <= text.count, text[digits] == UInt8(ascii: "u") else { return nil }
    let scalar = unicodeEscape(text, at: digits - 1).scalar
    return scalar < 0x80 && isCharacter(UInt8(scalar)) ? digits + 5 - index : nil
  }
}
