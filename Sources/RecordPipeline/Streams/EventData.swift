internal import SHA256

/// The data of an event message, or the message in it: an object, a string that holds one, or, for categories
/// that are not known, any JSON value.
struct EventData: Equatable {
  /// As written.
  let raw: RawValue
  /// The text of a string, with its escapes resolved; the JSON of any other value.
  let text: ByteSlice
  /// True for a value that may be an object, directly or as a string.
  let mayBeObject: Bool

  // An object and a string of the same bytes are the same value.
  static func == (left: Self, right: Self) -> Bool {
    left.text == right.text
      && (left.raw.kind == right.raw.kind || left.mayBeObject && right.mayBeObject)
  }

  init(_ raw: RawValue, in arena: inout TextArena) {
    self.raw = raw
    let json = arena.json(in: raw)
    text = json ?? arena.unescape(raw.text).bytes
    mayBeObject = json != nil && (raw.kind == .object || raw.kind == .string)
  }
}

extension DecodedLine {
  /// The number of an event message without an `eventId`: a digest of category, user and data.
  mutating func eventNumber(category: KeptText, user: KeptText?, data: EventData?) -> KeptText {
    let separator = CollectionOfOne(0 as UInt8)
    hash.update(category.bytes.buffer)
    hash.update(separator)
    if let user { hash.update(user.bytes.buffer) }
    hash.update(separator)
    if let data { hash.update(masked: data.text) }
    return KeptText(
      masked: Secrets.written(hash.finish().bytes).withUnsafeBufferPointer { arena.copy($0) })
  }
}

extension SHA256 {
  /// Adds the data of an event with digests in place of tokens, as its row has them.
  fileprivate func update(masked text: ByteSlice) {
    guard Secrets.mayBeNamed(in: text) else { return update(text.buffer) }
    func add(_ part: UnsafeBufferPointer<UInt8>) { update(part) }
    if TokenMasking.forEachPart(of: text, add) { return }
    do throws(Rejection) {
      var copied = 0
      try ObjectParser().forEachMember(of: text, maxDepth: Limits.anyNesting) {
        member throws(Rejection) in
        let start = member.key.start - 1 - text.start
        let value = member.value.written.start - text.start
        update(text.slice(copied..<start).buffer)
        copied = value + member.value.written.count
        if TokenMasking.forEachPart(of: text.slice(start..<copied), add) { return }
        let digests = member.digests
        let nameEnd = start + member.key.count + 2
        update(digests.name ?? Array(text.slice(start..<nameEnd).buffer))
        update(text.slice(nameEnd..<value).buffer)
        update(digests.value)
      }
      update(text.slice(copied..<text.count).buffer)
    } catch {
      update(Secrets.writtenDigest(of: text))
    }
  }
}
