/// The spellings of a field: each has a slot of its own in a decoded line.
package struct Spellings: Sendable, Equatable {
  /// Bit n is slot n.
  fileprivate(set) var slots: UInt64 = 0
  /// The slot of the spelling that messages use when the line has none.
  var firstSlot: Int { slots.trailingZeroBitCount }

  func has(slot: Int) -> Bool { slots & (1 << UInt64(slot)) != 0 }
}

/// Every name that a stream knows, and the slot of each.
///
/// A stream fills it once, when the program starts; decoding only looks names up.
package struct FieldNames: @unchecked Sendable {
  // Safe to share: the table is filled before its stream is, and only read from then on.
  package private(set) var names: [String] = []
  /// Slots whose value is checked by the stream and kept in `extra` as well.
  private(set) var keptInExtra: UInt64 = 0
  /// Slots that ride beside the vendor's record, which `--unwrap` takes from around it too.
  private(set) var envelope: UInt64 = 0
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

  init() {
    table = .allocate(capacity: Self.tableSize)
    table.initialize(repeating: Entry(), count: Self.tableSize)
  }

  /// Adds a field with all its spellings and returns how to refer to it.
  ///
  /// - Parameters:
  ///   - isKeptInExtra: true for a field without a column.
  ///   - isInEnvelope: true for a field that may stand beside the record that `--unwrap` names.
  mutating func add(
    _ spellings: [String], isKeptInExtra: Bool, isInEnvelope: Bool = false
  ) -> Spellings {
    precondition(names.count + spellings.count <= 64, "slots are the bits of a 64-bit word")
    var field = Spellings()
    for spelling in spellings {
      let slot = names.count
      names.append(spelling)
      field.slots |= 1 << UInt64(slot)
      insert(spelling, slot: slot)
    }
    if isKeptInExtra { keptInExtra |= field.slots }
    if isInEnvelope { envelope |= field.slots }
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
