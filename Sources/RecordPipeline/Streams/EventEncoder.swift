/// Encodes event messages: their own columns, the members of their data, and the receipt within it.
final class EventEncoder {
  private(set) var data: DecodedLine
  /// The push message within the data of a `pushClickAction`.
  private(set) var push: DecodedLine
  /// The receipt within the data of a `purchaseUpdated`.
  var receipt: DecodedLine
  /// The row of that receipt, without its common columns.
  var receiptRow = RowBuffer(capacity: 4096)
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

  private static let members = FieldTable(RecordStream.eventMembers)
  /// For each kind of category, the slots of the members that its messages have.
  private static let known = EventCategory.Kind.allCases.map { members.slots(ofFields: $0.members) }
  /// The member of a `pushClickAction` that holds a push message: the first text.
  private static let message = members[.text]
  /// The name of the data on the line, and of the push message within it.
  static let nameOfData = "data"
  static let nameOfMessage = "data.message"

  init(rules: NormalizationRules) {
    var rules = rules
    rules.unwrapField = nil
    data = DecodedLine(Self.members, rules: rules)
    push = DecodedLine(Self.members, rules: rules)
    receipt = DecodedLine(RecordStream.receipt.fields, rules: rules)
  }

  /// Writes the columns of a message.
  func encode(_ line: inout DecodedLine, to row: inout RowBuffer) {
    content = .none
    line.write(line.table[.time], to: &row)
    line.write(line.table[.application], to: &row)
    let id = line.identifier(of: line.table[.eventID])
    let user = line.user(of: line.table[.user])
    let category = line.value(of: line.table[.eventCategory]) { line, raw throws(Rejection) in
      try line.identifier(raw, isMandatory: true).map {
        EventCategory($0, isOld: line.present & line.table.fallback != 0)
      }
    }
    let data = line.value(of: line.table[.eventData]) { line, raw in
      EventData(raw, in: &line.arena)
    }
    row.text(
      id ?? category.map { line.eventNumber(category: $0.name, user: user, data: data) })
    row.text(user)
    row.text(category?.name)
    row.text(category?.differingText)
    row.text((category?.kind ?? .other).group)
    if let kind = category?.kind {
      decode(data, kind, of: &line)
    } else if line.hasValue(line.table[.eventCategory].slots) {
      content = .unreadable
    }
    writeMembers(of: category?.kind ?? .other, &line, to: &row)
    if content == .receipt, line.problems.isEmpty {
      row.text(orderKeyOf: receiptRow.lastRow)
    } else {
      row.null()
    }
    if hasMembers {
      self.data.extra.withObject { row.text($0) }
    } else {
      // An unknown category takes any value.
      row.text(category?.kind == .other ? data.flatMap { json(of: $0, &line) } : nil)
    }
  }

  var hasMembers: Bool { content == .members || content == .push }

  private func json(of given: EventData, _ line: inout DecodedLine) -> KeptText? {
    do throws(Rejection) { return try line.json(given.raw) } catch {
      line.note(error.within(Self.nameOfData))
      return nil
    }
  }

  /// Decodes the data, by which `content` is decided.
  private func decode(
    _ given: EventData?, _ kind: EventCategory.Kind, of line: inout DecodedLine
  ) {
    let dataField = line.table[.eventData]
    switch given {
    case let given? where kind == .receipt: encodeReceipt(in: given, of: &line)
    case let given?: decodeMembers(of: given, kind, &line)
    case nil where line.isRefused(dataField.slots): if kind == .receipt { content = .unreadable }
    case nil where kind.needsData:
      line.noteMissing(dataField, "is mandatory for this category")
    case nil: break
    }
  }

  // MARK: - Members

  private func decodeMembers(
    of given: EventData, _ kind: EventCategory.Kind, _ line: inout DecodedLine
  ) {
    var known = Self.known[kind.rawValue]
    if kind == .pushAction { known |= Self.message.slots }
    do throws(Rejection) {
      try data.decode(given.object, knowing: known)
      content = .members
      guard kind == .pushAction, let rest = decodePush(&line), data.problems.isEmpty else {
        return
      }
      try data.decode(
        given.object, knowing: known, replacing: (slot: Self.message.firstSlot, object: rest))
    } catch {
      content = .none
      // An unknown category takes any value, but without memory nothing is known about the data.
      if kind != .other || error.isOutOfMemory {
        line.note(Self.rejection(error, of: Self.nameOfData))
      }
    }
  }

  /// Decodes the push message within the data.
  ///
  /// - Returns: an object of its members without a column; nil without such members.
  private func decodePush(_ line: inout DecodedLine) -> RawValue? {
    let message = data.value(of: Self.message) { _, raw in EventData(raw, in: &line.arena) }
    guard let message else { return nil }
    do throws(Rejection) {
      try push.decode(
        message.object, knowing: Self.known[EventCategory.Kind.push.rawValue])
    } catch {
      data.note(Self.rejection(error, of: data.spelling(of: Self.message)))
      return nil
    }
    content = .push
    return push.extra.withObject { rest in
      guard let text = rest.map({ line.arena.copy(masked: $0.bytes.buffer).bytes }) else {
        return nil
      }
      let isEscaped = text.buffer.contains(UInt8(ascii: "\\"))
      return RawValue(text: text, kind: .object, isEscaped: isEscaped)
    }
  }

  /// Writes the columns of the members, and notes their problems in the order of the columns.
  private func writeMembers(
    of kind: EventCategory.Kind, _ line: inout DecodedLine, to row: inout RowBuffer
  ) {
    let known = hasMembers ? Self.known[kind.rawValue] : 0
    let ofPush = content == .push ? Self.known[EventCategory.Kind.push.rawValue] : 0
    if hasMembers { line.takeProblems(of: &data, within: Self.nameOfData) }
    if content == .push { line.takeProblems(of: &push, within: Self.nameOfMessage) }
    for field in Self.members.fields {
      if field.slots & known != 0 {
        data.write(field, to: &row)
        line.takeProblems(of: &data, within: Self.nameOfData)
      } else if field.slots & ofPush != 0 {
        push.write(field, to: &row)
        line.takeProblems(of: &push, within: Self.nameOfMessage)
      } else {
        row.null()
      }
    }
    if hasMembers && data.hasRepairedText || content == .push && push.hasRepairedText {
      line.isTextRepaired = true
    }
  }

  // MARK: - Receipts

  /// Encodes the receipt in the data; the line's user and application stand for those that it lacks.
  private func encodeReceipt(in given: EventData, of line: inout DecodedLine) {
    do throws(Rejection) { try receipt.decode(given.object) } catch {
      content = .unreadable
      return line.note(Self.rejection(error, of: Self.nameOfData))
    }
    content = .receipt
    receipt.supply(line.facts.user, for: receipt.userSlots)
    receipt.supply(line.facts.app, for: receipt.appSlots)
    receiptRow.removeAll()
    receiptRow.beginRow(columnCount: RecordStream.receipt.allColumns.count)
    receipt.write(.receipt, to: &receiptRow)
    line.takeProblems(of: &receipt, within: Self.nameOfData)
  }

  /// The owner of the receipt within the line, which names a user of its own or has the line's; nil without one.
  ///
  /// Its application is unknown when it is refused, and when the receipt has none and the line's is refused.
  func receiptOwner(in line: borrowing DecodedLine) -> LineOwner? {
    guard content == .receipt, let user = receipt.facts.user else { return nil }
    let isAppKnown =
      receipt.hasValue(receipt.appSlots) || !line.isRefused(line.appSlots)
    return LineOwner(user: Array(user.bytes.buffer), app: isAppKnown ? receipt.app : nil)
  }

  /// True when the data may hold a receipt whose user cannot be read.
  var hidesOwner: Bool {
    content == .unreadable
      || content == .receipt && receipt.facts.user == nil
        && receipt.hasValue(receipt.userSlots)
  }

  /// The rejection of a field whose text is not one object within the limits.
  private static func rejection(_ error: Rejection, of field: String) -> Rejection {
    switch error.code {
    case .nestingTooDeep: error.within(field)
    case _ where error.isOutOfMemory: error
    default: EventData.isNoObject.within(field)
    }
  }
}
