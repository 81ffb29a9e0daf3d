internal import SHA256

/// The data of an event message: an object, a string that holds one, or, for categories that are
/// not known, any JSON value.
struct EventData: Equatable, IndependentKind {
  static let summary = "JSON object, or a string of one; what it holds depends on the category"
  static let columns = [Column(.json, isPrivate: true)]

  /// As written.
  let raw: RawValue
  /// The text of a string, with its escapes resolved; the JSON of any other value.
  let text: ByteSlice
  /// False when a string holds a character that PostgreSQL cannot store.
  let isStorable: Bool

  // An object and a string with the same members are the same value.
  static func == (left: Self, right: Self) -> Bool {
    if left.text == right.text, left.raw.kind == right.raw.kind { return true }
    return left.mayBeObject && right.mayBeObject && ObjectMembers.areSame(left.text, right.text)
  }

  var isString: Bool { raw.kind == .string }
  private var isObject: Bool { raw.kind == .object }
  /// True for a value that may be an object, directly or as a string.
  var mayBeObject: Bool { isObject || (isString && isStorable) }

  static func normalize(_ line: inout DecodedLine, _ raw: RawValue) throws(ValueProblem) -> Self? {
    raw.isAbsent ? nil : EventData(raw, in: &line.arena)
  }

  init(_ raw: RawValue, in arena: inout TextArena) {
    self.raw = raw
    if raw.kind == .string {
      let resolved = arena.unescape(raw.text, padding: LineDecoder.padding)
      text = resolved.bytes
      isStorable = resolved.replacementCount == 0
    } else {
      text = raw.text
      isStorable = true
    }
  }

  static func write(_ value: Self?, of line: inout DecodedLine, to row: inout RowBuffer) {
    var json = JSONValueWriter()
    row.text(value.map { json.text(of: $0.raw, in: &line.arena) })
  }
}

/// The number of an event message: that of the line, else a digest of the message.
enum EventID: IndependentKind {
  static let summary = "identifier; a digest of the message by default"
  static let hasDefault = true

  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> KeptText? { try line.identifier(raw, isMandatory: false) }
}

/// The number of an event message without an `eventId`: a digest of category, user and data.
struct EventDigest {
  private let hash: SHA256

  /// - Parameters:
  ///   - user: as stored; nil when the message has none.
  ///   - data: nil when the message has none.
  ///   - hash: one that a caller keeps for many messages.
  init(category: KeptText, user: KeptText?, data: EventData?, hash: SHA256) {
    self.hash = hash
    add(category.bytes)
    add(Self.separator)
    if let user { add(user.bytes) }
    add(Self.separator)
    if let data { add(data) }
  }

  private static let separator: StaticString = "\u{0}"

  /// Adds the data with digests in place of tokens, as the row has them.
  private func add(_ data: EventData) {
    let text = data.text
    guard Secrets.mayBeNamed(in: text) else { return add(text) }
    if TokenMasking.forEachPart(of: text, add) { return }
    do throws(Rejection) {
      var copied = text.start
      func copy(upTo end: UnsafePointer<UInt8>) {
        add(ByteSlice(start: copied, count: end - copied))
      }
      try ObjectParser().forEachMember(of: text, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        let (name, value) = (member.key.start - 1, member.value.written)
        copy(upTo: name)
        copied = value.start + value.count
        let written = ByteSlice(start: name, count: copied - name)
        if TokenMasking.forEachPart(of: written, add) { return }
        let digests = member.digests
        let nameEnd = member.key.start + member.key.count + 1
        add(bytes: digests.name ?? Array(UnsafeBufferPointer(start: name, count: nameEnd - name)))
        add(ByteSlice(start: nameEnd, count: value.start - nameEnd))
        add(bytes: digests.value)
      }
      copy(upTo: text.start + text.count)
    } catch {
      add(bytes: Secrets.writtenDigest(of: text))
    }
  }

  private func add(bytes: [UInt8]) { bytes.withUnsafeBufferPointer(add) }

  private func add(_ text: ByteSlice) { add(text.buffer) }

  private func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    hash.update(UnsafeRawBufferPointer(bytes))
  }

  private func add(_ text: StaticString) {
    add(ByteSlice(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// `sha256:` and 64 hexadecimal digits.
  func write(to row: inout RowBuffer) {
    var text: (SIMD64<UInt8>, SIMD8<UInt8>) = (SIMD64(), SIMD8())
    var count = 0
    withUnsafeMutableBytes(of: &text) { text in
      for byte in "sha256:".utf8 {
        text[count] = byte
        count += 1
      }
      for byte in hash.finish().bytes {
        for digit in [byte >> 4, byte & 0xF] {
          text[count] = digit < 10 ? 0x30 + digit : 0x57 + digit
          count += 1
        }
      }
      let bytes = UnsafeBufferPointer(rebasing: text.bindMemory(to: UInt8.self)[..<count])
      if let start = bytes.baseAddress {
        row.text(KeptText(masked: ByteSlice(start: start, count: count)))
      }
    }
  }
}
