/// Replaces every token in a JSON text by its digest, also in JSON that strings hold at any depth,
/// and leaves all other bytes as they are.
///
/// The key of an event depends on the bytes of its data. A masked copy of a line therefore differs
/// from the line in the characters of tokens only, so that the copy loads to the same key.
struct TokenMasking {
  /// The form of the digest of a token that is not a string, or that the loader refuses.
  let form: MaskingCursor.RefusedForm
  /// The limit in bytes above which the loader refuses a token.
  var textLimit = Int.max

  /// A replacement of some bytes of a text.
  fileprivate struct Edit {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  /// The masked copy of a valid JSON text; nil when the text has no token.
  func masked(json text: ByteSlice) -> [UInt8]? {
    Self.mayHoldToken(text) ? Self.apply(edits(inJSON: text), to: text) : nil
  }

  /// The masked copy of the body of a JSON string; nil when the string has no token.
  ///
  /// A string that holds JSON is masked as JSON, any other string as text.
  func masked(stringBody body: ByteSlice) -> [UInt8]? {
    Self.mayHoldToken(body) ? Self.apply(edits(inStringBody: body), to: body) : nil
  }

  /// Every name of a token ends in "Token", which escapes can hide.
  private static func mayHoldToken(_ text: ByteSlice) -> Bool {
    text.contains("Token") || text.contains("\\u")
  }

  // MARK: - JSON

  private func edits(inJSON text: ByteSlice) -> [Edit] {
    var edits: [Edit] = []
    var cursor = MaskingCursor(text)
    while !cursor.isAtEnd {
      guard cursor.isAt("\"") else {
        cursor.position += 1
        continue
      }
      let start = cursor.position
      let end = cursor.endOfString(from: start)
      let string = cursor.slice(start + 1, end - 1)
      cursor.position = end
      cursor.skipWhiteSpace()
      if !cursor.isAt(":") {
        edits += self.edits(inStringBody: string).map { $0.moved(by: start + 1) }
      } else if MaskingCursor.isSecret(string) {
        cursor.position += 1
        cursor.skipWhiteSpace()
        if let edit = editOfValue(&cursor) { edits.append(edit) }
      }
    }
    return edits
  }

  /// The replacement of a token's value, and moves past the value.
  private func editOfValue(_ cursor: inout MaskingCursor) -> Edit? {
    let start = cursor.position
    if cursor.isAt("\"") {
      cursor.position = cursor.endOfString(from: start)
      let body = cursor.slice(start + 1, cursor.position - 1)
      var arena = TextArena()
      let token = arena.unescape(body)
      let isWritten = Secrets.digest(writtenAs: token.bytes) != nil
      guard !token.bytes.isEmpty, !isWritten else { return nil }
      let isRefused = token.replacementCount > 0 || token.bytes.count > textLimit
      if form == .array, isRefused {
        return Edit(range: start..<cursor.position, bytes: digest(of: token.bytes))
      }
      var digest: [UInt8] = []
      Secrets.appendDigest(of: token.bytes, to: &digest)
      return Edit(range: start + 1..<cursor.position - 1, bytes: digest)
    }
    if let (written, length) = cursor.refusedDigest {
      cursor.position += length
      return form == .array
        ? nil : Edit(range: start..<cursor.position, bytes: digest(of: written))
    }
    cursor.skipValue()
    let value = cursor.slice(start, cursor.position)
    if value == "null" || value.isEmpty { return nil }
    return Edit(range: start..<cursor.position, bytes: digest(of: value))
  }

  private func digest(of token: ByteSlice) -> [UInt8] {
    let (before, after) = form == .string ? ("\"", "\"") : ("[\"", "\"]")
    var bytes = Array(before.utf8)
    Secrets.appendDigest(of: token, to: &bytes)
    return bytes + Array(after.utf8)
  }

  // MARK: - Strings

  private func edits(inStringBody body: ByteSlice) -> [Edit] {
    guard Self.mayHoldToken(body) else { return [] }
    let text = UnescapedString(body)
    let within = text.withJSON { edits(inJSON: $0) }
    guard let within else { return editsOfText(body) }
    return within.map { edit in
      Edit(
        range: text.offsets[edit.range.lowerBound]..<text.offsets[edit.range.upperBound],
        bytes: Self.escaped(edit.bytes))
    }
  }

  /// The replacement in a string that holds no JSON.
  private func editsOfText(_ body: ByteSlice) -> [Edit] {
    let masked = SecretMasking.masked(stringBody: body)
    let common = min(masked.count, body.count)
    guard !masked.elementsEqual(body.buffer) else { return [] }
    let start = (0..<common).first { masked[$0] != body[$0] } ?? common
    let rest = common - start
    let same =
      (0..<rest).first { masked[masked.count - 1 - $0] != body[body.count - 1 - $0] } ?? rest
    return [
      Edit(range: start..<body.count - same, bytes: Array(masked[start..<masked.count - same]))
    ]
  }

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        ? [UInt8(ascii: "\\"), byte] : [byte]
    }
  }

  /// - Parameter edits: in the order of the text, without overlaps.
  private static func apply(_ edits: [Edit], to text: ByteSlice) -> [UInt8]? {
    if edits.isEmpty { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count + 128)
    var position = 0
    for edit in edits {
      output.append(contentsOf: text.buffer[position..<edit.range.lowerBound])
      output.append(contentsOf: edit.bytes)
      position = edit.range.upperBound
    }
    output.append(contentsOf: text.buffer[position...])
    return output
  }
}

extension TokenMasking.Edit {
  fileprivate func moved(by distance: Int) -> Self {
    Self(range: range.lowerBound + distance..<range.upperBound + distance, bytes: bytes)
  }
}
