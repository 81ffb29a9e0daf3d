extension DecodedLine {
  /// Decodes a line of JSON, and notes when `extra` is too long.
  ///
  /// - Parameters:
  ///   - bytes: the line without its line break; `ObjectParser.padding` readable bytes must follow it.
  ///   - known: the slots whose names are known.
  ///   - replacement: a slot, and the object that `extra` gets in place of its value.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limits.
  mutating func decode(
    _ bytes: ByteSlice, knowing known: UInt64 = .max,
    replacing replacement: (slot: Int, object: RawValue)? = nil
  ) throws(Rejection) {
    self.replacement = replacement
    try decodeMembers(of: bytes, known)
    // A spelling that counts only without the others is no known name beside one of them.
    if present & table.fallback != 0, hasValue(table.fallbackField) {
      try decodeMembers(of: bytes, known & ~table.fallback)
    }
  }

  private mutating func decodeMembers(of bytes: ByteSlice, _ known: UInt64) throws(Rejection) {
    reset()
    keptSlots = checkedSlots | (replacement.map { 1 << UInt64($0.slot) } ?? 0)
    isAboveLimit = false
    memberCount = 0
    if record != nil { return try decodeEnvelope(bytes, known) }
    try parser.forEachMember(of: bytes, maxDepth: rules.limits.nesting) {
      member throws(Rejection) in
      take(member, known)
    }
  }

  /// Stores a member: as a value when its name is known, and in `extra` when it has no column.
  @inline(__always)
  private mutating func take(_ member: ObjectMember, _ known: UInt64) {
    let name = resolvedName(member)
    if let slot = slot(of: name), case let bit = UInt64(1) << UInt64(slot), known & bit != 0 {
      add(member.value, slot: slot)
      guard keptSlots & bit != 0, !member.value.isAbsent else { return }
      keptSlots &= ~bit
      var member = member
      if let replacement { member.value = replacement.object }
      return keep(member, name)
    }
    if !isAboveLimit { unknownNames.append(arena.kept(name, isName: true).bytes) }
    keep(member, name)
  }

  /// Adds a member to `extra`.
  private mutating func keep(_ member: ObjectMember, _ name: ByteSlice) {
    // A line above the limit is refused, so neither the rest of `extra` nor of the names is collected.
    if isAboveLimit { return }
    let limit = rules.limits.textBytes
    // `>=` because the closing brace is still missing.
    isAboveLimit = !extra.append(member, limit: limit) || extra.bytes.count >= limit
    guard isAboveLimit else { return }
    note(
      Rejection(
        .textTooLong, field: arena.kept(name, isName: true).bytes.text,
        "the members without a column have more than \(limit) bytes together"))
  }

  /// The slot of a member's name; nil for a name that the stream does not know.
  @inline(__always)
  private mutating func slot(of name: ByteSlice) -> Int? {
    let place = memberCount & 63
    memberCount += 1
    let usual = Int(usualSlots[place])
    if usual >= 0, table.has(name, in: usual) { return usual }
    let slot = table.slot(of: name)
    usualSlots[place] = Int8(slot ?? -1)
    return slot
  }

  /// The name of a member with its escapes resolved.
  @inline(__always)
  private mutating func resolvedName(_ member: ObjectMember) -> ByteSlice {
    member.isKeyEscaped ? arena.unescape(member.key).bytes : member.key
  }

  // MARK: - Envelopes

  /// Decodes an envelope, such as a line of a log export: one field holds the record, and a few fields beside
  /// it, such as the user, count as fields of the record.
  private mutating func decodeEnvelope(_ bytes: ByteSlice, _ known: UInt64) throws(Rejection) {
    guard let record else { return }
    var taken: ByteSlice?
    try parser.forEachMember(of: bytes, maxDepth: rules.limits.nesting) {
      member throws(Rejection) in
      guard resolvedName(member).buffer.elementsEqual(record.field) else {
        return take(member, record.carriers)
      }
      if member.value.isAbsent { return }
      let text = try recordText(member.value)
      if let taken {
        guard taken == text else {
          throw inRecord(.ambiguousField, "the record occurs twice and differs")
        }
        return
      }
      taken = text
      do throws(Rejection) {
        try record.parser.forEachMember(of: text, maxDepth: rules.limits.nesting) {
          member throws(Rejection) in take(member, known)
        }
      } catch {
        throw error.isOutOfMemory
          ? error : inRecord(error.code, error.reason.replacing("the line", with: "its text"))
      }
    }
    guard taken != nil else {
      throw inRecord(.missingField, "the line has no record there; --unwrap names the field")
    }
  }

  /// The JSON of a record.
  private mutating func recordText(_ value: RawValue) throws(Rejection) -> ByteSlice {
    guard value.kind == .object || value.kind == .string else {
      throw inRecord(
        .wrongType, "a record is an object, or the text of one, not \(value.kindName)")
    }
    guard let text = arena.json(in: value) else {
      throw inRecord(.invalidCharacter, "its text holds a NUL or an unpaired surrogate")
    }
    return text
  }

  private func inRecord(_ code: RejectCode, _ reason: String) -> Rejection {
    Rejection(code, field: rules.unwrapField, reason)
  }
}

extension TextArena {
  /// The JSON that a value is, or whose text it is; nil for a text with a character that PostgreSQL cannot
  /// store.
  mutating func json(in value: RawValue) -> ByteSlice? {
    guard value.kind == .string else { return value.text }
    let resolved = unescape(value.text, padding: ObjectParser.padding)
    return resolved.replacementCount == 0 ? resolved.bytes : nil
  }
}
