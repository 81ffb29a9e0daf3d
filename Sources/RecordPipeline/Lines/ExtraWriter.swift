/// Collects the members without a column into one JSON object, in the order of the line.
///
/// Names and values are kept byte for byte, with three exceptions: tokens become their digests, so does the value
/// of a member that names one in another form, and escapes of NUL and of unpaired surrogates become U+FFFD,
/// because PostgreSQL cannot store them.
struct ExtraWriter {
  /// The object without its closing brace, which `finish` adds; empty without members.
  private(set) var bytes: [UInt8] = []
  /// True when an escape was replaced.
  private(set) var isRepaired = false

  mutating func reset() {
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: bytes.capacity <= 1024 * 1024) }
    isRepaired = false
  }

  /// Forgets the members, but not that an escape was replaced.
  mutating func drop() { bytes.removeAll(keepingCapacity: true) }

  /// Calls a function with the JSON object of all members, which it closes; with nil without members.
  mutating func withObject<Value>(_ use: (KeptText?) -> Value) -> Value {
    if bytes.isEmpty { return use(nil) }
    bytes.append(UInt8(ascii: "}"))
    return bytes.withSlice { use(KeptText(masked: $0)) }
  }

  /// Appends a member.
  ///
  /// - Returns: false, without a change, when the value is certainly longer than the limit once it is masked
  ///   and repaired, which can halve it.
  mutating func append(_ member: ObjectMember, limit: Int) -> Bool {
    let mayNameToken = Secrets.mayBeNamed(in: member.key)
    if member.value.text.count / 2 >= limit, !mayNameToken {
      switch TokenMasking.kept(member.value.written) {
      case .unchanged: return false
      case .masked(let masked) where masked.count / 2 >= limit: return false
      case .masked: break
      case .nothing:
        appendDigests(of: member)
        return true
      }
    }
    appendSeparator()
    let (start, wasRepaired) = (bytes.count, isRepaired)
    appendKey(of: member)
    bytes.append(UInt8(ascii: ":"))
    append(member.value.written, isEscaped: member.value.isEscaped)
    guard mayNameToken || Secrets.mayBeNamed(in: member.value.text) else { return true }
    switch bytes[start...].withUnsafeBufferPointer({ TokenMasking.kept(ByteSlice($0)) }) {
    case .unchanged: break
    case .masked(let masked): bytes.replaceSubrange(start..., with: masked)
    case .nothing:
      // The separator, too.
      bytes.removeLast(bytes.count - start + 1)
      isRepaired = wasRepaired
      appendDigests(of: member)
    }
    return true
  }

  private mutating func appendDigests(of member: ObjectMember) {
    appendSeparator()
    let digests = member.digests
    if let name = digests.name { bytes += name } else { appendKey(of: member) }
    bytes.append(UInt8(ascii: ":"))
    bytes += digests.value
  }

  private mutating func appendSeparator() {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
  }

  private mutating func appendKey(of member: ObjectMember) {
    bytes.append(UInt8(ascii: "\""))
    append(member.key, isEscaped: member.isKeyEscaped)
    bytes.append(UInt8(ascii: "\""))
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
