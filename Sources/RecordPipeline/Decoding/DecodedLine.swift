/// One line after decoding: the values that the stream knows, by slot, and all else in `extra`.
///
/// Reused from line to line; its values point into the line and are good until the next one.
package final class DecodedLine {
  let names: FieldNames
  package let rules: NormalizationRules
  private let slots: UnsafeMutablePointer<RawValue?>
  /// Bit n: slot n has a value.
  private(set) var present: UInt64 = 0
  /// Bit n: slot n is one that `extra` keeps, and it has it.
  private var keptInExtra: UInt64 = 0
  /// Later values of slots that already had one; nearly always empty.
  private(set) var repeats: [(slot: Int, value: RawValue)] = []
  var extra = ExtraWriter()
  /// Names that the stream does not know, escapes resolved.
  var unknownNames: [ByteSlice] = []
  /// The member with which `extra` came above the limit.
  var memberAboveLimit: ByteSlice?
  let arena = TextArena()
  /// True when a free text had to be repaired.
  package internal(set) var isTextRepaired = false

  init(names: FieldNames, rules: NormalizationRules) {
    self.names = names
    self.rules = rules
    slots = .allocate(capacity: max(1, names.names.count))
    slots.initialize(repeating: nil, count: max(1, names.names.count))
  }

  deinit { slots.deallocate() }

  func reset() {
    present = 0
    keptInExtra = 0
    if !repeats.isEmpty { repeats.removeAll() }
    extra.reset()
    unknownNames.removeAll(keepingCapacity: unknownNames.capacity <= 4096)
    memberAboveLimit = nil
    arena.reset()
    isTextRepaired = false
  }

  /// Takes a value in.
  func add(_ value: RawValue, slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot)
    guard present & bit == 0 else { return repeats.append((slot, value)) }
    present |= bit
    slots[slot] = value
  }

  /// True once, for the first value of a slot that `extra` keeps; repeats have to agree with it.
  func isFirstKeptInExtra(_ slot: Int) -> Bool {
    let bit = names.keptInExtra & ~keptInExtra & (1 << UInt64(slot))
    keptInExtra |= bit
    return bit != 0
  }

  /// The value of a field, normalized, from whichever spelling the line uses.
  ///
  /// Where the line gives the field more than once, all values must come out the same; an absent
  /// one (`null`, or what `normalize` calls nil) beside another does not count.
  ///
  /// - Throws: `Rejection` with the spelling at fault.
  @inline(__always)
  package func value<Value: Equatable>(
    _ field: Field, _ normalize: (RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? {
    let given = present & field.slots
    if given == 0 { return nil }
    let slot = given.trailingZeroBitCount
    if given & (given - 1) == 0, repeats.isEmpty, let value = slots[slot] {
      do { return try normalize(value) } catch { throw Rejection(error, field: names.names[slot]) }
    }
    return try agreedValue(field, normalize)
  }

  /// As `value`, for a field that must be there.
  @inline(__always)
  package func required<Value: Equatable>(
    _ field: Field, _ normalize: (RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value {
    if let value = try value(field, normalize) { return value }
    let name = spelling(of: field)
    throw Rejection(
      .missingField, field: name, "\(name) is mandatory and is absent, null or empty")
  }

  /// The spelling by which the line gives a field; the field's own name when it does not.
  package func spelling(of field: Field) -> String {
    let given = present & field.slots
    return names.names[given == 0 ? field.firstSlot : given.trailingZeroBitCount]
  }

  private func agreedValue<Value: Equatable>(
    _ field: Field, _ normalize: (RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? {
    var agreed: Value?
    var first = ""
    func take(_ raw: RawValue, _ name: String) throws(Rejection) {
      let value: Value?
      do { value = try normalize(raw) } catch { throw Rejection(error, field: name) }
      guard let value else { return }
      if let agreed, agreed != value {
        throw Rejection(
          .ambiguousField, field: name,
          first == name
            ? "\(name) occurs twice with different values"
            : "\(name) and \(first) are two spellings of one field and disagree")
      }
      if agreed == nil {
        agreed = value
        first = name
      }
    }
    for slot in names.names.indices where present & field.slots & (1 << UInt64(slot)) != 0 {
      if let raw = slots[slot] { try take(raw, names.names[slot]) }
    }
    for (slot, raw) in repeats where field.slots & (1 << UInt64(slot)) != 0 {
      try take(raw, names.names[slot])
    }
    return agreed
  }

  // MARK: - For explanations

  /// A field's spellings on this line, each with its JSON as written.
  func given(_ field: Field) -> [(name: String, source: String)] {
    var given: [(String, String)] = []
    for slot in names.names.indices where present & field.slots & (1 << UInt64(slot)) != 0 {
      if let raw = slots[slot] { given.append((names.names[slot], raw.source)) }
    }
    for (slot, raw) in repeats where field.has(slot: slot) {
      given.append((names.names[slot], raw.source))
    }
    return given
  }

  /// Takes one spelling of a field away.
  func remove(spelling: String) {
    guard let slot = names.names.firstIndex(of: spelling) else { return }
    present &= ~(1 << UInt64(slot))
    repeats.removeAll { $0.slot == slot }
  }

  /// Puts a value that passes in a field's place; nil takes the field away.
  func replace(_ field: Field, with sample: StaticString?) {
    present &= ~field.slots
    repeats.removeAll { field.has(slot: $0.slot) }
    guard let sample else { return }
    let text = ByteSlice(start: sample.utf8Start, count: sample.utf8CodeUnitCount)
    let isString = text[0] == UInt8(ascii: "\"")
    let body = isString ? ByteSlice(start: text.start + 1, count: text.count - 2) : text
    slots[field.firstSlot] = RawValue(
      text: body, kind: isString ? .string : .number, isEscaped: false)
    present |= 1 << UInt64(field.firstSlot)
  }
}
