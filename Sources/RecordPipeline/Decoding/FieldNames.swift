/// The slots of a field in a decoded line: one for each of its spellings.
package struct FieldSlots: Sendable, Equatable {
  /// Bit n is slot n.
  fileprivate(set) var slots: UInt64 = 0
  /// The slot of the field's first spelling, which messages use when the line does not give the
  /// field.
  var firstSlot: Int { slots.trailingZeroBitCount }

  func has(slot: Int) -> Bool { slots & (1 << UInt64(slot)) != 0 }

  /// True when one of the field's slots is among those given as bits.
  func isIn(_ given: UInt64) -> Bool { slots & given != 0 }
}

/// A hash table from the field names of a stream to their slots.
///
/// Each stream fills its table once, when the stream is declared. Decoding only looks names up.
package struct FieldNames: @unchecked Sendable {
  // `@unchecked Sendable` is safe, because the table does not change after its stream is declared.
  package private(set) var names: [String] = []
  /// Slots of fields without a column: the stream checks the value and keeps it in `extra`.
  private(set) var keptInExtra: UInt64 = 0
  /// Slots of fields that `--unwrap` also accepts in the envelope, beside the vendor's record.
  private(set) var envelope: UInt64 = 0
  /// The slot of the spelling that `addFallback` added; 0 without one.
  private(set) var fallbackSlots: UInt64 = 0
  /// The other spellings of its field.
  private(set) var fallbackField = FieldSlots()
  /// An open-addressing table.
  ///
  /// It is never freed, because a stream lives as long as the process.
  private let table: UnsafeMutablePointer<Entry>

  /// A stream has some thirty names, so 256 places leave the table mostly empty and keep look-ups
  /// short.
  private static let tableBits: UInt64 = 8
  private static let tableSize = 1 << Int(tableBits)

  /// A name as bytes, so that a comparison needs no String.
  private struct Entry {
    var start: UnsafePointer<UInt8>?
    var count = 0
    var ends = Ends()
    var slot = 0
  }

  /// The first and the last eight bytes of a name; for a shorter name, two numbers that contain all
  /// its bytes.
  ///
  /// Together with the length they identify every name of up to sixteen bytes.
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

    /// The name's place in the table.
    ///
    /// The hash needs no secret seed. Crafted names cannot slow a look-up down much in so small a
    /// table.
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

  /// Adds a field with all its spellings.
  ///
  /// - Parameters:
  ///   - isKeptInExtra: true for a field without a column.
  ///   - isInEnvelope: true for a field that `--unwrap` also accepts beside the record.
  mutating func add(
    _ spellings: [String], isKeptInExtra: Bool, isInEnvelope: Bool = false
  ) -> FieldSlots {
    precondition(names.count + spellings.count <= 64, "slots are the bits of a 64-bit word")
    var field = FieldSlots()
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

  /// A spelling that counts only on lines without a value in any other spelling of its field.
  ///
  /// On other lines it is an unknown name.
  mutating func addFallback(_ spelling: String, for field: inout FieldSlots) {
    precondition(fallbackSlots == 0 && names.count < 64, "a stream has at most one such spelling")
    let slot = names.count
    names.append(spelling)
    fallbackField = field
    fallbackSlots = 1 << UInt64(slot)
    field.slots |= fallbackSlots
    insert(spelling, slot: slot)
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

  func isFallback(_ name: ByteSlice) -> Bool {
    slot(of: name).map { fallbackSlots & (1 << UInt64($0)) != 0 } ?? false
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
