internal import SHA256

extension RecordStream {
  /// Event messages of the client: logouts, kickouts, pushes, and the receipts of `purchaseUpdated`.
  ///
  /// - Source: `TCGBGamebaseEventMessage` of the iOS SDK, and `GamebaseEventMessage` of the other
  ///   SDKs. It has neither a user nor a time; an envelope adds them.
  package static let event = RecordStream(
    name: "event", recordNoun: "event messages", table: "event",
    fileNamePrefixes: ["event", "gamebase_event", "gamebase-event"],
    naturalKey: ["occurred_at", "app_id", "event_id"]
  ) {
    EventKey(
      time: Field("eventTime", into: "occurred_at"), app: Field("appId", into: "app_id"),
      id: Field("eventId", into: "event_id"), user: Field("userId", into: "user_id"),
      category: Field("category", into: "category", "category_raw", "event_group"),
      oldCategory: "type", data: Field(EventReader.nameOfData, into: "data"))
  } values: {
    EventValues(payment: Field("paymentSeq", into: "payment_seq"))
  }
}

/// The key of an event message, and the fields that its default depends on.
private struct EventKey: StreamPart {
  let time: Field<MessageTime>
  let app: Field<AppID>
  let id: Field<EventID>
  let user: Field<OptionalUserID>
  let category: Field<EventCategory>
  /// A spelling of the category that counts only where there is no other.
  let oldCategory: String
  let data: Field<EventData>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    stream.columns += time.columns + app.columns + id.columns
    return Writer(
      time: stream.addNames(of: time), app: stream.addNames(of: app), id: stream.addNames(of: id),
      user: stream.addNames(of: user),
      category: stream.addNames(of: category, orElse: oldCategory),
      data: stream.addNames(of: data))
  }

  struct Writer: PartWriter {
    let time, app, id, user, category, data: FieldSlots

    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      line.embedded?.hasRow = false
      row.time(try line.required(time, MessageTime.normalize))
      let app = try line.value(app, AppID.normalize)
      AppID.write(app, of: &line, to: &row)
      if let id = try line.value(id, EventID.normalize) {
        row.text(id)
        return
      }
      let user = try line.value(user, OptionalUserID.normalize)
      let category = try line.required(category, EventCategory.normalize)
      let data = try line.value(data, EventData.normalize)
      EventDigest(
        category: category.name, user: user, data: data,
        hash: line.hash
      ).write(to: &row)
    }
  }
}

/// All other columns of an event message, and the receipt within it.
private struct EventValues: StreamPart {
  let payment: Field<Identifier>

  func declare(in stream: inout StreamDeclaration) -> Writer {
    guard let app = stream.field(of: AppID.self), let user = stream.field(of: OptionalUserID.self),
      let category = stream.field(of: EventCategory.self),
      let data = stream.field(of: EventData.self)
    else { preconditionFailure("the key of an event declares its fields") }
    let writer = Writer(app: app, user: user, category: category, data: data)
    let values = stream.columns(of: [user, category])
    stream.columns += values + EventMembers.all.columns + payment.columns
    stream.columns += stream.columns(of: [data])
    stream.members =
      EventMembers.all.descriptions + [
        FieldDescription(
          field: FieldSlots(), kind: Identifier.self, columns: payment.columns, dependencies: [])
      ]
    stream.embeddedStreamName = RecordStream.receipt.name
    stream.embeddedOwner = { line in writer.ownerOfReceipt(in: &line) }
    return writer
  }

  struct Writer: PartWriter {
    let app, user, category, data: FieldSlots

    func write(_ line: inout DecodedLine, to row: inout RowBuffer) throws(Rejection) {
      let user = try line.value(user, OptionalUserID.normalize)
      let category = try line.required(category, EventCategory.normalize)
      let given = line.lacksData ? nil : try line.value(data, EventData.normalize)
      row.text(user)
      EventCategory.write(category, of: &line, to: &row)
      let field = line.spelling(of: data)
      if given == nil, category.kind.needsData, !line.lacksData {
        throw Rejection(
          .missingField, field: field,
          "\(field) is mandatory for this category and is absent, null or empty")
      }
      if let given, category.kind == .receipt {
        let record = try receipt(in: given, of: &line, user: user)
        for _ in EventMembers.all.columns { row.null() }
        row.text(record.row.orderKeyText)
        row.null()
        return
      }
      let rest = try given.map { given throws(Rejection) in
        try members(of: given, category.kind, field: field, line: &line, row: &row)
      }
      if given == nil { for _ in EventMembers.all.columns { row.null() } }
      row.null()
      row.text(rest ?? nil)
    }

    // MARK: - Members

    /// Writes the columns of the data's members.
    ///
    /// - Returns: the JSON of what has no column; nil when nothing is left.
    private func members(
      of data: EventData, _ kind: EventCategory.Kind, field: String, line: inout DecodedLine,
      row: inout RowBuffer
    ) throws(Rejection) -> KeptText? {
      let reader = EventReader.of(&line)
      do throws(Rejection) {
        guard data.mayBeObject else {
          throw Rejection(.invalidEventData, EventReader.notAnObject)
        }
        try reader.decode(data.text, as: kind, of: &line)
      } catch {
        if kind == .other, error.field == nil, !line.lacksMemory {
          return try valueOfAnyForm(data, field: field, line: &line, row: &row)
        }
        throw error.within(field, orAs: EventReader.rejection(error, of: field))
      }
      do throws(Rejection) {
        try writeColumns(of: reader, kind, line: &line, to: &row)
        return try reader.rest(of: &line)
      } catch {
        throw error.within(field, orAs: error)
      }
    }

    private func writeColumns(
      of reader: EventReader, _ kind: EventCategory.Kind, line: inout DecodedLine,
      to row: inout RowBuffer
    ) throws(Rejection) {
      let members = EventMembers.all
      let isCodeMandatory = kind == .observer || kind == .idpRevoked
      row.bigint(
        isCodeMandatory
          ? try reader.requiredDataValue(members.code, EventCode.normalize)
          : try reader.dataValue(members.code, EventCode.normalize))
      // The message of a pushClickAction is an object, whose members have columns of their own.
      row.text(
        kind == .pushAction ? nil : try reader.dataValue(members.message, FreeText.normalize))
      row.text(try reader.dataValue(members.idpType, Identifier.normalize))
      row.text(try reader.dataValue(members.mappings, TextList.normalize))
      if kind == .pushAction, !reader.hasPush {
        for _ in 0..<4 { row.null() }
      } else {
        do throws(Rejection) {
          try writePush(reader, isNested: kind == .pushAction, to: &row)
        } catch {
          if kind != .pushAction { throw error }
          throw error.within(reader.nameOfPush, orAs: error)
        }
      }
      row.text(try reader.dataValue(members.actionType, Identifier.normalize))
      row.text(try reader.dataValue(members.userText, FreeText.normalize))
      if reader.isTextRepaired { line.isTextRepaired = true }
    }

    private func writePush(
      _ reader: EventReader, isNested: Bool, to row: inout RowBuffer
    ) throws(Rejection) {
      let members = EventMembers.all
      if isNested {
        row.text(try reader.pushValue(members.pushID, Identifier.normalize))
        row.text(try reader.pushValue(members.title, FreeText.normalize))
        row.text(try reader.pushValue(members.body, FreeText.normalize))
        row.boolean(try reader.pushValue(members.isForeground, Flag.normalize))
      } else {
        row.text(try reader.dataValue(members.pushID, Identifier.normalize))
        row.text(try reader.dataValue(members.title, FreeText.normalize))
        row.text(try reader.dataValue(members.body, FreeText.normalize))
        row.boolean(try reader.dataValue(members.isForeground, Flag.normalize))
      }
    }

    /// The data of an unknown category, which may be any JSON value.
    private func valueOfAnyForm(
      _ data: EventData, field: String, line: inout DecodedLine, row: inout RowBuffer
    ) throws(Rejection) -> KeptText? {
      for _ in EventMembers.all.columns { row.null() }
      var json = JSONValueWriter()
      let text = json.text(of: data.raw, in: &line.arena)
      if json.isRepaired { line.isTextRepaired = true }
      guard text.bytes.count <= line.rules.limits.textBytes else {
        throw Rejection(
          .textTooLong, field: field,
          "it has \(text.bytes.count) bytes; the limit is \(line.rules.limits.textBytes)")
      }
      return text
    }

    // MARK: - Receipts

    /// Encodes the receipt in the data, with the line as its carrier.
    private func receipt(
      in data: EventData, of line: inout DecodedLine, user: KeptText?
    ) throws(Rejection) -> EmbeddedRecord {
      let field = line.spelling(of: self.data)
      let app = try line.value(app, AppID.normalize)
      let record = EventReader.receipt(of: &line)
      do throws(Rejection) {
        try decode(data, into: record)
      } catch {
        if record.decoder.ranOutOfMemory { line.lacksMemory = true }
        throw error.within(field, orAs: EventReader.rejection(error, of: field))
      }
      let reader = ReceiptFields.all
      if let user { record.decoder.line.supply(user.bytes, for: reader.user) }
      if let app { record.decoder.line.supply(app.bytes, for: reader.app) }
      record.row.removeAll()
      record.row.beginRow(columnCount: reader.columnCount)
      do throws(Rejection) {
        try RecordStream.receipt.encode(&record.decoder.line, &record.row)
      } catch {
        throw error.within(field, orAs: error)
      }
      record.hasRow = true
      return record
    }

    private func decode(_ data: EventData, into record: EmbeddedRecord) throws(Rejection) {
      guard data.mayBeObject else { throw Rejection(.invalidEventData, EventReader.notAnObject) }
      try record.decoder.decode(data.text)
    }

    /// The owner of the receipt within a line; none when it names neither a user nor an application
    /// of its own, because it then has the line's owner.
    func ownerOfReceipt(in line: inout DecodedLine) -> EmbeddedOwner {
      do throws(Rejection) {
        let category = try line.value(category, EventCategory.normalize)
        guard category?.kind == .receipt,
          let data = try line.value(data, EventData.normalize)
        else { return .none }
        let record = EventReader.receipt(of: &line)
        try decode(data, into: record)
        let fields = ReceiptFields.all
        let user: KeptText?
        if record.decoder.line.hasValue(fields.user) {
          user = try record.decoder.line.required(fields.user, UserID.normalize)
        } else if record.decoder.line.hasValue(fields.app) {
          user = try line.value(self.user, OptionalUserID.normalize)
        } else {
          user = nil
        }
        guard let user else { return .none }
        return .owner(user: Array(user.bytes.buffer), app: appOfReceipt(record, in: &line))
      } catch {
        return .unreadable
      }
    }

    private func appOfReceipt(
      _ record: EmbeddedRecord, in line: inout DecodedLine
    ) -> [UInt8]? {
      do throws(Rejection) {
        let own = try record.decoder.line.value(ReceiptFields.all.app, AppID.normalize)
        if let own { return Array(own.bytes.buffer) }
        let app = try line.value(app, AppID.normalize)
        return app.map { Array($0.bytes.buffer) } ?? Array(line.rules.appID.utf8)
      } catch {
        return nil
      }
    }
  }
}

/// The fields of a receipt that the line of an event may supply.
private struct ReceiptFields {
  let user: FieldSlots
  let app: FieldSlots
  let columnCount = RecordStream.receipt.allColumns.count

  static let all = ReceiptFields()

  private init() {
    guard let user = RecordStream.receipt.field(of: UserID.self),
      let app = RecordStream.receipt.field(of: AppID.self)
    else { preconditionFailure("a receipt has a user and an application") }
    self.user = user
    self.app = app
  }
}

extension Rejection {
  /// The rejection of a member, with the name of the field that holds it.
  ///
  /// - Parameter otherwise: the rejection when no member is at fault.
  fileprivate func within(_ outer: String, orAs otherwise: Rejection) -> Rejection {
    field.map { Rejection(code, field: "\(outer).\($0)", reason) } ?? otherwise
  }
}

/// The members that the data of event messages can have, and the columns for them.
struct EventMembers {
  let names: FieldNames
  let descriptions: [FieldDescription]
  let code, message, idpType, mappings: FieldSlots
  let pushID, title, body, isForeground: FieldSlots
  let actionType, userText: FieldSlots
  /// In the order of the event's columns.
  let columns: [Column]

  static let all = EventMembers()

  private init() {
    var stream = StreamDeclaration()
    func add<Kind>(_ field: Field<Kind>) -> FieldSlots {
      stream.columns += field.columns
      return stream.addNames(of: field)
    }
    code = add(Field<EventCode>("code", into: "code"))
    message = add(Field<FreeText>("message", into: "message"))
    idpType = add(Field<Identifier>("idPType", into: "idp_type"))
    mappings = add(Field<TextList>("authMappingList", into: "auth_mapping_list"))
    pushID = add(Field<Identifier>("id", "identifier", into: "push_id"))
    title = add(Field<FreeText>("title", into: "push_title"))
    body = add(Field<FreeText>("body", into: "push_body"))
    isForeground = add(Field<Flag>("isForeground", into: "push_is_foreground"))
    actionType = add(Field<Identifier>("actionType", into: "push_action_type"))
    userText = add(Field<FreeText>("userText", into: "push_user_text"))
    names = stream.names
    descriptions = stream.descriptions
    columns = stream.columns
  }

  /// The members of the messages of a kind of category.
  func known(in kind: EventCategory.Kind) -> UInt64 {
    switch kind {
    case .observer: slots(code, message)
    case .loggedOut: slots(message)
    case .idpRevoked: slots(code, idpType, mappings)
    case .push: inPush
    case .pushAction: slots(actionType, userText)
    case .receipt, .serverPush, .other: 0
    }
  }

  var nameOfMessage: String { names.names[message.firstSlot] }

  /// The members of a push message.
  var inPush: UInt64 { slots(pushID, title, body, isForeground) }

  private func slots(_ fields: FieldSlots...) -> UInt64 {
    fields.reduce(0) { $0 | $1.slots }
  }
}
