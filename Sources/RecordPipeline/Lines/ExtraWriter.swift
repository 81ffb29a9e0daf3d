/// Collects the members without a column into one JSON object, in the order of the line.
///
/// Names and values are kept byte for byte, but tokens become their digests, so does the value of a member that
/// names one in another form, and escapes of characters that PostgreSQL cannot store become U+FFFD.
struct ExtraWriter {
  /// The object without its closing brace, which `finish` adds; empty without members.
  private(set) var bytes: [UInt8] = []
  /// True when an escape was replaced.
  private(set) var isRepaired = false
  /// True once the object, which lacks the rest of its members then, has reached the limit.
  private(set) var isAboveLimit = false

  mutating func reset() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: bytes.capacity <= 1024 * 1024) }
    (isRepaired, isAboveLimit) = (false, false)
  }

  /// Forgets the members, but not that an escape was replaced.
  mutating func drop() { bytes.removeAll(keepingCapacity: true) }

  /// Calls a function with the JSON object of all members, which it closes; with nil without members.
  mutating func withObject<Value>(_ use: (KeptText?) -> Value) -> Value {
    if bytes.isEmpty { return use(nil) }
    bytes.append(UInt8(ascii: "}"))
    return bytes.withSlice { use(KeptText(masked: $0)) }
  }

  /// Appends a member, unless its value without a token is longer than the limit once it is repaired, which can halve
  /// it.
  mutating func append(_ member: ObjectMember, limit: Int) {
    // The closing brace is still missing.
    defer { if bytes.count >= limit { isAboveLimit = true } }
    let mayNameToken =
      Secrets.mayBeNamed(in: member.key) || Secrets.mayBeNamed(in: member.value.text)
    if !mayNameToken, member.value.text.count / 2 >= limit { return isAboveLimit = true }
    let (start, wasRepaired) = (bytes.count, isRepaired)
    appendKey(of: member)
    append(member.value.written, isEscaped: member.value.isEscaped)
    guard mayNameToken else { return }
    // Behind the separator.
    let own = start + 1
    switch bytes[own...].withUnsafeBufferPointer({ TokenMasking.kept(ByteSlice($0)) }) {
    case .unchanged: break
    case .masked(let masked): bytes.replaceSubrange(own..., with: masked)
    case .nothing:
      bytes.removeLast(bytes.count - start)
      isRepaired = wasRepaired
      let digests = member.digests
      appendKey(of: member, as: digests.name)
      bytes += digests.value
    }
  }

  /// Appends a separator, the name of a member or what stands for it, and a colon.
  private mutating func appendKey(of member: ObjectMember, as name: [UInt8]? = nil) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
    if let name {
      bytes += name
    } else {
      bytes.append(UInt8(ascii: "\""))
      append(member.key, isEscaped: member.isKeyEscaped)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ":"))
  }

  /// Copies a text, but replaces the escapes of characters that PostgreSQL cannot store.
  private mutating func append(_ text: ByteSlice, isEscaped: Bool) {
    var (index, copied) = (0, 0)
    while isEscaped, index < text.count {
      let isEscape = text[index] == UInt8(ascii: "\\") && index + 1 < text.count
      guard isEscape, text[index + 1] == UInt8(ascii: "u") else {
        index += isEscape ? 2 : 1
        continue
      }
      let (character, length) = unicodeEscape(text, at: index)
      if character == nil {
        bytes += text.slice(copied..<index).buffer
        bytes += UTF8.encodedReplacementCharacter
        copied = index + length
        isRepaired = true
      }
      index += length
    }
    bytes += text.slice(copied..<text.count).buffer
  }
}

extension ObjectMember {
  /// The JSON strings that stand for a member with a token in another form than a quoted value.
  ///
  /// The name is nil when it stays.
  var digests: (name: [UInt8]?, value: [UInt8]) {
    var name: [UInt8]?
    switch TokenMasking.kept(key, isName: true) {
    case .unchanged: break
    case .masked(let masked): name = [UInt8(ascii: "\"")] + masked + [UInt8(ascii: "\"")]
    case .nothing:
      var arena = TextArena()
      name = Secrets.quotedDigest(of: arena.unescape(key).bytes)
    }
    return (name, Secrets.quotedDigest(of: value.written))
  }
}
