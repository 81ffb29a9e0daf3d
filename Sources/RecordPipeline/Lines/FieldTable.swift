/// The fields of a JSON object, and the slots of their names.
package struct FieldTable: @unchecked Sendable {
  // `@unchecked Sendable` is safe, because the bytes do not change once they are written. They are never
  // freed: a stream lives as long as the process.
  package private(set) var names: [String] = []
  private let bytes = UnsafeMutablePointer<ByteSlice>.allocate(capacity: 64)
  private(set) var fields: [Field] = []
  /// The slot of a spelling that counts only where the line has no other one of its field; 0 without one.
  private(set) var fallback: UInt64 = 0
  /// The other spellings of its field.
  var fallbackField: UInt64 {
    fields.reduce(0) { $1.slots & fallback != 0 ? $1.slots & ~fallback : $0 }
  }

  init(_ declarations: [DeclaredField]) {
    var columnCount = 0
    for declared in declarations {
      precondition(
        declared.columnNames.count == declared.kind.columns.count,
        "a name for each column of \(declared.kind)")
      let isRule = declared.kind == .anyOf
      var slots = isRule ? slots(ofFields: declared.spellings) : add(declared.spellings)
      if let spelling = declared.fallback {
        fallback = add([spelling])
        slots |= fallback
      }
      fields.append(
        Field(
          kind: declared.kind, isMandatory: declared.isMandatory, slots: slots,
          firstColumn: UInt8(columnCount)))
      columnCount += declared.columnNames.count
    }
  }

  /// The slots of the fields with these first spellings.
  func slots(ofFields names: [String]) -> UInt64 {
    fields.filter { $0.slots != 0 && names.contains(self.names[$0.firstSlot]) }
      .reduce(0) { $0 | $1.slots }
  }

  private mutating func add(_ spellings: [String]) -> UInt64 {
    var slots: UInt64 = 0
    for spelling in spellings {
      precondition(names.count < 64, "slots are the bits of a 64-bit word")
      precondition(!names.contains(spelling), "a name belongs to one field")
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: spelling.utf8.count)
      _ = copy.initialize(from: spelling.utf8)
      (bytes + names.count).initialize(to: ByteSlice(UnsafeBufferPointer(copy)))
      slots |= 1 << UInt64(names.count)
      names.append(spelling)
    }
    return slots
  }

  /// The first field of a kind; nil when there is none.
  func field(_ kind: Field.Kind) -> Field? { fields.first { $0.kind == kind } }

  /// The first field of a kind, which the table has.
  subscript(kind: Field.Kind) -> Field {
    guard let field = field(kind) else { preconditionFailure("no field is \(kind)") }
    return field
  }

  func spellings(of field: Field) -> [String] {
    names.indices.filter { field.slots & (1 << UInt64($0)) != 0 }.map { names[$0] }
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

  /// The slot of a name; nil for a name that is not known.
  func slot(of name: ByteSlice) -> Int? {
    names.indices.first { has(name, in: $0) }
  }
}

extension ByteSlice {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
