/// Finds the tokens in a text, and the end of what is kept of it.
///
/// A token is the quoted value after a quoted name, at any depth of JSON within strings. After a name in any
/// other form nothing says where the token is, so the text is kept up to that name only. Nothing is parsed:
/// a quote within n strings has 2ⁿ - 1 backslashes before it.
struct TokenMasking {
  /// The outcome for a text that is kept as a whole or not at all.
  enum Kept {
    case unchanged
    case masked([UInt8])
    case nothing
  }

  private let text: ByteSlice
  /// True for the name of a member, which may be that of a token.
  private var isName = false
  /// The limits of a refused line; nil for the text of a row.
  private var lineLimits: Limits?
  private var position = 0
  /// The end of the last token that has been replaced.
  private var replaced = 0
  /// The place of a name in another form, where the kept text ends.
  private var cut: Int?

  /// - Parameters:
  ///   - text: JSON, the text of a string in it, or the text between the quotes of a string.
  ///   - isName: true for the name of a member.
  static func kept(_ text: ByteSlice, isName: Bool = false) -> Kept {
    guard Secrets.mayBeNamed(in: text) else { return .unchanged }
    var masking = TokenMasking(text: text, isName: isName)
    var copy: [UInt8] = []
    // More than the limit of any text is refused, and need not be copied.
    masking.forEachPart(upTo: 2 * 1024 * 1024) { copy += $0 }
    if masking.cut != nil { return .nothing }
    return masking.replaced == 0 ? .unchanged : .masked(copy)
  }

  /// Calls a function with each part of a masked text.
  ///
  /// - Returns: false, without a call, when a name stands in another form than before a quoted value.
  static func forEachPart(
    of text: ByteSlice, _ take: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    var search = TokenMasking(text: text)
    search.forEachPart { _ in }
    guard search.cut == nil else { return false }
    var masking = TokenMasking(text: text)
    masking.forEachPart(take)
    return true
  }

  /// The stored part of a refused line.
  ///
  /// A token that the loader refuses is cut off like a name in another form, because with its digest the line
  /// could be accepted. The rest of a cut line is no JSON object.
  static func keptLine(_ line: ByteSlice, limits: Limits) -> [UInt8] {
    var masking = TokenMasking(text: line, lineLimits: limits)
    var kept: [UInt8] = []
    masking.forEachPart(upTo: Limits.rejectedLineBytes) { kept += $0 }
    if masking.cut != nil, kept.count < Limits.rejectedLineBytes {
      while let last = kept.last, last == UInt8(ascii: "}") || ByteSlice.isWhiteSpace(last) {
        kept.removeLast()
      }
    }
    return kept
  }

  /// Calls a function with each kept part and each digest, up to a number of bytes.
  private mutating func forEachPart(
    upTo mostBytes: Int = .max, _ take: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var room = mostBytes
    func takePart(_ part: UnsafeBufferPointer<UInt8>) {
      take(UnsafeBufferPointer(rebasing: part.prefix(room)))
      room -= min(room, part.count)
    }
    while room > 0, let name = nextName() {
      guard let (token, digest) = token(of: name) else {
        cut = name.lowerBound
        break
      }
      if digest.isEmpty { continue }
      takePart(text.slice(replaced..<token.lowerBound).buffer)
      digest.withUnsafeBufferPointer(takePart)
      replaced = token.upperBound
    }
    takePart(text.slice(replaced..<(cut ?? text.count)).buffer)
  }

  /// The names in lower case, with their last letter in the lowest byte.
  private static let names = Secrets.names.map { name in
    name.withUTF8Buffer { $0.reduce(UInt128()) { $0 << 8 | UInt128($1 | 0x20) } }
  }

  /// The next word that ends with a name, and that may have escaped letters.
  private mutating func nextName() -> Range<Int>? {
    // The last letters of the word, in lower case.
    var word: UInt128 = 0
    var start = position
    while position < text.count {
      let byte = text[position]
      let (letter, next) =
        byte == UInt8(ascii: "\\") ? escape(at: position) : (Self.letter(byte), position + 1)
      if let letter {
        if word == 0 { start = position }
        word = word << 8 | UInt128(letter)
      } else if byte != 0 {
        if word != 0, Self.isName(word) { return start..<position }
        word = 0
      }
      // A NUL stands between the letters of UTF-16.
      position = next
    }
    return Self.isName(word) ? start..<position : nil
  }

  private static func isName(_ word: UInt128) -> Bool {
    names.contains { ($0 ^ word) << ($0.leadingZeroBitCount / 8 * 8) == 0 }
  }

  /// The lower case of a letter, digit or underscore; nil for any other character.
  private static func letter(_ byte: UInt8) -> UInt8? {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
      ? byte | 0x20 : nil
  }

  /// The character of an escape within any number of strings.
  ///
  /// Each string doubles the backslashes, or writes them as `\u005c`.
  private func escape(at start: Int) -> (letter: UInt8?, next: Int) {
    var index = start
    while true {
      repeat { index += 1 } while index < text.count && text[index] == UInt8(ascii: "\\")
      guard let scalar = Self.hexadecimalEscape(text, at: index) else { return (nil, index) }
      index += 4
      if scalar != 0x5C { return (UInt8(exactly: scalar).flatMap(Self.letter), index + 1) }
    }
  }

  /// The number in `u0000` at an index.
  private static func hexadecimalEscape(_ text: ByteSlice, at index: Int) -> UInt32? {
    guard index < text.count, text[index] == UInt8(ascii: "u") else { return nil }
    return hexadecimal(text, at: index + 1, count: 4)
  }

  /// Moves past the value of a name.
  ///
  /// - Returns: the bytes between the quotes, and what takes their place; both are empty where nothing is replaced.
  ///   nil unless a quoted text or `null` follows the name, which must be quoted itself.
  private mutating func token(of name: Range<Int>) -> (range: Range<Int>, digest: [UInt8])? {
    position = name.upperBound
    if isName, name == 0..<text.count { return (position..<position, []) }
    let backslashes = skipBackslashes()
    guard backslashes & (backslashes + 1) == 0, skip("\""),
      isQuote(before: name.lowerBound, backslashes)
    else { return nil }
    skipSpace(backslashes)
    guard skip(":") else { return nil }
    skipSpace(backslashes)
    let isNull = text.slice(position..<min(position + 4, text.count)) == "null"
    guard let range = isNull ? position..<position : skipString(backslashes) else { return nil }
    if isNull { position += 4 }
    skipSpace(backslashes)
    guard skipEnd(backslashes), let digest = digest(of: range, backslashes) else { return nil }
    return (range, digest)
  }

  private func isQuote(before index: Int, _ backslashes: Int) -> Bool {
    guard index > 0, text[index - 1] == UInt8(ascii: "\"") else { return false }
    let before = text.buffer[..<(index - 1)].reversed()
    return before.prefix { $0 == UInt8(ascii: "\\") }.count == backslashes
  }

  /// Moves past a string, in which a quote has more backslashes than its own.
  ///
  /// - Returns: the text between the quotes.
  private mutating func skipString(_ backslashes: Int) -> Range<Int>? {
    guard skipBackslashes() == backslashes, skip("\"") else { return nil }
    let start = position
    while position < text.count {
      let count = skipBackslashes() % (2 * backslashes + 2)
      if skip("\"") {
        if count == backslashes { return start..<position - 1 - backslashes }
        guard count == 2 * backslashes + 1 else { return nil }
      } else {
        position += 1
      }
    }
    return nil
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipBackslashes() -> Int {
    let start = position
    while skip("\\") {}
    return position - start
  }

  /// Moves past white space, which is escaped within strings.
  private mutating func skipSpace(_ backslashes: Int) {
    while position < text.count {
      let start = position
      if ByteSlice.isWhiteSpace(text[start]) {
        position += 1
      } else if 2 * skipBackslashes() != backslashes + 1 || !(skip("n") || skip("r") || skip("t")) {
        return position = start
      }
    }
  }

  /// True at the end of a member, or of a string that encloses it.
  private mutating func skipEnd(_ backslashes: Int) -> Bool {
    if position >= text.count || ",}]".utf8.contains(text[position]) { return true }
    let count = skipBackslashes()
    return count < backslashes && count & (count + 1) == 0 && skip("\"")
  }

  /// - Returns: nil for a text that is no JSON string, or that the loader refuses; empty where nothing is replaced.
  private func digest(of range: Range<Int>, _ backslashes: Int) -> [UInt8]? {
    var copy = Array(text.slice(range).buffer)
    return copy.withUnsafeMutableBufferPointer { copy in
      guard let start = copy.baseAddress else { return [] }
      var token = ByteSlice(start: start, count: copy.count)
      for _ in 0...(backslashes + 1).trailingZeroBitCount {
        guard Self.isStringBody(token) else { return nil }
        let resolved = unescapeJSON(token, into: start)
        if lineLimits != nil, resolved.replacementCount > 0 { return nil }
        token = ByteSlice(start: start, count: resolved.count)
      }
      if token.isEmpty || Secrets.digest(writtenAs: token) != nil { return [] }
      if let lineLimits {
        let isText = String(validating: token.buffer, as: UTF8.self) != nil
        guard isText, token.count <= lineLimits.textBytes else { return nil }
      }
      return Secrets.writtenDigest(of: token)
    }
  }

  /// True for what may stand between the quotes of a JSON string.
  private static func isStringBody(_ body: ByteSlice) -> Bool {
    var index = 0
    while index < body.count {
      switch body[index] {
      case ..<0x20, UInt8(ascii: "\""): return false
      case UInt8(ascii: "\\"):
        let isShort = index + 1 < body.count && "\"\\/bfnrt".utf8.contains(body[index + 1])
        guard isShort || hexadecimalEscape(body, at: index + 1) != nil else { return false }
        index += isShort ? 2 : 6
      default: index += 1
      }
    }
    return true
  }
}
