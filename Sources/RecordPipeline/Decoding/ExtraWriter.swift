/// Collects the members without a column into one JSON object, in the order of the line.
///
/// Names and values are kept byte for byte, with two exceptions: secrets become their digests, and
/// escapes of NUL and of unpaired surrogates become U+FFFD, because PostgreSQL cannot store them.
struct ExtraWriter {
  /// The object without its closing brace, which `finish` adds; empty without members.
  private(set) var bytes: [UInt8] = []
  /// True when an escape was replaced.
  private(set) var isRepaired = false
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

  /// Calls a function with the JSON object of all members, which it closes; with nil without members.
  mutating func withObject<Value>(_ use: (KeptText?) -> Value) -> Value {
    guard finish() else { return use(nil) }
    return bytes.withUnsafeBufferPointer { bytes in
      use(bytes.baseAddress.map { KeptText(masked: ByteSlice(start: $0, count: bytes.count)) })
    }
  }

  mutating func append(_ member: ObjectMember) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    append(stringBody: member.key, isEscaped: member.isKeyEscaped)
    bytes.append(UInt8(ascii: ":"))
    let value = member.value
    guard !Secrets.isWritten(member.key) else { return appendSecret(value) }
    switch value.kind {
    case .string: append(stringBody: value.text, isEscaped: value.isEscaped)
    case .array, .object:
      let masked = SecretMasking.masked(json: value.text)
      append(masked, or: value.text, isEscaped: value.isEscaped)
    case .null, .true, .false, .number: bytes.append(contentsOf: value.text.buffer)
    }
  }

  private mutating func append(stringBody body: ByteSlice, isEscaped: Bool) {
    bytes.append(UInt8(ascii: "\""))
    append(SecretMasking.masked(stringBody: body), or: body, isEscaped: isEscaped)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendSecret(_ value: RawValue) {
    if value.kind == .null { return bytes.append(contentsOf: value.text.buffer) }
    bytes.append(UInt8(ascii: "\""))
    if value.kind != .string {
      bytes += Secrets.writtenDigest(of: Secrets.refusedDigest(value.text) ?? value.text)
    } else if !value.text.isEmpty {
      var arena = TextArena()
      bytes += Secrets.writtenDigest(of: arena.unescape(value.text).bytes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the masked copy of a text; the text itself when it has no secret.
  private mutating func append(_ masked: [UInt8]?, or text: ByteSlice, isEscaped: Bool) {
    guard let masked else { return append(text, isEscaped: isEscaped) }
    masked.withUnsafeBufferPointer { masked in
      guard let start = masked.baseAddress else { return }
      append(ByteSlice(start: start, count: masked.count), isEscaped: isEscaped)
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

/// Writes one JSON value as `ExtraWriter` writes the value of a member.
struct JSONValueWriter {
  private var object = ExtraWriter()

  /// True when an escape was replaced.
  var isRepaired: Bool { object.isRepaired }

  /// - Returns: the value as JSON, valid as long as the strings of the line.
  mutating func text(of value: RawValue, in arena: inout TextArena) -> KeptText {
    object.append(ObjectMember(unnamed: value))
    // The object so far is the value after an empty name.
    return object.bytes.withUnsafeBufferPointer { bytes in
      KeptText(
        masked: arena.copy(UnsafeBufferPointer(rebasing: bytes["{\"\":".utf8.count...])))
    }
  }
}
