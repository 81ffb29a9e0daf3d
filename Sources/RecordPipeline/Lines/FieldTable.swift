/// The fields of a stream, and the slots of their names.
package struct FieldTable: @unchecked Sendable {
  // `@unchecked Sendable` is safe, because the memory does not change once it is written. It is never freed: a
  // stream lives as long as the process.
  package private(set) var names: [String] = []
  private let bytes = UnsafeMutablePointer<ByteSlice>.allocate(capacity: 64)
  private(set) var fields: [Field] = []
  /// The slots of the names that stand in the line itself, and of those in the data of an event.
  private(set) var (inLine, inData) = (UInt64(0), UInt64(0))

  init(_ declared: [Field]) {
    var columnCount = 0
    for var field in declared {
      field.firstColumn = UInt8(columnCount)
      columnCount += field.kind.columns.count
      let spellings = field.spellings.words
      if field.kind == .anyOf {
        field.slots = slots(ofFields: spellings.map(\.text))
      } else {
        for spelling in spellings { field.slots |= 1 << UInt64(add(spelling)) }
      }
      if field.isInData { inData |= field.slots } else { inLine |= field.slots }
      fields.append(field)
    }
  }

  private mutating func add(_ name: ByteSlice) -> Int {
    precondition(names.count < 64, "slots are the bits of a 64-bit word")
    precondition(!names.contains(name.text), "a name belongs to one field")
    (bytes + names.count).initialize(to: name)
    names.append(name.text)
    return names.count - 1
  }

  /// The slots of the fields with these first spellings.
  func slots(ofFields names: [String]) -> UInt64 {
    fields.filter { $0.slots != 0 && names.contains(self.names[$0.firstSlot]) }
      .reduce(0) { $0 | $1.slots }
  }

  /// The first field of a kind; nil when there is none.
  func field(_ kind: Field.Kind) -> Field? { fields.first { $0.kind == kind } }

  /// The first field of a kind, which the table has.
  subscript(kind: Field.Kind) -> Field {
    guard let field = field(kind) else { preconditionFailure("no field is \(kind)") }
    return field
  }

  func slots(of field: Field) -> [Int] {
    names.indices.filter { field.slots & (1 << UInt64($0)) != 0 }
  }

  /// True when a slot has a name.
  ///
  /// The first and the last eight bytes decide about most names without a call.
  @inline(__always)
  func has(_ name: ByteSlice, in slot: Int) -> Bool {
    let known = bytes[slot]
    guard known.count == name.count else { return false }
    guard name.count >= 8 else { return known == name }
    let last = name.count - 8
    return known.word(at: 0) == name.word(at: 0) && known.word(at: last) == name.word(at: last)
      && (name.count <= 16 || known == name)
  }

  /// The slot of a name among some slots; nil for a name that is none of theirs.
  func slot(of name: ByteSlice, among slots: UInt64) -> Int? {
    var rest = slots
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      if has(name, in: slot) { return slot }
      rest &= rest - 1
    }
    return nil
  }
}

extension StaticString {
  /// The words between blanks.
  var words: [ByteSlice] {
    ByteSlice(self).buffer.split(separator: UInt8(ascii: " ")).map {
      ByteSlice(UnsafeBufferPointer(rebasing: $0))
    }
  }
}

extension ByteSlice {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
