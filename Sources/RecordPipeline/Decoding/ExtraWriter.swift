/// Collects the members without a column into one JSON object, in the order of the line.
///
/// Names and values are kept byte for byte, with two exceptions: secrets become their digests, and
/// escapes of NUL and of unpaired surrogates become U+FFFD, because PostgreSQL cannot store them.
struct ExtraWriter {
  /// The object without its closing brace, which `finish` adds; empty without members.
  private(set) var bytes: [UInt8] = []
  /// True when an escape was replaced.
  private(set) var isRepaired = false
  /// True for a stream that reads JSON within strings: tokens in it are digested like other tokens,
  /// and not as text.
  var masksNestedJSON = false

  mutating func reset() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1024 * 1024)
    isRepaired = false
  }

  /// Closes the object.
  ///
  /// - Returns: false when there are no members, and so no object.
  mutating func finish() -> Bool {
    if bytes.isEmpty { return false }
    bytes.append(UInt8(ascii: "}"))
    return true
  }

  mutating func append(_ member: ObjectMember) {
    let (key, isKeyEscaped, value) = (member.key, member.isKeyEscaped, member.value)
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    bytes.append(UInt8(ascii: "\""))
    append(key, isEscaped: isKeyEscaped)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))

    let isSecret = isKeyEscaped ? Secrets.isSecretEscaped(key) : Secrets.isSecret(key)
    switch value.kind {
    case .string where isSecret:
      appendSecret(value)
    case .string:
      bytes.append(UInt8(ascii: "\""))
      if value.text.contains("Token") || (value.isEscaped && value.text.contains("\\u")) {
        // Stores deliver receipts as JSON in a string, which can hold a token. Escapes can hide the
        // letters of the token's name.
        appendMasked(masked(stringBody: value.text), isEscaped: value.isEscaped)
      } else {
        append(value.text, isEscaped: value.isEscaped)
      }
      bytes.append(UInt8(ascii: "\""))
    case .null:
      bytes.append(contentsOf: value.text.buffer)
    case _ where isSecret:
      bytes.append(UInt8(ascii: "\""))
      Secrets.appendDigest(of: Secrets.refusedDigest(value.text) ?? value.text, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .array, .object:
      appendContainer(value)
    case .true, .false, .number:
      bytes.append(contentsOf: value.text.buffer)
    }
  }

  private mutating func appendSecret(_ value: RawValue) {
    bytes.append(UInt8(ascii: "\""))
    if value.isEscaped {
      var arena = TextArena()
      Secrets.appendDigest(of: arena.unescape(value.text).bytes, to: &bytes)
    } else if !value.text.isEmpty {
      Secrets.appendDigest(of: value.text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendContainer(_ value: RawValue) {
    // Every name of a secret ends in "Token", which escapes can hide.
    guard value.isEscaped || value.text.contains("Token") else {
      bytes.append(contentsOf: value.text.buffer)
      return
    }
    let masked =
      masksNestedJSON
      ? TokenMasking(form: .string).masked(json: value.text) ?? Array(value.text.buffer)
      : SecretMasking.masked(jsonAndItsStrings: value.text)
    appendMasked(masked, isEscaped: value.isEscaped)
  }

  private func masked(stringBody text: ByteSlice) -> [UInt8] {
    masksNestedJSON
      ? TokenMasking(form: .string).masked(stringBody: text) ?? Array(text.buffer)
      : SecretMasking.masked(stringBody: text)
  }

  private mutating func appendMasked(_ text: [UInt8], isEscaped: Bool) {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return }
      append(ByteSlice(start: start, count: text.count), isEscaped: isEscaped)
    }
  }

  /// Copies a text, but replaces the escapes of characters that PostgreSQL cannot store.
  private mutating func append(_ text: ByteSlice, isEscaped: Bool) {
    guard isEscaped else {
      bytes.append(contentsOf: text.buffer)
      return
    }
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        bytes.append(text[index])
        index += 1
        continue
      }
      let escape =
        text[index + 1] == UInt8(ascii: "u")
        ? unicodeEscape(text, at: index) : (scalar: 0, length: 2, isStorable: true)
      if escape.isStorable {
        let written = UnsafeBufferPointer(start: text.start + index, count: escape.length)
        bytes.append(contentsOf: written)
      } else {
        bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        isRepaired = true
      }
      index += escape.length
    }
  }
}
