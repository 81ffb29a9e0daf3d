internal import Glibc
internal import SHA256

/// A decoded line: the values of known fields by slot, and all other members in `extra`.
///
/// One value is reused for all lines. Its contents point into the line and are valid until the next
/// line is decoded.
package struct DecodedLine: ~Copyable {
  let names: FieldNames
  package let rules: NormalizationRules
  var arena = TextArena()
  /// Kept for the digests of all lines.
  let hash = SHA256()
  private let slots: UnsafeMutablePointer<RawValue?>
  /// Bit n: slot n has a value.
  private(set) var present: UInt64 = 0
  /// Bit n: `extra` already has a value of slot n.
  private var keptInExtra: UInt64 = 0
  /// The second and later values of slots; nearly always empty.
  private(set) var repeats: [(slot: Int, value: RawValue)] = []
  private var hasRepeats = false
  /// The members without a column.
  var extra = ExtraWriter()
  /// Names that the stream does not know, with their escapes resolved.
  var unknownNames: [ByteSlice] = []
  /// The name of the member with which `extra` exceeded its limit; nil within the limit.
  var memberAboveLimit: KeptText?
  /// True when a free text had a NUL or an unpaired surrogate replaced.
  package internal(set) var isTextRepaired = false
  /// True when the line gives its own observation time.
  var hasObservedTime = false
  /// The decimal digits of the currency's minor unit; nil without a currency.
  ///
  /// A stream whose key has the currency writes it before the price, which needs this number.
  var minorUnit: Int?
  /// True when the line is decoded with the fallback spelling of a field.
  var usesFallback = false
  /// An object of the stream that outlives the line, such as decoders of JSON within a field.
  var companion: AnyObject?
  /// The record of another stream within the line; nil until the first such line.
  var embedded: EmbeddedRecord?
  /// True when an explanation encodes the line without the JSON within a field.
  var lacksData = false
  /// True once the process had no memory for JSON within a field.
  var lacksMemory = false

  init(names: FieldNames, rules: NormalizationRules) {
    self.names = names
    self.rules = rules
    slots = .allocate(capacity: max(1, names.names.count))
    slots.initialize(repeating: nil, count: max(1, names.names.count))
  }

  deinit { slots.deallocate() }

  mutating func reset() {
    present = 0
    keptInExtra = 0
    if hasRepeats {
      repeats.removeAll()
      hasRepeats = false
    }
    extra.reset()
    if !unknownNames.isEmpty {
      let isSmall = unknownNames.capacity <= 4096
      unknownNames.removeAll(keepingCapacity: isSmall)
    }
    memberAboveLimit = nil
    arena.reset()
    isTextRepaired = false
  }

  /// Stores a value in its slot, or as a repeat when the slot has one.
  @inline(__always)
  mutating func add(_ value: RawValue, slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot)
    guard present & bit == 0 else {
      repeats.append((slot, value))
      hasRepeats = true
      return
    }
    present |= bit
    slots[slot] = value
  }

  /// True for the first value of a slot that `extra` keeps.
  ///
  /// Repeats are not kept, because they must agree with the first value.
  mutating func isFirstKeptInExtra(_ slot: Int) -> Bool {
    let bit = names.keptInExtra & ~keptInExtra & (1 << UInt64(slot))
    keptInExtra |= bit
    return bit != 0
  }

  /// The normalized value of a field, in any of its spellings; nil when it is absent.
  ///
  /// If the line gives the field more than once, all values must normalize to the same one. Absent
  /// values, such as `null`, for which `normalize` returns nil, do not take part in the comparison.
  ///
  /// - Parameter normalize: gets the line as an argument, because a closure that captures the line
  ///   would cost a retain and a release for each field of each line.
  /// - Throws: `Rejection` with the spelling at fault.
  @inline(__always)
  package mutating func value<Value: Equatable>(
    _ field: FieldSlots, _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? {
    let given = present & field.slots
    if given == 0 { return nil }
    let slot = given.trailingZeroBitCount
    if given & (given - 1) == 0, !hasRepeats, let value = slots[slot] {
      do { return try normalize(&self, value) } catch { throw refusal(error, slot: slot) }
    }
    return try agreedValue(field, normalize)
  }

  @inline(never)
  private func refusal(_ problem: ValueProblem, slot: Int) -> Rejection {
    Rejection(problem, field: names.names[slot])
  }

  /// True when a spelling of the field has a value other than `null` and `""`.
  func hasValue(_ field: FieldSlots) -> Bool {
    for slot in names.names.indices where present & field.slots & (1 << UInt64(slot)) != 0 {
      if let raw = slots[slot], !raw.isAbsent { return true }
    }
    return repeats.contains { field.has(slot: $0.slot) && !$0.value.isAbsent }
  }

  /// Gives the field a value when it has none, as if the line had it in the first spelling.
  mutating func supply(_ text: ByteSlice, for field: FieldSlots) {
    if hasValue(field) { return }
    present |= 1 << UInt64(field.firstSlot)
    slots[field.firstSlot] = RawValue(text: text, kind: .string, isEscaped: false)
  }

  /// The value of a mandatory field; see `value`.
  @inline(__always)
  package mutating func required<Value: Equatable>(
    _ field: FieldSlots, _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value {
    if let value = try value(field, normalize) { return value }
    let name = spelling(of: field)
    throw Rejection(
      .missingField, field: name, "\(name) is mandatory and is absent, null or empty")
  }

  /// The spelling that the line uses for a field; the field's first spelling when it is absent.
  package func spelling(of field: FieldSlots) -> String {
    let given = present & field.slots
    return names.names[given == 0 ? field.firstSlot : given.trailingZeroBitCount]
  }

  private mutating func agreedValue<Value: Equatable>(
    _ field: FieldSlots, _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? {
    var agreed: Value?
    var first = ""
    func take(_ raw: RawValue, _ name: String) throws(Rejection) {
      let value: Value?
      do { value = try normalize(&self, raw) } catch { throw Rejection(error, field: name) }
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

  /// The spellings of a field on this line, each with its JSON as written.
  func occurrences(of field: FieldSlots) -> [(name: String, source: String)] {
    var occurrences: [(String, String)] = []
    for slot in names.names.indices where present & field.slots & (1 << UInt64(slot)) != 0 {
      let name = names.names[slot]
      if let raw = slots[slot] { occurrences.append((name, raw.source(named: name))) }
    }
    for (slot, raw) in repeats where field.has(slot: slot) {
      occurrences.append((names.names[slot], raw.source(named: names.names[slot])))
    }
    return occurrences
  }

  /// Removes the values of one spelling of a field.
  mutating func remove(spelling: String) {
    guard let slot = names.names.firstIndex(of: spelling) else { return }
    present &= ~(1 << UInt64(slot))
    repeats.removeAll { $0.slot == slot }
  }

  /// Replaces all values of a field by a valid one; nil removes the field.
  mutating func replace(_ field: FieldSlots, with sample: StaticString?) {
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

/// The record of another stream within a field of a line, and the row that it becomes.
package final class EmbeddedRecord {
  var decoder: LineDecoder
  /// The row of the record, without its common columns.
  var row = RowBuffer(capacity: 4096)
  /// False when the current line has no such record.
  var hasRow = false

  /// The name of the field, before the names of the record's members, such as `data.`.
  let prefix: [UInt8]

  init(names: FieldNames, rules: NormalizationRules, field: String) {
    prefix = Array("\(field).".utf8)
    decoder = LineDecoder(names: names, rules: rules)
  }
}

/// A line in memory of its own, such as a stored reject, with the padding that decoding needs.
package final class StoredLine {
  private let line: InputLine
  private let memory: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - bytes: the line without its line break.
  ///   - number: its line number in the file, from 1.
  package init(bytes: [UInt8], number: Int, byteOffset: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: bytes.count + LineDecoder.padding, alignment: 64)
    memset(memory, 0, bytes.count + LineDecoder.padding)
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { memcpy(memory, start, bytes.count) }
    }
    self.memory = memory
    let start = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
    line = InputLine(
      bytes: ByteSlice(start: start, count: bytes.count), number: number, byteOffset: byteOffset,
      byteCount: bytes.count, isTooLong: false, hasLineFeed: true)
  }

  deinit { memory.deallocate() }

  /// Calls a function with the line.
  ///
  /// The bytes of the line and the values decoded from it are valid until `body` returns.
  package func withLine<Value, Failure: Error>(
    _ body: (InputLine) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The pointers in the line do not keep its memory alive.
    defer { withExtendedLifetime(self) {} }
    return try body(line)
  }
}
