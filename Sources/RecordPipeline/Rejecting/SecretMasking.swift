/// Copies a JSON text, or what was meant to be one, with every secret replaced by its digest.
///
/// The scanner follows strings and looks at those before a colon, so it works at any depth without
/// recursion, and on broken text too: where a string or container does not end, the text does.
struct SecretMasking {
  private let text: ByteSlice
  /// False when the text is not to be trusted where it says that a value ends.
  private let isJSON: Bool
  /// True when strings that are values are looked into.
  private var masksStrings = false
  /// How a line that is kept is read again; nil when the text is no line.
  private var replay: Replay?
  /// Levels of arrays and objects that are open.
  private var depth = 0
  private var position = 0
  /// True when a quote stood behind the bare name that was found last.
  private var isNameQuoted = false
  /// True when what stood between that and its value was written as escapes.
  private var isConnectorEscaped = false
  private(set) var output: [UInt8] = []

  /// The text with secrets replaced in its strings too: where one holds JSON, or `name=value`.
  static func masked(jsonAndItsStrings text: ByteSlice) -> [UInt8] {
    var masking = SecretMasking(text, isJSON: true)
    masking.masksStrings = true
    masking.copy()
    return masking.output
  }

  /// What has to stay true of a refused line, so that it can be replayed.
  struct Replay {
    /// The field whose text is the record, escapes resolved.
    let unwrapField: String?
    /// A longer secret is refused.
    let textLimit: Int
  }

  /// A line that is one JSON object, with secrets replaced so that it has the same fate when it is
  /// read again.
  ///
  /// A secret that is a text becomes its digest, which loads as the text did. One that is refused
  /// (another type, a NUL, too long) becomes an array of its digest, which is refused as well.
  static func masked(line text: ByteSlice, _ replay: Replay) -> [UInt8] {
    var masking = SecretMasking(text, isJSON: true)
    masking.masksStrings = true
    masking.replay = replay
    masking.copy()
    return masking.output
  }

  /// The body of a valid JSON string with secrets in it replaced.
  static func masked(stringBody text: ByteSlice) -> [UInt8] {
    var masking = SecretMasking(text, isJSON: true)
    masking.copyMaskingAfterBareNames()
    return masking.output
  }

  /// The same for bytes that are not JSON: there, what follows the bare name of a secret field
  /// goes too, however it is quoted.
  ///
  /// More may go than had to.
  static func masked(malformed text: ByteSlice) -> [UInt8] {
    var masking = SecretMasking(text, isJSON: false)
    masking.copy()
    return masking.output.withUnsafeBufferPointer { once in
      guard let start = once.baseAddress else { return [] }
      var masking = SecretMasking(ByteSlice(start: start, count: once.count), isJSON: false)
      masking.copyMaskingAfterBareNames()
      return masking.output
    }
  }

  private init(_ text: ByteSlice, isJSON: Bool) {
    self.text = text
    self.isJSON = isJSON
    output.reserveCapacity(text.count + 128)
  }

  private mutating func copy() {
    while position < text.count {
      guard text[position] == UInt8(ascii: "\"") else {
        switch text[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        output.append(text[position])
        position += 1
        continue
      }
      let start = output.count + 1
      let name = copyString()
      copyWhiteSpace()
      guard position < text.count, text[position] == UInt8(ascii: ":") else {
        if masksStrings {
          output.replaceSubrange(
            start..<start + name.count, with: Self.masked(stringBody: name))
        }
        continue
      }
      let isSecret = isSecret(name)
      let isRecord = depth == 1 && isRecord(name)
      guard isSecret || isRecord else { continue }
      output.append(text[position])
      position += 1
      copyWhiteSpace()
      if isSecret { maskValue() } else { maskRecord() }
    }
  }

  private func isRecord(_ name: ByteSlice) -> Bool {
    guard let field = replay?.unwrapField else { return false }
    var resolved = TextArena()
    return resolved.unescape(name).bytes.buffer.elementsEqual(field.utf8)
  }

  /// Masks the text of a record as the line that it is, and writes it as a string again.
  private mutating func maskRecord() {
    // An object is gone through as any other.
    guard let replay, position < text.count, text[position] == UInt8(ascii: "\"") else { return }
    let end = endOfString(from: position)
    var arena = TextArena()
    let record = arena.unescape(slice(position + 1, end - 1)).bytes
    output.append(UInt8(ascii: "\""))
    let within = Replay(unwrapField: nil, textLimit: replay.textLimit)
    for byte in Self.masked(line: record, within) { appendEscaped(byte) }
    output.append(UInt8(ascii: "\""))
    position = end
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
    case 0x0A: output += Array("\\n".utf8)
    case 0x0D: output += Array("\\r".utf8)
    case 0x09: output += Array("\\t".utf8)
    default: output.append(byte)  // JSON text has no other control characters
    }
  }

  private func isSecret(_ name: ByteSlice) -> Bool {
    if Secrets.isSecret(name) { return true }
    guard name.buffer.contains(UInt8(ascii: "\\")), hasWholeEscapes(name) else { return false }
    return Secrets.isSecretEscaped(name)
  }

  /// Broken text can hold escapes that end too early: those name nothing.
  private func hasWholeEscapes(_ name: ByteSlice) -> Bool {
    var index = 0
    while index < name.count {
      guard name[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard index + 1 < name.count else { return false }
      if name[index + 1] == UInt8(ascii: "u") {
        guard index + 6 <= name.count else { return false }
        index += 6
      } else {
        index += 2
      }
    }
    return true
  }

  private mutating func maskValue() {
    guard position < text.count else { return }
    let start = position
    switch text[position] {
    case UInt8(ascii: "\""):
      var end = endOfString(from: position)
      var isClosed = end > position + 1 && text[end - 1] == UInt8(ascii: "\"")
      if holdsSecretName(position + 1, end) {
        end = text.count
        isClosed = false
      }
      let content = slice(position + 1, isClosed ? end - 1 : end)
      appendDigest(ofString: content, isClosed: isClosed)
      position = end
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let masked = slice(start, min(start + Secrets.refusedDigestLength, text.count))
      if let digest = Secrets.refusedDigest(masked) {
        position += masked.count
        return appendDigest(ofOther: digest)
      }
      // Brackets that do not match would end it too early.
      if isJSON { skipContainer() } else { position = text.count }
      appendDigest(ofOther: slice(start, position))
    default:
      // A foreign quote or bracket: where the value ends is anybody's guess.
      let isScalar = isJSON || text[position] == UInt8(ascii: "-") || isWordByte(text[position])
      while position < text.count, !(isScalar && isDelimiter(text[position])) { position += 1 }
      if holdsSecretName(start, position) { position = text.count }
      let scalar = slice(start, position)
      if scalar == "null" || scalar.isEmpty {
        output.append(contentsOf: scalar.buffer)
      } else {
        appendDigest(ofOther: scalar)
      }
    }
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    ScaledNumber.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      || byte == UInt8(ascii: "]")
  }

  /// A token's digest is that of its text, so that the masked line loads as the line did.
  private mutating func appendDigest(ofString content: ByteSlice, isClosed: Bool) {
    let quote: [UInt8] = [UInt8(ascii: "\"")]
    var secret = content
    var isLoadable = true
    var arena = TextArena()
    if content.buffer.contains(UInt8(ascii: "\\")), hasWholeEscapes(content) {
      let resolved = arena.unescape(content)
      secret = resolved.bytes
      isLoadable = resolved.replacementCount == 0
    }
    if let replay, secret.count > replay.textLimit, Secrets.digest(writtenAs: secret) == nil {
      isLoadable = false
    }
    guard isLoadable else { return appendDigest(ofOther: secret) }
    output += quote
    if !secret.isEmpty { Secrets.appendDigest(of: secret, to: &output) }
    if isClosed { output += quote }
  }

  /// A secret that is not a text that could be loaded.
  private mutating func appendDigest(ofOther secret: ByteSlice) {
    // Part of `extra`, which is not read again.
    let isPart = isJSON && replay == nil
    let (before, after) = isPart ? ("\"", "\"") : ("[\"", "\"]")
    output += Array(before.utf8)
    Secrets.appendDigest(of: secret, to: &output)
    output += Array(after.utf8)
  }

  // MARK: - Scanning

  private func slice(_ start: Int, _ end: Int) -> ByteSlice {
    ByteSlice(start: text.start + start, count: max(0, end - start))
  }

  /// Behind the closing quote of the string that opens at `start`, or the end of the text.
  private func endOfString(from start: Int) -> Int {
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

  /// Copies a string and returns what stands between its quotes.
  private mutating func copyString() -> ByteSlice {
    let end = endOfString(from: position)
    let name = slice(position + 1, end - 1)
    output.append(contentsOf: slice(position, end).buffer)
    position = end
    return name
  }

  private mutating func copyWhiteSpace() {
    while position < text.count, ByteSlice.isWhiteSpace(text[position]) {
      output.append(text[position])
      position += 1
    }
  }

  private mutating func skipContainer() {
    var depth = 0
    while position < text.count {
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

  // MARK: - Text that is not JSON

  /// True when what broken text shows as one value has run into the name of another secret, whose
  /// value would stay: then all that follows has to go.
  private func holdsSecretName(_ start: Int, _ end: Int) -> Bool {
    !isJSON && holdsBareName(start, end)
  }

  private func holdsBareName(_ start: Int, _ end: Int) -> Bool {
    start < end && (start..<end).contains { secretNameLength(at: $0) != nil }
  }

  private mutating func copyMaskingAfterBareNames() {
    while position < text.count {
      guard let nameLength = secretNameLength(at: position) else {
        output.append(text[position])
        position += 1
        continue
      }
      let start = position
      position += nameLength.inBytes
      let connectors = position
      let quote = skipConnectors()
      // "purchaseTokenType" is another name, and valid JSON talks of a token without giving one.
      let isGiven =
        isJSON
        ? isConnectorEscaped
          || slice(connectors, position).buffer.contains { ":=".utf8.contains($0) }
        : position > connectors || !nameLength.isPlain
      if !isGiven { position = connectors }
      output.append(contentsOf: slice(start, position).buffer)
      if !isGiven { continue }
      let masked = slice(position, min(position + Secrets.refusedDigestLength, text.count))
      if Secrets.refusedDigest(masked) != nil {
        output.append(contentsOf: masked.buffer)
        position += masked.count
        continue
      }
      // Where the value ends would have to be found among escapes too.
      let isWritten = (nameLength.isPlain || isJSON) && !isConnectorEscaped
      var end = isWritten ? endOfSecret(quote) : text.count
      if holdsBareName(position, end) { end = text.count }
      let secret = slice(position, end)
      if !secret.isEmpty { Secrets.appendDigest(of: secret, to: &output) }
      position += secret.count
    }
  }

  /// The length of the secret name at `start`, if there is one.
  ///
  /// UTF-16 and UTF-32 spread a name with NULs, and escapes can stand for its letters; what follows
  /// such a name is not taken apart.
  private func secretNameLength(at start: Int) -> (inBytes: Int, isPlain: Bool)? {
    for name in Secrets.names {
      let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      var index = start
      var matched = 0
      while matched < letters.count, let length = length(of: letters[matched], at: index) {
        index += length
        matched += 1
        while matched < letters.count, index < text.count, text[index] == 0 {
          index += 1
        }
      }
      if matched == letters.count { return (index - start, index - start == letters.count) }
    }
    return nil
  }

  /// How many bytes a letter takes at `index`, itself or as an escape; nil when another is there.
  private func length(of letter: UInt8, at index: Int) -> Int? {
    guard index < text.count else { return nil }
    if text[index] == letter { return 1 }
    guard text[index] == UInt8(ascii: "\\") else { return nil }
    // Text that is quoted within quoted text has more than one backslash; 16 are five levels.
    var digits = index + 1
    while digits < text.count, digits < index + 16, text[digits] == UInt8(ascii: "\\") {
      digits += 1
    }
    guard digits + 5 <= text.count, text[digits] == UInt8(ascii: "u") else { return nil }
    return unicodeEscape(text, at: digits - 1).scalar == letter ? digits + 5 - index : nil
  }

  /// Moves from behind a name to its value, past the quote that opens that.
  ///
  /// - Returns: that quote, and the number of backslashes before it: more than none where text is
  ///   quoted within quoted text.
  private mutating func skipConnectors() -> (mark: UInt8, backslashes: Int)? {
    isConnectorEscaped = false
    isNameQuoted = skipQuote() != nil
    while position < text.count {
      if ByteSlice.isWhiteSpace(text[position]) || ":=>".utf8.contains(text[position]) {
        position += 1
      } else if let end = endOfEscapedWhiteSpace() {
        position = end
      } else if let end = endOfEscapedConnector() {
        position = end
        isConnectorEscaped = true
      } else {
        break
      }
    }
    return skipQuote()
  }

  /// Behind a tab or line break that stands here as an escape; nil when there is none.
  ///
  /// JSON within a string has its white space so, after more than one backslash when quoted twice.
  private func endOfEscapedWhiteSpace() -> Int? {
    var index = position
    while index < text.count, text[index] == UInt8(ascii: "\\") { index += 1 }
    guard index > position, index < text.count, "nrt".utf8.contains(text[index]) else { return nil }
    return index + 1
  }

  /// Behind a connector or quote that stands here as a `\u` escape; nil when there is none.
  ///
  /// Writers that mean to be safe within HTML escape more than JSON asks for: `=` among it.
  private func endOfEscapedConnector() -> Int? {
    [UInt8](":=>\"'` ".utf8).lazy.compactMap { connector in
      length(of: connector, at: position).flatMap { $0 > 1 ? position + $0 : nil }
    }.first
  }

  private mutating func skipQuote() -> (mark: UInt8, backslashes: Int)? {
    var index = position
    while index < text.count, text[index] == UInt8(ascii: "\\") { index += 1 }
    guard index < text.count, Self.isQuote(text[index]) else { return nil }
    defer { position = index + 1 }
    return (text[index], index - position)
  }

  private func endOfSecret(_ quote: (mark: UInt8, backslashes: Int)?) -> Int {
    guard let quote else {
      guard position < text.count, !"[{(".utf8.contains(text[position]) else { return text.count }
      guard var end = (position..<text.count).first(where: { isBareEnd(text[$0]) }) else {
        return text.count
      }
      // What stands between a name and a quote may be a damaged colon, and no value.
      if !isJSON, isNameQuoted, Self.isQuote(text[end]) { return text.count }
      // A quote keeps its backslashes, or it would end the string that it stands in.
      if Self.isQuote(text[end]) {
        while end > position, text[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      }
      return end
    }
    var backslashes = 0
    for index in position..<text.count {
      if text[index] == quote.mark, backslashes <= quote.backslashes { return index - backslashes }
      backslashes = text[index] == UInt8(ascii: "\\") ? backslashes + 1 : 0
    }
    return text.count
  }

  private static func isQuote(_ byte: UInt8) -> Bool { "\"'`".utf8.contains(byte) }

  private func isBareEnd(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || Self.isQuote(byte) || ",;&}])".utf8.contains(byte)
  }
}
