/// Finds every secret in a JSON text, also in its names and strings at any depth, and in JSON that a
/// string holds.
struct JSONMasking {
  /// The form of the digest of a secret that the loader would refuse.
  enum RefusedForm {
    /// A JSON string, for text that is never replayed.
    case string
    /// A JSON array of that string, which a replay refuses as the load refused the secret.
    case array
  }

  /// The form of the digest of a secret that is not a string, or that the loader refuses.
  let refusedForm: RefusedForm
  /// The limit in bytes above which the loader refuses a secret.
  var textLimit = Int.max

  /// How many levels of strings within strings are read.
  ///
  /// Each level costs a pass over its text. A text below the last level is masked as a whole if it
  /// may hold a secret.
  static let stringLevels = 8

  func masked(json text: ByteSlice) -> [UInt8]? {
    masked(text, Secrets.mayBeNamed(in: text) ? edits(inJSON: text, level: 0) : [])
  }

  func masked(stringBody body: ByteSlice) -> [UInt8]? {
    masked(body, edits(inStringBody: body, level: 1))
  }

  func masked(text: ByteSlice) -> [UInt8]? {
    guard Secrets.mayBeNamed(in: text) else { return nil }
    return masked(text, edits(in: UnescapedString(text: text), level: 1))
  }

  private func masked(_ text: ByteSlice, _ edits: [Edit]) -> [UInt8]? {
    edits.isEmpty ? nil : text.applying(edits)
  }

  // MARK: - JSON

  /// - Parameter level: the number of strings around the text.
  private func edits(inJSON text: ByteSlice, level: Int) -> [Edit] {
    var edits: [Edit] = []
    var cursor = MaskingCursor(text)
    while !cursor.isAtEnd {
      guard cursor.isAt("\"") else {
        cursor.position += 1
        continue
      }
      let start = cursor.position
      let string = cursor.skipString()
      if cursor.isAt(":"), Secrets.isWritten(string) {
        cursor.position += 1
        cursor.skipWhiteSpace()
        if let edit = editOfValue(&cursor) { edits.append(edit) }
      } else {
        edits += self.edits(inStringBody: string, level: level + 1).map { $0.moved(by: start + 1) }
      }
    }
    return edits
  }

  /// The replacement of a secret's value; moves past the value.
  private func editOfValue(_ cursor: inout MaskingCursor) -> Edit? {
    let start = cursor.position
    if cursor.isAt("\"") {
      cursor.position = cursor.endOfString(from: start)
      let body = cursor.slice(start + 1, cursor.position - 1)
      // Only a text that is not JSON has an escape that is cut short.
      guard body.hasWholeEscapes else {
        return Edit(range: start..<cursor.position, bytes: digest(ofRefused: body))
      }
      var arena = TextArena()
      let secret = arena.unescape(body)
      guard !secret.bytes.isEmpty, Secrets.digest(writtenAs: secret.bytes) == nil else {
        return nil
      }
      let isRefused = secret.replacementCount > 0 || secret.bytes.count > textLimit
      if refusedForm == .array, isRefused {
        return Edit(range: start..<cursor.position, bytes: digest(ofRefused: secret.bytes))
      }
      return Edit(
        range: start + 1..<cursor.position - 1, bytes: Secrets.writtenDigest(of: secret.bytes))
    }
    if let (written, length) = cursor.refusedDigest {
      cursor.position += length
      return refusedForm == .array
        ? nil : Edit(range: start..<cursor.position, bytes: digest(ofRefused: written))
    }
    cursor.skipValue()
    let value = cursor.slice(start, cursor.position)
    if value == "null" || value.isEmpty { return nil }
    return Edit(range: start..<cursor.position, bytes: digest(ofRefused: value))
  }

  private func digest(ofRefused secret: ByteSlice) -> [UInt8] {
    Secrets.writtenDigest(of: secret, quotedAsArray: refusedForm == .array)
  }

  // MARK: - Strings

  private func edits(inStringBody body: ByteSlice, level: Int) -> [Edit] {
    guard Secrets.mayBeNamed(in: body) else { return [] }
    guard body.hasWholeEscapes else {
      var names = BareNameMasking(body, isValid: false)
      return names.edits()
    }
    let text = UnescapedString(body: body)
    return edits(in: text, level: level).map { text.escaped($0) }
  }

  private func edits(in text: UnescapedString, level: Int) -> [Edit] {
    text.withText { bytes in
      guard Secrets.mayBeNamed(in: bytes) else { return [] }
      if level > Self.stringLevels {
        return [Edit(range: 0..<bytes.count, bytes: Secrets.writtenDigest(of: bytes))]
      }
      if text.isJSON { return edits(inJSON: bytes, level: level) }
      var names = BareNameMasking(bytes, isValid: true)
      return names.edits()
    }
  }
}
