internal import SHA256

/// A decoded line: the values of known fields by slot, all other members in `extra`, and the problems of both.
///
/// One value is reused for all lines. Its contents point into the line, and are valid until the next is decoded.
package struct DecodedLine: ~Copyable {
  let stream: RecordStream
  let rules: NormalizationRules
  var arena = TextArena()
  /// Kept for the digests of all lines.
  let hash = SHA256()
  /// The field of the record's time, which decides whether a currency is valid.
  let timeField: Field?
  /// The slots of the user and of the application; 0 without such a field.
  let userSlots, appSlots: UInt64
  /// The slots of an event's category but for its first spelling: they count only where that has no value.
  let oldCategory: UInt64
  /// A slot without a value holds one of an earlier line, or nothing.
  private let slots: UnsafeMutablePointer<RawValue>
  /// Bit n: slot n has a value, which can be `null` or an empty text.
  private(set) var present: UInt64 = 0
  /// The second and later values of slots; nearly always empty.
  private var repeats: [(slot: Int, value: RawValue)] = []
  /// The members without a column.
  var extra = ExtraWriter()
  /// Names that the stream does not know, with their escapes resolved.
  var unknownNames: [ByteSlice] = []
  /// True when a free text had a NUL or an unpaired surrogate replaced.
  var isTextRepaired = false
  /// The problems of the line, in the stream's order of fields; the reject records the first.
  var problems: [Rejection] = []
  /// Bit n: a value in slot n is refused, or the field of the slot is missing.
  private var refused: UInt64 = 0
  var facts = Facts()

  // The decoder of the members, which the extension in DecodedLine+Members.swift uses.
  let parser = ObjectParser()
  /// The name of the field with the record, the slots of the fields that may stand beside it, and the parser of the
  /// record; nil without `--unwrap`.
  let record: (field: [UInt8], carriers: UInt64, parser: ObjectParser)?
  /// The slots of fields without a column: the stream checks their values, and `extra` keeps them.
  let checkedSlots: UInt64
  /// The slot of the name that each member of the last line had, because most lines have the same members in the
  /// same order; -1: a name that is not known.
  var usualSlots = [Int8](repeating: -1, count: 64)
  var memberCount = 0
  /// The slots whose next value `extra` keeps; repeats are not kept, because they must agree with the first value.
  var keptSlots: UInt64 = 0
  /// The object that `extra` gets in place of the value in a kept slot.
  var replacement: RawValue?
  /// The slots of the push message within the data of an event.
  var inMessage: UInt64 = 0

  /// The values that decide about other fields, or about the line as a whole; nil when absent or refused.
  struct Facts {
    var user: KeptText?
    var app: KeptText?
    /// The time that the line gives to the record.
    var time: EpochMilliseconds?
    /// True once the field of the time was judged, which a field before it may need.
    var isTimeJudged = false
    /// Its place in `CurrencyTable.all`.
    var currency: Int?
    /// The flag that the type of the purchase implies.
    var impliedFlag: Field.Kind?
  }

  init(_ stream: RecordStream, rules: NormalizationRules) {
    self.stream = stream
    self.rules = rules
    timeField = stream.field(.time) ?? stream.field(.observation)
    userSlots = (stream.field(.user) ?? stream.field(.unstoredUser))?.slots ?? 0
    appSlots = stream.field(.application)?.slots ?? 0
    oldCategory = stream.field(.eventCategory).map { $0.slots & ($0.slots - 1) } ?? 0
    record = rules.unwrapField.map {
      (Array($0.utf8), stream.slots(ofFields: ["userId", "appId", "eventTime"]), ObjectParser())
    }
    checkedSlots = stream.fields.reduce(0) { $1.kind == .checkedTime ? $0 | $1.slots : $0 }
    slots = .allocate(capacity: stream.names.count)
  }

  deinit { slots.deallocate() }

  mutating func reset() {
    present = 0
    if !repeats.isEmpty { repeats.removeAll() }
    extra.reset()
    if !unknownNames.isEmpty {
      unknownNames.removeAll(keepingCapacity: unknownNames.capacity <= 4096)
    }
    if !problems.isEmpty { problems.removeAll() }
    refused = 0
    arena.reset()
    isTextRepaired = false
    facts = Facts()
  }

  /// Stores a value in its slot, or as a repeat when the slot has one.
  @inline(__always)
  mutating func add(_ value: RawValue, slot: Int) {
    let bit: UInt64 = 1 << UInt64(slot)
    guard present & bit == 0 else { return repeats.append((slot, value)) }
    present |= bit
    slots[slot] = value
  }

  /// Forgets the values in some slots.
  mutating func clear(_ slots: UInt64) {
    present &= ~slots
    if !repeats.isEmpty { repeats.removeAll { slots & (1 << UInt64($0.slot)) != 0 } }
  }

  /// Gives a field without a value this one, in its first spelling.
  mutating func supply(_ text: KeptText?, for field: UInt64) {
    guard let text, !hasValue(field) else { return }
    let slot = field.trailingZeroBitCount
    present |= 1 << UInt64(slot)
    slots[slot] = RawValue(text: text.bytes, kind: .string, isEscaped: false)
  }

  /// The normalized value of a field, in any of its spellings; nil when it is absent, or one of its values is refused.
  ///
  /// All values of the field must normalize to the same one, but for absent ones such as `null`, which are nil.
  ///
  /// - Parameter normalize: gets the line as an argument, because a closure that captures the line
  ///   would cost a retain and a release for each field of each line.
  @inline(__always)
  mutating func value<Value: Equatable>(
    of field: Field, _ normalize: (inout DecodedLine, RawValue) throws(Rejection) -> Value?
  ) -> Value? {
    let given = present & field.slots
    if given != 0 {
      let slot = given.trailingZeroBitCount
      guard given & (given - 1) == 0, repeats.isEmpty else {
        return agreedValue(of: field, normalize)
      }
      do throws(Rejection) {
        if let value = try normalize(&self, slots[slot]) { return value }
      } catch {
        note(error, slot: slot)
        return nil
      }
    }
    if field.isMandatory { noteMissing(field) }
    return nil
  }

  private mutating func agreedValue<Value: Equatable>(
    of field: Field, _ normalize: (inout DecodedLine, RawValue) throws(Rejection) -> Value?
  ) -> Value? {
    let problemCount = problems.count
    var agreed: (value: Value, name: String)?
    for (slot, raw) in occurrences(of: field.slots) {
      let name = stream.names[slot]
      do throws(Rejection) {
        guard let value = try normalize(&self, raw) else { continue }
        if let agreed, agreed.value != value {
          throw Rejection(
            .ambiguousField,
            agreed.name == name
              ? "\(name) occurs twice with different values"
              : "\(name) and \(agreed.name) are two spellings of one field and disagree")
        }
        agreed = agreed ?? (value, name)
      } catch {
        note(error, slot: slot)
      }
    }
    if problems.count > problemCount { return nil }
    if agreed == nil, field.isMandatory { noteMissing(field) }
    return agreed?.value
  }

  /// True when a spelling of the field has a value other than `null` and `""`.
  func hasValue(_ field: UInt64) -> Bool {
    var given = present & field
    while given != 0 {
      if !slots[given.trailingZeroBitCount].isAbsent { return true }
      given &= given - 1
    }
    return repeats.contains { field & (1 << UInt64($0.slot)) != 0 && !$0.value.isAbsent }
  }

  /// The values of a field on the line, by their slots.
  func occurrences(of field: UInt64) -> [(slot: Int, value: RawValue)] {
    let given = stream.names.indices.filter { present & field & (1 << UInt64($0)) != 0 }
    return given.map { ($0, slots[$0]) } + repeats.filter { field & (1 << UInt64($0.slot)) != 0 }
  }

  /// The slot of the spelling that the line uses for a field; that of the first one when it is absent.
  private func slot(of field: Field) -> Int {
    let given = present & field.slots
    return given == 0 ? field.firstSlot : given.trailingZeroBitCount
  }

  func spelling(of field: Field) -> String { stream.names[slot(of: field)] }

  // MARK: - Problems

  /// The name of a slot's field in a problem, with the names of the objects around it, such as `data.code`.
  func path(_ slot: Int) -> String {
    let bit: UInt64 = 1 << UInt64(slot)
    let outer = stream.inData & bit == 0 ? "" : inMessage & bit == 0 ? "data." : "data.message."
    return outer + stream.names[slot]
  }

  /// Notes a problem, for which the line is refused.
  mutating func note(_ problem: Rejection) { problems.append(problem) }

  @inline(never)
  private mutating func note(_ problem: Rejection, slot: Int) {
    refused |= 1 << UInt64(slot)
    note(problem.within(path(slot)))
  }

  @inline(never)
  mutating func noteMissing(_ field: Field, _ rule: StaticString = "is mandatory") {
    refused |= field.slots
    let slot = slot(of: field)
    note(
      Rejection(
        .missingField, field: path(slot),
        "\(stream.names[slot]) \(rule) and is absent, null or empty"))
  }

  /// True when one of the field's values is refused, or the field is missing.
  func isRefused(_ field: UInt64) -> Bool { refused & field != 0 }

  /// The application of the line or the default; nil when it is refused.
  var app: [UInt8]? {
    if isRefused(appSlots) { return nil }
    return facts.app.map { Array($0.bytes.buffer) } ?? Array(rules.appID.utf8)
  }
}

/// The user and the application that a line belongs to.
package struct LineOwner: Sendable, Equatable {
  /// Empty when the line has none and needs none.
  package let user: [UInt8]
  /// Empty when neither the line nor a default gives one; nil when the line gives two or an invalid one.
  package let app: [UInt8]?
}
