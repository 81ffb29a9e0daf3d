/// A text that is copied from its beginning to its end, but for the secrets in it.
///
/// It follows strings without recursion, and goes on in broken text: where a string does not end, the
/// text does.
struct MaskingCursor {
  let text: ByteSlice
  /// All before it is copied, or replaced.
  var position = 0
  var output: [UInt8] = []

  /// How a secret is written that is no text which could be loaded.
  enum RefusedForm {
    /// A string, for what is not read again.
    case string
    /// An array of that string: it is refused as the secret was.
    case array
  }

  init(_ text: ByteSlice) {
    self.text = text
    output.reserveCapacity(text.count + 128)
  }

  var isAtEnd: Bool { position >= text.count }

  func isAt(_ character: Unicode.Scalar) -> Bool {
    position < text.count && text[position] == UInt8(ascii: character)
  }

  func slice(_ start: Int, _ end: Int) -> ByteSlice {
    ByteSlice(start: text.start + start, count: max(0, end - start))
  }

  /// Behind the closing quote of the string that opens at `start`, or the end of the text.
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

  // MARK: - Copying

  mutating func copyByte() {
    output.append(text[position])
    position += 1
  }

  mutating func copy(to end: Int) {
    output.append(contentsOf: slice(position, end).buffer)
    position = end
  }

  mutating func copyWhiteSpace() {
    while !isAtEnd, ByteSlice.isWhiteSpace(text[position]) { copyByte() }
  }

  /// Copies a string and the white space behind it, and returns what stands between its quotes.
  mutating func copyString() -> ByteSlice {
    let (start, end) = (position + 1, endOfString(from: position))
    copy(to: end)
    copyWhiteSpace()
    return slice(start, end - 1)
  }

  /// The digest at this place that stands for a secret which was refused before, and its length.
  var refusedDigest: (digest: ByteSlice, length: Int)? {
    let masked = slice(position, min(position + Secrets.refusedDigestLength, text.count))
    return Secrets.refusedDigest(masked).map { ($0, masked.count) }
  }

  // MARK: - Replacing

  /// A token's digest is that of its text, so that the masked line loads as the line did.
  ///
  /// - Parameters:
  ///   - textLimit: a longer secret is refused.
  ///   - form: for a secret that is refused.
  mutating func appendDigest(
    ofString content: ByteSlice, isClosed: Bool = true, textLimit: Int = .max,
    refusedAs form: RefusedForm
  ) {
    var secret = content
    var isLoadable = true
    var arena = TextArena()
    if content.buffer.contains(UInt8(ascii: "\\")), content.hasWholeEscapes {
      let resolved = arena.unescape(content)
      secret = resolved.bytes
      isLoadable = resolved.replacementCount == 0
    }
    if secret.count > textLimit, Secrets.digest(writtenAs: secret) == nil { isLoadable = false }
    guard isLoadable else { return appendDigest(of: secret, as: form) }
    output.append(UInt8(ascii: "\""))
    if !secret.isEmpty { Secrets.appendDigest(of: secret, to: &output) }
    if isClosed { output.append(UInt8(ascii: "\"")) }
  }

  mutating func appendDigest(of secret: ByteSlice, as form: RefusedForm) {
    let (before, after) = form == .string ? ("\"", "\"") : ("[\"", "\"]")
    output += Array(before.utf8)
    Secrets.appendDigest(of: secret, to: &output)
    output += Array(after.utf8)
  }

  // MARK: - Bytes

  static func isSecret(_ name: ByteSlice) -> Bool {
    if Secrets.isSecret(name) { return true }
    return name.buffer.contains(UInt8(ascii: "\\")) && name.hasWholeEscapes
      && Secrets.isSecretEscaped(name)
  }

  /// True for what ends a number or a word of JSON.
  static func isDelimiter(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || ",}]".utf8.contains(byte)
  }
}

extension ByteSlice {
  /// Broken text can hold escapes that end too early: those name nothing.
  fileprivate var hasWholeEscapes: Bool {
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
