/// A position in a text that is copied from start to end, with its secrets replaced.
///
/// It works without recursion, and on broken text, too: an unclosed string extends to the end of
/// the text.
struct MaskingCursor {
  let text: ByteSlice
  /// All bytes before it have been copied or replaced.
  var position = 0
  var output: [UInt8] = []

  /// The form of the digest of a secret that the loader would refuse.
  enum RefusedForm {
    /// A JSON string, for text that is never replayed.
    case string
    /// A JSON array of that string, which a replay refuses as the load refused the secret.
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

  /// Copies a string and the white space after it, and returns the text between the quotes.
  mutating func copyString() -> ByteSlice {
    let (start, end) = (position + 1, endOfString(from: position))
    copy(to: end)
    copyWhiteSpace()
    return slice(start, end - 1)
  }

  /// The digest at this position, if an earlier masking wrote it as an array; with the length of
  /// the array.
  var refusedDigest: (digest: ByteSlice, length: Int)? {
    let masked = slice(position, min(position + Secrets.refusedDigestLength, text.count))
    return Secrets.refusedDigest(masked).map { ($0, masked.count) }
  }

  // MARK: - Replacing

  /// Appends the digest of a string's text, with escapes resolved, so that the masked line loads
  /// like the original.
  ///
  /// - Parameters:
  ///   - textLimit: the limit in bytes above which the loader refuses a secret.
  ///   - form: the form of the digest if the loader refuses the secret.
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

  /// True for a byte that ends a JSON number or word.
  static func isDelimiter(_ byte: UInt8) -> Bool {
    ByteSlice.isWhiteSpace(byte) || ",}]".utf8.contains(byte)
  }
}

extension ByteSlice {
  /// False when an escape is cut short, as it can be in broken text.
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
