/// Finds the tokens in a text, and the end of what is kept of it.
///
/// A token is the quoted value after a quoted name, at any depth of JSON within strings. After a name in any
/// other form nothing says where the token is, so the text is kept up to that name only. Nothing is parsed:
/// a quote within n strings has 2ⁿ - 1 backslashes before it.
struct TokenMasking {
  /// The digest that replaces the bytes of a token.
  struct Edit {
    let range: Range<Int>
    let digest: [UInt8]
  }

  /// The outcome for a text that is kept as a whole or not at all.
  enum Kept {
    case unchanged
    case masked([UInt8])
    case nothing
  }

  private let text: ByteSlice
  /// True for the name of a member, which may be that of a token.
  private let isName: Bool
  /// The limits of a refused line; nil for the text of a row.
  private let lineLimits: Limits?
  private var position = 0
  /// The end of the text, or the place of a name in another form.
  private(set) var end: Int

  private init(_ text: ByteSlice, isName: Bool = false, lineLimits: Limits? = nil) {
    self.text = text
    self.isName = isName
    self.lineLimits = lineLimits
    end = text.count
  }

  /// The bytes after which a copy is not continued, which is more than the limit of any text.
  private static let mostBytes = 2 * 1024 * 1024

  /// - Parameters:
  ///   - text: JSON, the text of a string in it, or the text between the quotes of a string.
  ///   - isName: true for the name of a member.
  static func kept(_ text: ByteSlice, isName: Bool = false) -> Kept {
    guard Secrets.mayBeNamed(in: text) else { return .unchanged }
    var masking = TokenMasking(text, isName: isName)
    let copy = masking.copy(mostBytes: mostBytes)
    return masking.end < text.count ? .nothing : copy.map { .masked($0) } ?? .unchanged
  }

  /// Calls a function with each part of a masked text.
  ///
  /// - Returns: false, without a call, when a name stands in another form than before a quoted value.
  static func forEachPart(of text: ByteSlice, _ take: (ByteSlice) -> Void) -> Bool {
    var search = TokenMasking(text)
    while search.next() != nil {}
    guard search.end == text.count else { return false }
    var masking = TokenMasking(text)
    var copied = 0
    while let edit = masking.next() {
      take(text.slice(copied..<edit.range.lowerBound))
      edit.digest.withUnsafeBufferPointer { digest in
        if let start = digest.baseAddress { take(ByteSlice(start: start, count: digest.count)) }
      }
      copied = edit.range.upperBound
    }
    take(text.slice(copied..<text.count))
    return true
  }

  /// The stored part of a refused line.
  ///
  /// A token that the loader refuses is cut off like a name in another form, because with its digest the line
  /// could be accepted. The rest of a cut line is no JSON object.
  static func keptLine(_ line: ByteSlice, limits: Limits) -> [UInt8] {
    var masking = TokenMasking(line, lineLimits: limits)
    var kept =
      masking.copy(mostBytes: Limits.rejectedLineBytes)
      ?? Array(line.buffer.prefix(min(masking.end, Limits.rejectedLineBytes)))
    if masking.end < line.count, kept.count < Limits.rejectedLineBytes {
      while let last = kept.last, last == UInt8(ascii: "}") || ByteSlice.isWhiteSpace(last) {
        kept.removeLast()
      }
    }
    return kept
  }

  /// - Returns: nil when no token was found.
  private mutating func copy(mostBytes: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var copied = 0
    while copied + mostBytes - bytes.count > position, let edit = next() {
      bytes += text.buffer[copied..<edit.range.lowerBound]
      bytes += edit.digest
      copied = edit.range.upperBound
    }
    if copied == 0 { return nil }
    let rest = max(0, min(end - copied, mostBytes - bytes.count))
    bytes += text.buffer[copied..<copied + rest]
    return Array(bytes.prefix(mostBytes))
  }

  /// The next token that is not a digest yet.
  private mutating func next() -> Edit? {
    while let name = nextName() {
      guard let value = value(of: name), let digest = digest(of: value) else {
        end = name.lowerBound
        position = text.count
        return nil
      }
      if !digest.isEmpty { return Edit(range: value.body, digest: digest) }
    }
    return nil
  }

  // MARK: - Names

  /// The names with their last letter in the lowest byte, and the bits that they take.
  private static let names = Secrets.names.map { name in
    name.withUTF8Buffer { bytes in
      (
        letters: bytes.reduce(UInt128()) { $0 << 8 | UInt128($1 | 0x20) },
        bits: (UInt128(1) << (8 * UInt128(bytes.count))) - 1
      )
    }
  }

  /// The next word that ends with a name, and that may have escaped letters.
  private mutating func nextName() -> Range<Int>? {
    // The last letters of the word, in lower case.
    var word: UInt128 = 0
    var start = position
    while position < text.count {
      let (letter, next) = character(at: position)
      if let letter {
        if word == 0 { start = position }
        word = word << 8 | UInt128(letter)
      } else if text[position] != 0 {
        if Self.isName(word) { return start..<position }
        word = 0
      }
      // A NUL stands between the letters of UTF-16.
      position = next
    }
    return Self.isName(word) ? start..<position : nil
  }

  @inline(__always)
  private static func isName(_ word: UInt128) -> Bool {
    UInt8(truncatingIfNeeded: word) == UInt8(ascii: "n")
      && names.contains { word & $0.bits == $0.letters }
  }

  /// The lower case of a letter, digit or underscore, also of an escaped one; nil for any other character.
  @inline(__always)
  private func character(at index: Int) -> (letter: UInt8?, next: Int) {
    let byte = text[index]
    return byte == UInt8(ascii: "\\") ? escape(at: index) : (Self.letter(byte), index + 1)
  }

  private static func letter(_ byte: UInt8) -> UInt8? {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
      ? byte | 0x20 : nil
  }

  /// The character of an escape within any number of strings.
  ///
  /// Each string doubles the backslashes, or writes them as `\u005c`.
  private func escape(at start: Int) -> (letter: UInt8?, next: Int) {
    var index = start + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 1
      } else if let scalar = hexadecimalEscape(at: index) {
        index += 5
        if scalar == UInt32(UInt8(ascii: "\\")) { continue }
        return (scalar < 0x80 ? Self.letter(UInt8(scalar)) : nil, index)
      } else {
        break
      }
    }
    return (nil, index)
  }

  /// The number in `u0000` at an index.
  private func hexadecimalEscape(at index: Int) -> UInt32? {
    guard index + 5 <= text.count, text[index] == UInt8(ascii: "u"),
      (index + 1..<index + 5).allSatisfy({ Secrets.hexDigit(text[$0]) != nil })
    else { return nil }
    return unicodeEscape(text.slice(index - 1..<index + 5), at: 0).scalar
  }

  // MARK: - Values

  private struct Value {
    /// The bytes between the quotes; empty where the name has no token.
    var body: Range<Int>
    /// The backslashes before each quote.
    var backslashes = 0
  }

  /// Moves past the value.
  ///
  /// - Returns: nil unless a quoted text or `null` follows the name, which must be quoted itself.
  private mutating func value(of name: Range<Int>) -> Value? {
    position = name.upperBound
    if isName, name == 0..<text.count { return Value(body: position..<position) }
    let backslashes = skipBackslashes()
    guard backslashes & (backslashes + 1) == 0, skip("\""),
      isQuote(before: name.lowerBound, backslashes)
    else { return nil }
    skipSpace(backslashes)
    guard skip(":") else { return nil }
    skipSpace(backslashes)
    var value = Value(body: position..<position, backslashes: backslashes)
    if position + 4 <= text.count, text.slice(position..<position + 4) == "null" {
      position += 4
    } else {
      guard skipBackslashes() == backslashes, skip("\""), let body = skipBody(backslashes) else {
        return nil
      }
      value.body = body
    }
    skipSpace(backslashes)
    return isEnd(backslashes) ? value : nil
  }

  private func isQuote(before index: Int, _ backslashes: Int) -> Bool {
    guard index > 0, text[index - 1] == UInt8(ascii: "\"") else { return false }
    var start = index - 1
    while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return index - 1 - start == backslashes
  }

  /// Moves past the closing quote; a quote in the text has more backslashes.
  private mutating func skipBody(_ backslashes: Int) -> Range<Int>? {
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
      if ByteSlice.isWhiteSpace(text[position]) {
        position += 1
      } else if 2 * skipBackslashes() == backslashes + 1, skip("n") || skip("r") || skip("t") {
        continue
      } else {
        position = start
        return
      }
    }
  }

  /// True at the end of a member, or of a string that encloses it.
  private mutating func isEnd(_ backslashes: Int) -> Bool {
    if position >= text.count || ",}]".utf8.contains(text[position]) { return true }
    let start = position
    defer { position = start }
    let count = skipBackslashes()
    return count < backslashes && count & (count + 1) == 0 && skip("\"")
  }

  // MARK: - Digests

  /// - Returns: nil for a text that is no JSON string, or that the loader refuses; empty where nothing is replaced.
  private func digest(of value: Value) -> [UInt8]? {
    let body = text.slice(value.body)
    guard Self.isStringBody(body) else { return nil }
    guard body.buffer.contains(UInt8(ascii: "\\")) else { return digest(ofToken: body) }
    var copy = Array(body.buffer)
    return copy.withUnsafeMutableBufferPointer { copy in
      guard let start = copy.baseAddress else { return [] }
      var token = body
      for _ in 0..<(value.backslashes + 1).trailingZeroBitCount + 1 {
        guard Self.isStringBody(token) else { return nil }
        let resolved = unescapeJSON(token, into: start)
        if lineLimits != nil, resolved.replacementCount > 0 { return nil }
        token = ByteSlice(start: UnsafePointer(start), count: resolved.count)
      }
      return digest(ofToken: token)
    }
  }

  private func digest(ofToken token: ByteSlice) -> [UInt8]? {
    if token.isEmpty || Secrets.digest(writtenAs: token) != nil { return [] }
    if let lineLimits {
      guard token.count <= lineLimits.textBytes,
        String(validating: token.buffer, as: UTF8.self) != nil
      else { return nil }
    }
    return Secrets.writtenDigest(of: token)
  }

  /// True for what may stand between the quotes of a JSON string.
  private static func isStringBody(_ body: ByteSlice) -> Bool {
    var index = 0
    while index < body.count {
      let byte = body[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") { return false }
      index += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      guard index < body.count, "\"\\/bfnrtu".utf8.contains(body[index]) else { return false }
      if body[index] == UInt8(ascii: "u") {
        guard index + 5 <= body.count,
          (index + 1..<index + 5).allSatisfy({ Secrets.hexDigit(body[$0]) != nil })
        else { return false }
      }
      index += 1
    }
    return true
  }
}
