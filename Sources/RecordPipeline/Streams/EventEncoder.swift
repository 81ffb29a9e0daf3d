/// Encodes event messages: their own columns, the members of their data, and the receipt within it.
///
/// It keeps the decoders of the JSON within a line for all lines.
final class EventEncoder {
  private(set) var data: LineDecoder
  /// The push message within the data of a `pushClickAction`.
  private(set) var push: LineDecoder
  /// The receipt within the data of a `purchaseUpdated`.
  private(set) var receipt: LineDecoder
  /// The row of that receipt, without its common columns.
  private(set) var receiptRow = RowBuffer(capacity: 4096)
  private(set) var content = Content.none

  /// The form of the current message's data.
  enum Content {
    /// Absent, or a value that is not an object.
    case none
    /// An object; with `push` it has a push message in a message of its own.
    case members, push
    case receipt
    /// A receipt whose owner cannot be read, or data of a category that cannot be read.
    case unreadable
  }

  private let timeField, appField, idField, userField, categoryField, dataField: Field
  private let receiptUser, receiptApp: Field
  private let receiptColumnCount = RecordStream.receipt.allColumns.count

  private static let members = FieldTable(EventMember.all.map(\.field))
  /// For each kind of category, the slots of the members that its messages have.
  private static let known = EventCategory.Kind.allCases.map { kind in
    zip(EventMember.all, members.fields).reduce(0 as UInt64) { known, member in
      member.0.kinds.contains(kind) ? known | member.1.slots.bits : known
    }
  }
  private static let messageMember = members.fields[
    EventMember.all.firstIndex { $0.field.spellings == [nameOfPush] } ?? 0]
  private static let ofPush = known[EventCategory.Kind.push.rawValue]
  /// The name of the data on the line, and of the push message within it.
  static let nameOfData = "data", nameOfPush = "message"

  init(rules: NormalizationRules) {
    var rules = rules
    rules.unwrapField = nil
    data = LineDecoder(Self.members, rules: rules)
    push = LineDecoder(Self.members, rules: rules)
    receipt = LineDecoder(RecordStream.receipt.fields, rules: rules)
    func field(_ kind: Field.Kind, of stream: RecordStream = .event) -> Field {
      guard let field = stream.fields.field(kind) else { preconditionFailure("\(kind)") }
      return field
    }
    (timeField, appField, idField) = (field(.time), field(.application), field(.eventID))
    (userField, categoryField) = (field(.user), field(.eventCategory))
    dataField = field(.eventData)
    (receiptUser, receiptApp) = (field(.user, of: .receipt), field(.application, of: .receipt))
  }

  /// True once a line was refused because the process had no memory for the JSON within it.
  var ranOutOfMemory: Bool {
    data.ranOutOfMemory || push.ranOutOfMemory || receipt.ranOutOfMemory
  }

  /// Writes the columns of a message.
  func encode(_ line: inout DecodedLine, to row: inout RowBuffer) {
    content = .none
    line.write(timeField, to: &row)
    line.write(appField, to: &row)
    let id = line.identifier(of: idField)
    let user = line.user(of: userField)
    let category = line.value(of: categoryField) { line, raw throws(Rejection) in
      try line.identifier(raw, isMandatory: true).map {
        EventCategory($0, isOld: line.present & line.table.fallback != 0)
      }
    }
    let data = line.value(of: dataField) { line, raw in
      raw.isAbsent ? nil : EventData(raw, in: &line.arena)
    }
    row.text(
      id ?? category.map { line.eventNumber(category: $0.name, user: user, data: data) })
    row.markKey()
    row.text(user)
    row.text(category?.name)
    row.text(category?.differingText)
    row.text((category?.kind ?? .other).group)
    if category == nil, line.hasValue(categoryField.slots) { content = .unreadable }
    write(data, category?.kind, of: &line, to: &row)
  }

  /// Reads the data, and writes the columns of its members, the number of the receipt, and the rest.
  private func write(
    _ given: EventData?, _ kind: EventCategory.Kind?, of line: inout DecodedLine,
    to row: inout RowBuffer
  ) {
    let isRefused = given == nil && line.hasValue(dataField.slots)
    if let kind, kind.needsData, given == nil, !isRefused {
      let name = line.spelling(of: dataField.slots)
      line.note(
        Rejection(
          .missingField, field: name,
          "\(name) is mandatory for this category and is absent, null or empty"))
    }
    if kind == .receipt, isRefused { content = .unreadable }
    if let given, let kind, kind != .receipt, decodeMembers(of: given, kind, &line) {
      writeMembers(of: kind, &line, to: &row)
      row.null()
      data.line.extra.withObject { row.text($0) }
      return
    }
    for _ in EventMember.all { row.null() }
    if let given, kind == .receipt { encodeReceipt(in: given, of: &line) }
    if content == .receipt, line.problems.isEmpty {
      row.text(lastOrderKeyOf: receiptRow)
    } else {
      row.null()
    }
    // An unknown category takes any value.
    row.text(kind == .other ? given.flatMap { json(of: $0, &line) } : nil)
  }

  private func json(of given: EventData, _ line: inout DecodedLine) -> KeptText? {
    do throws(Rejection) { return try line.json(given.raw) } catch {
      line.note(error.within(line.spelling(of: dataField.slots)))
      return nil
    }
  }

  // MARK: - Members

  /// Decodes the members of the data.
  ///
  /// - Returns: false when it is not an object, which is a problem unless the category is unknown.
  private func decodeMembers(
    of given: EventData, _ kind: EventCategory.Kind, _ line: inout DecodedLine
  ) -> Bool {
    do throws(Rejection) {
      let known = Self.known[kind.rawValue]
      content = .members
      guard kind == .pushAction else {
        try decode(given, knowing: known, with: &data)
        return true
      }
      let message = Self.messageMember
      try decode(given, knowing: known | message.slots.bits, with: &data)
      guard let rest = decodePush(message, &line), data.line.problems.isEmpty else { return true }
      try data.decode(
        given.text, knowing: known | message.slots.bits,
        replacing: (message.slots.firstSlot, rest))
    } catch {
      content = .none
      // Without memory nothing is known about the data.
      if kind != .other || ranOutOfMemory {
        line.note(Self.rejection(error, of: line.spelling(of: dataField.slots)))
      }
      return false
    }
    return true
  }

  /// Decodes the push message in a member of the data.
  ///
  /// - Returns: an object of its members without a column; nil without such members.
  private func decodePush(_ member: Field, _ line: inout DecodedLine) -> KeptText? {
    let message = data.line.value(of: member) { _, raw in
      raw.isAbsent ? nil : EventData(raw, in: &line.arena)
    }
    guard let message else { return nil }
    do throws(Rejection) {
      try decode(message, knowing: Self.ofPush, with: &push)
    } catch {
      data.line.note(Self.rejection(error, of: Self.nameOfPush))
      return nil
    }
    content = .push
    return push.line.extra.withObject { line.arena.copy($0) }
  }

  private func writeMembers(
    of kind: EventCategory.Kind, _ line: inout DecodedLine, to row: inout RowBuffer
  ) {
    let name = line.spelling(of: dataField.slots)
    let isNested = content == .push
    line.takeProblems(of: &data.line, within: name)
    if isNested { line.takeProblems(of: &push.line, within: "\(name).\(Self.nameOfPush)") }
    for field in Self.members.fields {
      if field.slots.bits & Self.known[kind.rawValue] != 0 {
        data.line.write(field, to: &row)
        line.takeProblems(of: &data.line, within: name)
      } else if isNested, field.slots.bits & Self.ofPush != 0 {
        push.line.write(field, to: &row)
        line.takeProblems(of: &push.line, within: "\(name).\(Self.nameOfPush)")
      } else {
        row.null()
      }
    }
    if data.line.hasRepairedText || isNested && push.line.hasRepairedText {
      line.isTextRepaired = true
    }
  }

  // MARK: - Receipts

  /// Encodes the receipt in the data; the line's user and application stand for those that it lacks.
  private func encodeReceipt(in given: EventData, of line: inout DecodedLine) {
    let name = line.spelling(of: dataField.slots)
    do throws(Rejection) {
      try decode(given, with: &receipt)
    } catch {
      content = .unreadable
      return line.note(Self.rejection(error, of: name))
    }
    content = .receipt
    if let user = line.facts.user { receipt.line.supply(user, for: receiptUser) }
    if let app = line.facts.app { receipt.line.supply(app, for: receiptApp) }
    receiptRow.removeAll()
    receiptRow.beginRow(columnCount: receiptColumnCount)
    receipt.line.write(.receipt, to: &receiptRow)
    line.takeProblems(of: &receipt.line, within: name)
  }

  /// Ends the row of the receipt, whose line was accepted.
  func finishReceipt(sourceFileID: Int64, lineNumber: Int) {
    receipt.line.finish(&receiptRow, sourceFileID: sourceFileID, lineNumber: lineNumber)
  }

  /// The owner of the receipt within the line, which names a user of its own or has the line's; nil without one.
  ///
  /// Its application is unknown when it is refused, and when the receipt has none and the line's is refused.
  func receiptOwner(in line: borrowing DecodedLine) -> LineOwner? {
    guard content == .receipt, let user = receipt.line.facts.user else { return nil }
    let isAppKnown = receipt.line.hasValue(receiptApp.slots) || !line.isAppRefused
    return LineOwner(user: Array(user.bytes.buffer), app: isAppKnown ? receipt.line.app : nil)
  }

  /// True when the data may hold a receipt whose user cannot be read.
  var hidesOwner: Bool {
    content == .unreadable
      || content == .receipt && receipt.line.facts.user == nil
        && receipt.line.hasValue(receiptUser.slots)
  }

  // MARK: - Objects

  private func decode(
    _ given: EventData, knowing known: UInt64 = .max, with decoder: inout LineDecoder
  ) throws(Rejection) {
    guard given.mayBeObject else { throw Rejection(.invalidEventData, Self.notAnObject) }
    try decoder.decode(given.text, knowing: known)
  }

  private static let notAnObject = "it is neither a JSON object nor a string that holds exactly one"

  /// The rejection of a field whose text is not one object within the limits.
  private static func rejection(_ error: Rejection, of field: String) -> Rejection {
    error.code == .nestingTooDeep
      ? Rejection(.nestingTooDeep, field: field, error.reason)
      : Rejection(.invalidEventData, field: field, notAnObject)
  }
}
