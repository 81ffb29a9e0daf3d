internal import SHA256

/// The data of an event message, or the message in it: an object or a string that holds one, and for categories
/// that are not known any JSON value.
struct EventData: Equatable {
  /// As written.
  let raw: RawValue
  /// The text of a string, with its escapes resolved; the JSON of any other value.
  let text: ByteSlice
  /// True for a value that may be an object, directly or as a string.
  private let mayBeObject: Bool

  // An object and a string of the same bytes are the same value.
  static func == (left: Self, right: Self) -> Bool {
    left.text == right.text
      && (left.raw.kind == right.raw.kind || left.mayBeObject && right.mayBeObject)
  }

  /// - Returns: nil for an absent value.
  init?(_ raw: RawValue, in arena: inout TextArena) {
    if raw.isAbsent { return nil }
    self.raw = raw
    let json = arena.json(in: raw)
    text = json ?? arena.unescape(raw.text).bytes
    mayBeObject = json != nil && (raw.kind == .object || raw.kind == .string)
  }

  /// The text, unless it cannot be an object.
  var object: ByteSlice {
    get throws(Rejection) {
      guard mayBeObject else { throw Self.isNoObject }
      return text
    }
  }

  static let isNoObject = Rejection(
    .invalidEventData, "it is neither a JSON object nor a string that holds exactly one")
}

extension DecodedLine {
  /// The number of an event message without an `eventId`: a digest of category, user and data.
  mutating func eventNumber(category: KeptText, user: KeptText?, data: EventData?) -> KeptText {
    hash.add(category.bytes)
    hash.add(ByteSlice("\0"))
    if let user { hash.add(user.bytes) }
    hash.add(ByteSlice("\0"))
    if let data { hash.add(masked: data.text) }
    return arena.written(hash.finish())
  }
}

extension SHA256 {
  fileprivate func add(_ text: ByteSlice) { update(UnsafeRawBufferPointer(text.buffer)) }

  /// Adds the data of an event with digests in place of tokens, as its row has them.
  fileprivate func add(masked text: ByteSlice) {
    guard Secrets.mayBeNamed(in: text) else { return add(text) }
    func addPart(_ part: UnsafeBufferPointer<UInt8>) { update(UnsafeRawBufferPointer(part)) }
    if TokenMasking.forEachPart(of: text, addPart) { return }
    do throws(Rejection) {
      var copied = 0
      try ObjectParser().forEachMember(of: text, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        let start = member.key.start - 1 - text.start
        let value = member.value.written.start - text.start
        add(text.slice(copied..<start))
        copied = value + member.value.written.count
        if TokenMasking.forEachPart(of: text.slice(start..<copied), addPart) { return }
        let digests = member.digests
        let nameEnd = start + member.key.count + 2
        update(digests.name ?? Array(text.slice(start..<nameEnd).buffer))
        add(text.slice(nameEnd..<value))
        update(digests.value)
      }
      add(text.slice(copied..<text.count))
    } catch {
      update(Secrets.writtenDigest(of: text))
    }
  }
}
