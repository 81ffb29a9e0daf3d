/// Encodes event messages: their own columns, the members of their data, and the receipt within it.
final class EventEncoder {
  /// The receipt within the data of a `purchaseUpdated`.
  var receipt: DecodedLine
  /// The row of that receipt, without its common columns.
  var receiptRow = RowBuffer(capacity: 4096)
  private(set) var content = Content.other
  /// The members without a column of the data, and of the push message within it.
  private var (rest, restOfPush) = (ExtraWriter(), ExtraWriter())

  /// The form of the current message's data.
  enum Content {
    case receipt, object
    /// A receipt whose owner cannot be read, or data of a category that cannot be read.
    case unreadable
    /// Absent, or a value that is not an object.
    case other
  }

  private static let stream = RecordStream.event
  private static let (time, app) = (stream[.time], stream[.application])
  private static let (id, user) = (stream[.eventID], stream[.user])
  private static let (category, data) = (stream[.eventCategory], stream[.eventData])
  private static let members = stream.fields.filter(\.isInData)
  /// For each kind of category, the slots of the members that its messages have.
  private static let known = EventCategory.Kind.allCases.map { kind in
    members.reduce(0) { $1.isInData(of: kind) ? $0 | $1.slots : $0 }
  }
  private static let push = known[EventCategory.Kind.push.rawValue]
  /// The member of a `pushClickAction` that holds a push message: the first text.
  private static let message = stream[.text]
  /// The name of the data on the line, and of the push message within it.
  static let nameOfData = "data"
  private static let nameOfMessage = "data.message"

  init(rules: NormalizationRules) {
    var rules = rules
    rules.unwrapField = nil
    receipt = DecodedLine(.receipt, rules: rules)
  }

  /// Writes the columns of a message.
  func encode(_ line: inout DecodedLine, to row: inout RowBuffer) {
    content = .other
    line.inMessage = 0
    rest.reset()
    restOfPush.reset()
    line.write(Self.time, to: &row)
    line.write(Self.app, to: &row)
    let id = line.identifier(of: Self.id)
    let user = line.user(of: Self.user)
    let category = line.value(of: Self.category) { line, raw throws(Rejection) in
      try line.identifier(raw, isMandatory: true).map {
        EventCategory($0, isOld: line.present & line.oldCategory != 0)
      }
    }
    let data = line.value(of: Self.data) { line, raw in EventData(raw, in: &line.arena) }
    row.text(id ?? category.map { line.eventNumber(category: $0.name, user: user, data: data) })
    row.text(user)
    row.text(category?.name)
    row.text(category?.differingText)
    row.text((category?.kind ?? .other).group)
    var members: UInt64 = 0
    if let kind = category?.kind {
      members = decode(data, kind, of: &line)
    } else if line.hasValue(Self.category.slots) {
      content = .unreadable
    }
    for field in Self.members {
      if field.slots & members != 0 { line.write(field, to: &row) } else { row.null() }
    }
    if rest.isRepaired || restOfPush.isRepaired { line.isTextRepaired = true }
    if content == .receipt, line.problems.isEmpty {
      row.text(orderKeyOf: receiptRow.lastRow)
    } else {
      row.null()
    }
    if content != .object, category?.kind == .other {
      // An unknown category takes any value.
      row.text(data.flatMap { json(of: $0, &line) })
    } else {
      rest.withObject { row.text($0) }
    }
  }

  private func json(of given: EventData, _ line: inout DecodedLine) -> KeptText? {
    do throws(Rejection) { return try line.json(given.raw) } catch {
      line.note(error.within(Self.nameOfData))
      return nil
    }
  }

  /// Decodes the data, by which `content` is decided.
  ///
  /// - Returns: the slots of the members that have a column.
  private func decode(
    _ given: EventData?, _ kind: EventCategory.Kind, of line: inout DecodedLine
  ) -> UInt64 {
    if let given, kind != .receipt { return decodeMembers(of: given, kind, &line) }
    if let given {
      encodeReceipt(in: given, of: &line)
    } else if line.isRefused(Self.data.slots) {
      if kind == .receipt { content = .unreadable }
    } else if kind.needsData {
      line.noteMissing(Self.data, "is mandatory for this category")
    }
    return 0
  }

  // MARK: - Members

  private func decodeMembers(
    of given: EventData, _ kind: EventCategory.Kind, _ line: inout DecodedLine
  ) -> UInt64 {
    let members = Self.known[kind.rawValue]
    let known = kind == .pushAction ? members | Self.message.slots : members
    let problemCount = line.problems.count
    func decode(_ replacement: RawValue? = nil) throws(Rejection) {
      try line.decode(
        given.object, called: Self.nameOfData, knowing: known, rest: &rest,
        replacing: replacement.map { (Self.message.slots, $0) })
    }
    do throws(Rejection) {
      try decode()
      content = .object
      guard kind == .pushAction, decodePush(&line) else { return members }
      let rest = restOfPush.withObject { $0.map { line.arena.copy(masked: $0.bytes.buffer).bytes } }
      if line.problems.count == problemCount, let rest {
        try decode(RawValue(text: rest, kind: .object, isEscaped: true))
      }
      line.clear(Self.message.slots)
      return members | Self.push
    } catch {
      // An unknown category takes any value, but without memory nothing is known about the data.
      if kind != .other || error.isOutOfMemory {
        line.note(Self.rejection(error, of: Self.nameOfData))
      }
      return 0
    }
  }

  /// Decodes the push message within the data.
  ///
  /// - Returns: false without one.
  private func decodePush(_ line: inout DecodedLine) -> Bool {
    let message = line.value(of: Self.message) { line, raw in EventData(raw, in: &line.arena) }
    guard let message else { return false }
    do throws(Rejection) {
      try line.decode(
        message.object, called: Self.nameOfMessage, knowing: Self.push, rest: &restOfPush)
      line.inMessage = Self.push
      return true
    } catch {
      line.note(Self.rejection(error, of: Self.nameOfMessage))
      return false
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
    receiptRow.beginRow(columnCount: receipt.stream.allColumns.count)
    receipt.write(.receipt, to: &receiptRow)
    for problem in receipt.problems { line.note(problem.within(Self.nameOfData)) }
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
