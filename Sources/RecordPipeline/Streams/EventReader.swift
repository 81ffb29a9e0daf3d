/// Reads the data of event messages: the object in it, and the object in a member of that one.
///
/// A line's decoder keeps one for all lines.
final class EventReader {
  /// The members of the data.
  private(set) var data: LineDecoder
  /// The members of the push message within the data of a `pushClickAction`.
  private(set) var push: LineDecoder
  /// The value of the member with that push message; nil without one.
  private var pushData: EventData?

  private init(_ rules: NormalizationRules) {
    data = LineDecoder(
      names: EventMembers.all.names, rules: rules)
    push = LineDecoder(
      names: EventMembers.all.names, rules: rules)
  }

  /// The reader of a line.
  static func of(_ line: inout DecodedLine) -> EventReader {
    if let reader = line.companion as? EventReader { return reader }
    let reader = EventReader(nestedRules(line.rules))
    line.companion = reader
    return reader
  }

  /// The decoder of the receipt within a line.
  static func receipt(of line: inout DecodedLine) -> EmbeddedRecord {
    if let record = line.embedded { return record }
    let record = EmbeddedRecord(
      names: RecordStream.receipt.fields, rules: nestedRules(line.rules), field: nameOfData)
    line.embedded = record
    return record
  }

  private static func nestedRules(_ rules: NormalizationRules) -> NormalizationRules {
    var rules = rules
    rules.unwrapField = nil
    return rules
  }

  // MARK: - Objects

  /// Decodes the members of the data.
  ///
  /// - Throws: `Rejection` with a field of the data, or nil when the data is at fault.
  func decode(
    _ text: ByteSlice, as kind: EventCategory.Kind, of line: inout DecodedLine
  ) throws(Rejection) {
    let members = EventMembers.all
    pushData = nil
    do throws(Rejection) {
      guard kind == .pushAction else {
        return try data.decode(text, knownSlots: members.known(in: kind))
      }
      try data.decode(
        text, knownSlots: members.known(in: kind), replacing: members.message.firstSlot
      ) { value throws(Rejection) in try decodePush(value, of: &line) }
    } catch {
      if data.ranOutOfMemory || push.ranOutOfMemory { line.lacksMemory = true }
      throw error
    }
  }

  /// Decodes the push message of a `pushClickAction`.
  ///
  /// - Returns: an object of its members without a column; nil without such members.
  private func decodePush(
    _ value: RawValue, of line: inout DecodedLine
  ) throws(Rejection) -> KeptText? {
    if value.isAbsent { return nil }
    let name = nameOfPush
    let given = EventData(value, in: &line.arena)
    let first = pushData
    pushData = first ?? given
    guard given.mayBeObject else {
      throw Rejection(.invalidEventData, field: name, Self.notAnObject)
    }
    if let first {
      guard first == given else {
        throw Rejection(.ambiguousField, field: name, "\(name) occurs twice with different values")
      }
      return nil
    }
    do throws(Rejection) {
      try push.decode(given.text, knownSlots: EventMembers.all.inPush)
    } catch {
      throw Self.rejection(error, of: name)
    }
    if push.line.memberAboveLimit != nil {
      throw Rejection(
        .textTooLong, field: name,
        "its members without a column have more than \(line.rules.limits.textBytes) bytes together")
    }
    return push.line.extra.withObject { line.arena.copy($0) }
  }

  /// True when the data has a push message in a member.
  var hasPush: Bool { pushData != nil }

  /// The name of that member.
  var nameOfPush: String { EventMembers.all.nameOfMessage }

  static let notAnObject = "it is neither a JSON object nor a string that holds exactly one"

  /// The rejection of a field whose text is not one object within the limits.
  static func rejection(_ error: Rejection, of field: String) -> Rejection {
    if error.field != nil { return error }
    return error.code == .nestingTooDeep
      ? Rejection(.nestingTooDeep, field: field, error.reason)
      : Rejection(.invalidEventData, field: field, notAnObject)
  }

  // MARK: - Values

  func dataValue<Value: Equatable>(
    _ field: FieldSlots,
    _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? { try data.line.value(field, normalize) }

  func requiredDataValue<Value: Equatable>(
    _ field: FieldSlots,
    _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value { try data.line.required(field, normalize) }

  func pushValue<Value: Equatable>(
    _ field: FieldSlots,
    _ normalize: (inout DecodedLine, RawValue) throws(ValueProblem) -> Value?
  ) throws(Rejection) -> Value? { try push.line.value(field, normalize) }

  /// The members of the data without a column, as a JSON object; nil without such members.
  func rest(of line: inout DecodedLine) throws(Rejection) -> KeptText? {
    if let name = data.line.memberAboveLimit {
      throw Rejection(
        .textTooLong, field: name.bytes.text,
        "the members without a column have more than \(line.rules.limits.textBytes) bytes together")
    }
    let isPushRepaired = hasPush && push.line.extra.isRepaired
    if data.line.extra.isRepaired || isPushRepaired { line.isTextRepaired = true }
    return data.line.extra.withObject { line.arena.copy($0) }
  }

  /// True when a text of the data had a character replaced.
  var isTextRepaired: Bool { data.line.isTextRepaired || (hasPush && push.line.isTextRepaired) }

  // MARK: - For explanations

  /// A member on the line that has a column.
  struct Occurrence {
    let name: String
    let source: String
    let rule: String
    let column: String
  }

  /// The push message within the data as written; nil without one.
  var sourceOfPush: String? { pushData?.raw.source(named: nameOfPush) }

  /// The members of the data with a column, and those of the push message within it.
  var occurrences: [Occurrence] {
    occurrences(in: data.line, prefix: "")
      + (hasPush ? occurrences(in: push.line, prefix: "\(nameOfPush).") : [])
  }

  private func occurrences(in line: borrowing DecodedLine, prefix: String) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    for member in EventMembers.all.descriptions {
      for (name, source) in line.occurrences(of: member.field) {
        occurrences.append(
          Occurrence(
            name: prefix + name, source: source, rule: member.kind.summary,
            column: member.columns.map(\.name).joined()))
      }
    }
    return occurrences
  }

  /// The name of the field with the data.
  static let nameOfData = "data"
}
