extension DecodedLine {
  /// Decodes a line of JSON, and notes when `extra` is too long.
  ///
  /// - Parameter bytes: the line without its line break; `ObjectParser.padding` readable bytes must follow it.
  /// - Throws: `Rejection` when the bytes are not one JSON object within the limits.
  mutating func decode(_ bytes: ByteSlice) throws(Rejection) {
    try decodeMembers(of: bytes, stream.inLine)
    if present & oldCategory != 0, hasValue(stream[.eventCategory].slots & ~oldCategory) {
      try decodeMembers(of: bytes, stream.inLine & ~oldCategory)
    }
  }

  private mutating func decodeMembers(of bytes: ByteSlice, _ known: UInt64) throws(Rejection) {
    reset()
    keptSlots = checkedSlots
    memberCount = 0
    if record != nil { return try decodeEnvelope(bytes, known) }
    try parser.forEachMember(of: bytes, maxDepth: rules.limits.nesting) {
      member throws(Rejection) in
      take(member, known)
    }
  }

  /// Decodes an object within the line: members with a known name are values of the line, and all others go to
  /// `rest`.
  ///
  /// - Parameters:
  ///   - name: of the object, for the problem of a `rest` that is too long.
  ///   - known: the slots whose names are known; their values so far are forgotten.
  ///   - replacement: an object that `rest` gets in place of the value in a known slot.
  /// - Throws: `Rejection` as of a line; nothing of the object is kept then.
  mutating func decode(
    _ object: ByteSlice, called name: String, knowing known: UInt64, rest: inout ExtraWriter,
    replacing replacement: (slots: UInt64, object: RawValue)? = nil
  ) throws(Rejection) {
    clear(known)
    (keptSlots, self.replacement) = (replacement?.slots ?? 0, replacement?.object)
    rest.reset()
    swap(&extra, &rest)
    let (problemCount, nameCount) = (problems.count, unknownNames.count)
    defer {
      swap(&extra, &rest)
      unknownNames.removeLast(unknownNames.count - nameCount)
    }
    do throws(Rejection) {
      try parser.forEachMember(of: object, maxDepth: rules.limits.nesting) {
        member throws(Rejection) in
        take(member, known)
      }
      for place in problems.indices.dropFirst(problemCount) {
        problems[place] = problems[place].within(name)
      }
    } catch {
      clear(known)
      extra.reset()
      problems.removeLast(problems.count - problemCount)
      throw error
    }
  }

  /// Stores a member: as a value when its name is known, and in `extra` when it has no column.
  @inline(__always)
  private mutating func take(_ member: ObjectMember, _ known: UInt64) {
    let name = resolvedName(member)
    if let slot = slot(of: name, among: known) {
      let bit: UInt64 = 1 &<< UInt64(slot)
      add(member.value, slot: slot)
      guard keptSlots & bit != 0, !member.value.isAbsent else { return }
      keptSlots &= ~bit
      var member = member
      if let replacement { member.value = replacement }
      return keep(member, name)
    }
    if !extra.isAboveLimit { unknownNames.append(arena.kept(name, isName: true).bytes) }
    keep(member, name)
  }

  /// Adds a member to `extra`.
  private mutating func keep(_ member: ObjectMember, _ name: ByteSlice) {
    // A line above the limit is refused, so neither the rest of `extra` nor of the names is collected.
    if extra.isAboveLimit { return }
    let limit = rules.limits.textBytes
    extra.append(member, limit: limit)
    guard extra.isAboveLimit else { return }
    note(
      Rejection(
        .textTooLong, field: arena.kept(name, isName: true).bytes.text,
        "the members without a column have more than \(limit) bytes together"))
  }

  /// The slot of a member's name among some slots; nil for a name that is none of theirs.
  @inline(__always)
  private mutating func slot(of name: ByteSlice, among known: UInt64) -> Int? {
    let place = memberCount & 63
    memberCount += 1
    let usual = Int(usualSlots[place])
    if usual >= 0, known &>> UInt64(usual) & 1 == 1, stream.has(name, in: usual) { return usual }
    let slot = stream.slot(of: name, among: known)
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
      guard member.value.kind == .object || member.value.kind == .string else {
        throw inRecord(
          .wrongType, "a record is an object, or the text of one, not \(member.value.kindName)")
      }
      guard let text = arena.json(in: member.value) else {
        throw inRecord(.invalidCharacter, "its text holds a NUL or an unpaired surrogate")
      }
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
