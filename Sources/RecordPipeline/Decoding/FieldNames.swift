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
package struct FieldNames: @unchecked Sendable {
  // Safe to share: the table is filled before its stream is, and only read from then on.
  package private(set) var names: [String] = []
  package private(set) var descriptions: [FieldDescription] = []
  /// Slots whose value is checked by the stream and kept in `extra` as well.
  private(set) var keptInExtra: UInt64 = 0
  /// Slots that ride beside the vendor's record, which `--unwrap` takes from around it too.
  private(set) var carried: UInt64 = 0
  /// Where each name is found by its hash; made once and kept for ever, as streams are.
  private let table: UnsafeMutablePointer<Entry>

  /// A stream has some thirty names: eight places for each keep look-ups short.
  private static let tableBits: UInt64 = 8
  private static let tableSize = 1 << Int(tableBits)

  /// A name as bytes, for comparing without a String in between.
  private struct Entry {
    var start: UnsafePointer<UInt8>?
    var count = 0
    var ends = Ends()
    var slot = 0
  }

  /// The first and the last eight bytes of a name, or what stands for all of a shorter one: with the
  /// length it tells all names of up to sixteen bytes apart.
  private struct Ends: Equatable {
    var head: UInt64 = 0
    var tail: UInt64 = 0

    init() {}

    @inline(__always)
    init(_ name: ByteSlice) {
      let bytes = UnsafeRawPointer(name.start)
      switch name.count {
      case 8...:
        head = bytes.loadUnaligned(as: UInt64.self)
        tail = bytes.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
      case 4...:
        head = UInt64(bytes.loadUnaligned(as: UInt32.self))
        tail = UInt64(bytes.loadUnaligned(fromByteOffset: name.count - 4, as: UInt32.self))
      case 1...:
        head = UInt64(name[0]) << 8 | UInt64(name[name.count / 2])
        tail = UInt64(name[name.count - 1])
      default: break
      }
    }

    /// Thirty names are told apart well enough by it; there is no adversary who could gain from a
    /// slow look-up in so small a table.
    @inline(__always)
    var place: Int {
      let product = (head ^ tail << 1) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: product >> (64 - FieldNames.tableBits))
    }
  }

  package init() {
    table = .allocate(capacity: Self.tableSize)
    table.initialize(repeating: Entry(), count: Self.tableSize)
  }

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
      insert(spelling, slot: slot)
    }
    if columns == ["extra"] { keptInExtra |= slots }
    if isCarried { carried |= slots }
    let field = Field(slots: slots, firstSlot: names.count - spellings.count)
    descriptions.append(
      FieldDescription(field: field, rule: rule, columns: columns, judgedBy: judgedBy))
    return field
  }

  private func insert(_ spelling: String, slot: Int) {
    let count = spelling.utf8.count
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, count))
    for (index, byte) in spelling.utf8.enumerated() { bytes[index] = byte }
    let name = ByteSlice(start: bytes, count: count)
    let ends = Ends(name)
    var place = ends.place
    while let start = table[place].start {
      precondition(
        ByteSlice(start: start, count: table[place].count) != name, "a name belongs to one field")
      place = (place + 1) % Self.tableSize
    }
    table[place] = Entry(start: bytes, count: count, ends: ends, slot: slot)
  }

  /// The slot of a name; nil for a name that the stream does not know.
  @inline(__always)
  func slot(of name: ByteSlice) -> Int? {
    let ends = Ends(name)
    var place = ends.place
    while let start = table[place].start {
      if table[place].ends == ends, table[place].count == name.count,
        name.count <= 16 || ByteSlice(start: start, count: name.count) == name
      {
        return table[place].slot
      }
      place = (place + 1) % Self.tableSize
    }
    return nil
  }
}
