/// A field of a stream: one meaning, under one or more vendor spellings.
///
/// Each spelling has a slot of its own in a decoded line; a field is the set of its slots.
package struct Field: Sendable {
  /// Bit n is slot n.
  let slots: UInt64
  /// The slot of the spelling that messages use when the line has none.
  let firstSlot: Int

  func has(slot: Int) -> Bool { slots & (1 << UInt64(slot)) != 0 }
}

/// What is known of a field apart from its spellings.
package struct FieldDescription: Sendable {
  let field: Field
  package let rule: FieldRule
  /// The columns that its value ends in; `extra` when it has none of its own.
  package let columns: [String]
  /// Fields whose values decide how this one is judged.
  let judgedBy: [Field]
}

/// Every name that a stream knows, and the slot of each.
///
/// A stream fills it once, when the program starts; decoding only looks names up.
package struct FieldNames: Sendable {
  package private(set) var names: [String] = []
  package private(set) var descriptions: [FieldDescription] = []
  /// Slots whose value is checked by the stream and kept in `extra` as well.
  private(set) var keptInExtra: UInt64 = 0
  /// Slots that ride beside the vendor's record, which `--unwrap` takes from around it too.
  private(set) var carried: UInt64 = 0
  private var table = [Int8](repeating: -1, count: Self.tableSize)

  /// A stream has some thirty names: four places for each keep look-ups short.
  private static let tableSize = 256

  package init() {}

  /// Adds a field with all its spellings and returns how to refer to it.
  ///
  /// - Parameters:
  ///   - rule: how the stream judges it.
  ///   - columns: where its value goes; `extra` keeps what has no column.
  ///   - judgedBy: fields whose values decide how this one is judged.
  ///   - isCarried: the vendor's record does not hold it; it rides beside it.
  package mutating func add(
    _ spellings: String..., as rule: FieldRule, into columns: [String], judgedBy: [Field] = [],
    isCarried: Bool = false
  ) -> Field {
    precondition(names.count + spellings.count <= 64, "slots are the bits of a 64-bit word")
    var slots: UInt64 = 0
    for spelling in spellings {
      let slot = names.count
      names.append(spelling)
      slots |= 1 << UInt64(slot)
      var place = spelling.utf8.withContiguousStorageIfAvailable(Self.place) ?? 0
      while table[place] >= 0 {
        precondition(names[Int(table[place])] != spelling, "a name belongs to one field")
        place = (place + 1) % Self.tableSize
      }
      table[place] = Int8(slot)
    }
    if columns == ["extra"] { keptInExtra |= slots }
    if isCarried { carried |= slots }
    let field = Field(slots: slots, firstSlot: names.count - spellings.count)
    descriptions.append(
      FieldDescription(field: field, rule: rule, columns: columns, judgedBy: judgedBy))
    return field
  }

  /// The slot of a name; nil for a name that the stream does not know.
  func slot(of name: ByteSlice) -> Int? {
    var place = Self.place(name.buffer)
    while table[place] >= 0 {
      let slot = Int(table[place])
      if Self.equal(names[slot], name) { return slot }
      place = (place + 1) % Self.tableSize
    }
    return nil
  }

  private static func equal(_ known: String, _ name: ByteSlice) -> Bool {
    known.utf8.withContiguousStorageIfAvailable { known in
      known.count == name.count
        && ByteSlice(start: known.baseAddress ?? name.start, count: known.count) == name
    } ?? false
  }

  /// FNV-1a: names are short, and there is no adversary who could gain from a slow look-up of a
  /// table with thirty entries.
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return Int(hash ^ hash >> 16)
  }

  private static func place(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    hash(bytes) % tableSize
  }
}
