internal import CSimdjson

/// Decodes lines of JSON, one after another, into a `DecodedLine`.
package struct LineDecoder: ~Copyable {
  /// The number of readable bytes that must follow a line in memory.
  package static let padding = gbi_json_padding()

  package var line: DecodedLine
  private let parser = ObjectParser()
  /// The parser of the record within a line; nil without `--unwrap`.
  private let recordParser: ObjectParser?
  private let unwrapField: [UInt8]?
  private let limits: Limits

  package init(names: FieldNames, rules: NormalizationRules) {
    line = DecodedLine(names: names, rules: rules)
    limits = rules.limits
    unwrapField = rules.unwrapField.map { Array($0.utf8) }
    recordParser = unwrapField.map { _ in ObjectParser() }
  }

  /// True once a line was refused because the process had no memory for it.
  var ranOutOfMemory: Bool {
    parser.ranOutOfMemory || recordParser?.ranOutOfMemory ?? false || line.lacksMemory
  }

  /// Decodes a line into `line`.
  ///
  /// - Parameter bytes: the line without its line break; `padding` readable bytes must follow it.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limits.
  package mutating func decode(_ bytes: ByteSlice) throws(Rejection) {
    line.reset()
    if line.names.fallbackSlots != 0 { return try decodeWithFallback(bytes) }
    try decodeMembers(of: bytes, knownSlots: .max)
    try checkExtra()
  }

  /// Decodes an object with only some of the names.
  ///
  /// - Parameters:
  ///   - knownSlots: the slots whose names are known.
  ///   - replacedSlot: the slot of a member whose value `extra` gets in another form.
  ///   - replace: gets the values of that member, and returns the JSON for `extra`; nil: none.
  mutating func decode(
    _ bytes: ByteSlice, knownSlots: UInt64, replacing replacedSlot: Int? = nil,
    with replace: (RawValue) throws(Rejection) -> KeptText? = { (_) throws(Rejection) in nil }
  ) throws(Rejection) {
    line.reset()
    try parser.forEachMember(of: bytes, maxDepth: limits.nesting) { member throws(Rejection) in
      let name = resolvedName(member)
      guard let replacedSlot, line.names.slot(of: name) == replacedSlot else {
        return take(member, knownSlots: knownSlots)
      }
      guard let json = try replace(member.value), line.memberAboveLimit == nil else { return }
      line.extra.append(ObjectMember(member, object: json.bytes))
      if line.extra.bytes.count >= limits.textBytes {
        line.memberAboveLimit = line.arena.kept(name, isName: true)
      }
    }
  }

  @inline(__always)
  private mutating func decodeMembers(
    of bytes: ByteSlice, knownSlots: UInt64
  ) throws(Rejection) {
    if let recordParser, let unwrapField {
      try decodeEnvelope(bytes, of: unwrapField, with: recordParser, knownSlots: knownSlots)
    } else {
      try parser.forEachMember(of: bytes, maxDepth: limits.nesting) { member throws(Rejection) in
        take(member, knownSlots: knownSlots)
      }
    }
  }

  /// Decodes a line, and decodes it again with the fallback spelling of a field if it has no value
  /// in another spelling.
  @inline(never)
  private mutating func decodeWithFallback(_ bytes: ByteSlice) throws(Rejection) {
    line.usesFallback = false
    try decodeMembers(of: bytes, knownSlots: ~line.names.fallbackSlots)
    if !line.hasValue(line.names.fallbackField),
      line.unknownNames.contains(where: { line.names.isFallback($0) })
    {
      line.reset()
      line.usesFallback = true
      try decodeMembers(of: bytes, knownSlots: .max)
    }
    try checkExtra()
  }

  /// Stores a member: as a value when its name is known, and in `extra` when it has no column.
  ///
  /// - Parameter knownSlots: the slots whose names are known in this object.
  @inline(__always)
  private mutating func take(_ member: ObjectMember, knownSlots: UInt64) {
    let name = resolvedName(member)
    if let slot = line.names.slot(of: name), knownSlots & (1 << UInt64(slot)) != 0 {
      line.add(member.value, slot: slot)
      guard !member.value.isAbsent, line.isFirstKeptInExtra(slot) else { return }
    } else if line.memberAboveLimit == nil {
      line.unknownNames.append(line.arena.kept(name, isName: true).bytes)
    }
    // A line above the limit is refused, so neither the rest of `extra` nor of the names is collected.
    guard line.memberAboveLimit == nil else { return }
    if member.value.text.count >= 2 * limits.textBytes, member.isLonger(than: limits.textBytes) {
      line.memberAboveLimit = line.arena.kept(name, isName: true)
      return
    }
    line.extra.append(member)
    // `>=` because the closing brace is still missing.
    if line.extra.bytes.count >= limits.textBytes {
      line.memberAboveLimit = line.arena.kept(name, isName: true)
    }
  }

  /// The name of a member with its escapes resolved.
  @inline(__always)
  private mutating func resolvedName(_ member: ObjectMember) -> ByteSlice {
    member.isKeyEscaped ? line.arena.unescape(member.key).bytes : member.key
  }

  private func checkExtra() throws(Rejection) {
    guard let name = line.memberAboveLimit else { return }
    throw Rejection(
      .textTooLong, field: name.bytes.text,
      "the members without a column have more than \(limits.textBytes) bytes together")
  }

  // MARK: - Envelopes

  /// Decodes an envelope, such as a line of a log export.
  ///
  /// One field holds the record. A few fields beside it, such as the user, count as fields of the
  /// record.
  private mutating func decodeEnvelope(
    _ bytes: ByteSlice, of field: [UInt8], with recordParser: ObjectParser, knownSlots: UInt64
  ) throws(Rejection) {
    var record: ByteSlice?
    try parser.forEachMember(of: bytes, maxDepth: limits.nesting) { member throws(Rejection) in
      guard resolvedName(member).buffer.elementsEqual(field) else {
        return take(member, knownSlots: line.names.envelope)
      }
      guard let text = try recordText(member.value) else { return }
      if let record {
        guard ObjectMembers.areSame(record, text) else {
          throw inRecord(.ambiguousField, "the record occurs twice and differs")
        }
        return
      }
      record = text
      try decodeRecord(text, with: recordParser, knownSlots: knownSlots)
    }
    guard record != nil else {
      throw inRecord(.missingField, "the line has no record there; --unwrap names the field")
    }
  }

  /// The JSON of a record; nil when it is absent.
  private mutating func recordText(_ value: RawValue) throws(Rejection) -> ByteSlice? {
    if value.isAbsent { return nil }
    switch value.kind {
    case .object: return value.text
    case .string:
      let resolved = line.arena.unescape(value.text, padding: Self.padding)
      guard resolved.replacementCount == 0 else {
        throw inRecord(.invalidCharacter, "its text holds a NUL or an unpaired surrogate")
      }
      return resolved.bytes
    case .null, .true, .false, .number, .array:
      throw inRecord(
        .wrongType, "a record is an object, or the text of one, not \(value.kindName)")
    }
  }

  private mutating func decodeRecord(
    _ text: ByteSlice, with recordParser: ObjectParser, knownSlots: UInt64
  ) throws(Rejection) {
    do throws(Rejection) {
      try recordParser.forEachMember(of: text, maxDepth: limits.nesting) {
        member throws(Rejection) in take(member, knownSlots: knownSlots)
      }
    } catch {
      throw inRecord(error.code, error.reason.replacing("the line", with: "its text"))
    }
  }

  private func inRecord(_ code: RejectCode, _ reason: String) -> Rejection {
    Rejection(code, field: line.rules.unwrapField, reason)
  }
}
