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
    if member.isLongAndUnclear { return appendDigests(of: member) }
    let (start, wasRepaired) = (bytes.count, isRepaired)
    bytes.append(UInt8(ascii: "\""))
    append(member.key, isEscaped: member.isKeyEscaped)
    bytes.append(contentsOf: "\":".utf8)
    append(member.value.written, isEscaped: member.value.isEscaped)
    guard Secrets.mayBeNamed(in: member.key) || Secrets.mayBeNamed(in: member.value.text) else {
      return
    }
    let kept = bytes[start...].withUnsafeBufferPointer { written in
      written.baseAddress.map { TokenMasking.kept(ByteSlice(start: $0, count: written.count)) }
    }
    switch kept {
    case .unchanged?, nil: break
    case .masked(let masked)?: bytes.replaceSubrange(start..., with: masked)
    case .nothing?:
      bytes.removeLast(bytes.count - start)
      isRepaired = wasRepaired
      appendDigests(of: member)
    }
  }

  private mutating func appendDigests(of member: ObjectMember) {
    let digests = member.digests
    if let name = digests.name {
      bytes += name
    } else {
      bytes.append(UInt8(ascii: "\""))
      append(member.key, isEscaped: member.isKeyEscaped)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ":"))
    bytes += digests.value
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
  private var mayNameToken: Bool { Secrets.mayBeNamed(in: key) }

  /// True for a long value that names a token in another form, of which no copy is made.
  fileprivate var isLongAndUnclear: Bool {
    guard value.text.count > Limits.rejectedLineBytes, !mayNameToken,
      case .nothing = TokenMasking.kept(value.written)
    else { return false }
    return true
  }

  /// True when the value is certainly longer than a limit once it is masked and repaired, which can halve it.
  func isLonger(than limit: Int) -> Bool {
    if mayNameToken { return false }
    switch TokenMasking.kept(value.written) {
    case .unchanged: return value.text.count >= 2 * limit
    case .masked(let masked): return masked.count >= 2 * limit
    case .nothing: return false
    }
  }

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
