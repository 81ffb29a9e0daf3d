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
    /// True when it has a connector, plain or escaped.
    var isConnected = false
    /// True when a connector or quote in it is written as an escape, so that the end of the value
    /// cannot be found.
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
    if let (_, length) = cursor.refusedDigest, isEnd(start + length) {
      cursor.position += length
      return nil
    }
    // If the name or the text after it is written in escapes, the value may be, too. Its end cannot
    // be found then, so the whole rest is masked.
    var end = name.isPlain && !connection.isEscaped ? endOfValue(connection) : text.count
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
    if connection.isConnected { return true }
    return !isValid && (!between.isEmpty || !name.isPlain)
  }

  // MARK: - Between name and value

  /// Moves from the end of a name to its value, past the quote that opens the value.
  private mutating func skipConnection() -> Connection {
    var connection = Connection()
    // Text in CSV or SQL doubles its quotes.
    while skipQuote() != nil { connection.isNameQuoted = true }
    skipDecoration()
    while !cursor.isAtEnd {
      let byte = text[cursor.position]
      if ByteSlice.isWhiteSpace(byte) || ":=>".utf8.contains(byte) {
        cursor.position += 1
        if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") { connection.isConnected = true }
      } else if let end = endOfEscapedWhiteSpace() {
        cursor.position = end
      } else if let end = endOfEscapedConnector() {
        cursor.position = end
        connection.isConnected = true
        connection.isEscaped = true
      } else {
        break
      }
    }
    connection.quote = skipQuote()
    while !cursor.isAtEnd, Self.isQuote(text[cursor.position]), !isEnd(cursor.position + 1),
      let second = skipQuote()
    {
      connection.quote = second
    }
    // Another escape can be any character, such as a quote that is escaped twice.
    if cursor.isAt("\\"),
      connection.isConnected || BareName.escape(in: text, at: cursor.position) != nil
    {
      connection.isConnected = true
      connection.isEscaped = true
    }
    return connection
  }

  /// Moves past characters between a name and its connector, such as the bracket of `a[name]=` or a
  /// no-break space; moves nowhere when no connector follows them.
  private mutating func skipDecoration() {
    let end = min(cursor.position + Self.mostDecoration, text.count)
    var index = cursor.position
    while index < end, !Self.isLetterOrDigit(text[index]), !":=\\\"'`".utf8.contains(text[index]) {
      index += 1
    }
    guard index < end, index > cursor.position else { return }
    if ":=".utf8.contains(text[index]) || Self.isQuote(text[index]) { cursor.position = index }
    if Self.isQuote(text[index]) { while skipQuote() != nil {} }
  }

  /// The most bytes between a name and its connector that are neither of them, nor quotes.
  private static let mostDecoration = 8

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || ScaledNumber.isDigit(byte)
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

  /// The end of a connector or quote that is written here as an escape of JSON, of an address or of
  /// HTML; nil when there is none.
  ///
  /// Writers of JSON for HTML escape more characters than JSON requires, such as `=`.
  private func endOfEscapedConnector() -> Int? {
    for escape in Self.otherEscapes {
      let end = cursor.position + escape.utf8CodeUnitCount
      if end <= text.count, cursor.slice(cursor.position, end).equalsIgnoringCase(escape) {
        return end
      }
    }
    return Self.connectors.lazy.compactMap { connector in
      BareName.length(in: text, at: cursor.position, of: { $0 == connector })
        .flatMap { $0 > 1 ? cursor.position + $0 : nil }
    }.first
  }

  private static let connectors = [UInt8](":=>\"'` ".utf8)
  private static let otherEscapes: [StaticString] = ["%3a", "%3d", "%22", "%27", "&quot;", "&#34;"]

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
      if text[index] == quote.mark, backslashes <= quote.backslashes {
        // A quote before other text may be a part of the value, as a doubled one is.
        return isEnd(index + 1) && !isContinued(index + 1, after: quote)
          ? index - backslashes : text.count
      }
      backslashes = text[index] == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    return text.count
  }

  private func endOfBareValue(_ connection: Connection) -> Int {
    let start = cursor.position
    guard start < text.count, !"[{(".utf8.contains(text[start]),
      var end = (start..<text.count).first(where: { Self.isBareEnd(text[$0]) })
    else { return text.count }
    // Nothing, or a word such as `Bearer`, is no token; what follows can be one.
    if end == start || ByteSlice.isWhiteSpace(text[end]) && end - start < Self.shortestToken {
      return text.count
    }
    guard Self.isQuote(text[end]) else { return end }
    // These bytes may be a damaged colon instead of a value, with the value in the quotes. A quote
    // with more text behind it opens a text, as in `Optional("x")`.
    if !isValid && connection.isNameQuoted || !isEnd(end + 1) { return text.count }
    // The backslashes stay with the quote, because without them it would end the enclosing string.
    while end > start, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
    return end
  }

  /// The fewest bytes of a value before a blank.
  private static let shortestToken = 8

  /// True when a value may end before this position: at the end of the text, and before white space
  /// or a delimiter.
  private func isEnd(_ position: Int) -> Bool {
    position >= text.count || Self.isBareEnd(text[position])
  }

  /// True when another quoted text follows a quoted value, such as the second part of a sum.
  private func isContinued(_ position: Int, after quote: Quote) -> Bool {
    let next = (position..<max(position, text.count)).first { !ByteSlice.isWhiteSpace(text[$0]) }
    return quote.backslashes == 0
      && next.map { text[$0] == quote.mark || text[$0] == UInt8(ascii: "+") } ?? false
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
    guard let escape = escape(in: text, at: index), escape.scalar < 0x80,
      isCharacter(UInt8(escape.scalar))
    else { return nil }
    return escape.end - index
  }

  /// The `\u` escape that starts at `index`, and its end; nil when there is none.
  ///
  /// Each level of quoting doubles the backslashes of an escape, or writes them as `\u005c`.
  static func escape(in text: ByteSlice, at index: Int) -> (scalar: UInt32, end: Int)? {
    var letter = index
    while letter < text.count, letter < index + mostPrefix {
      if text[letter] == UInt8(ascii: "\\") {
        letter += 1
      } else if letter > index, letter + 5 <= text.count,
        ByteSlice(start: text.start + letter, count: 5).equalsIgnoringCase("u005c")
      {
        letter += 5
      } else {
        break
      }
    }
    guard letter > index, letter + 5 <= text.count, text[letter] == UInt8(ascii: "u"),
      (letter + 1..<letter + 5).allSatisfy({ isHexDigit(text[$0]) })
    else { return nil }
    return (unicodeEscape(text, at: letter - 1).scalar, letter + 5)
  }

  /// The most bytes before the `u` of an escape, which bounds the time for a text of backslashes.
  private static let mostPrefix = 128

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    ScaledNumber.isDigit(byte) || (byte | 0x20) &- 0x61 < 6
  }
}
