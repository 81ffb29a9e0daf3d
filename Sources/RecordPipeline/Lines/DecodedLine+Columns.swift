extension DecodedLine {
  /// Writes a line's values as the columns of a row of its stream.
  mutating func write(_ stream: RecordStream, to row: inout RowBuffer) {
    for field in stream.fields { write(field, to: &row) }
  }

  /// Writes the common columns and ends the row; its digest covers the columns that the merge compares.
  mutating func finish(_ row: inout RowBuffer, _ sourceFileID: Int64, lineNumber: Int) {
    let digest = rules.rowDigestKey.map { RowDigest(of: row.lastRow.columns, key: $0) }
    row.boolean(isTextRepaired || extra.isRepaired)
    extra.withObject { row.text($0) }
    row.bigint(sourceFileID)
    row.bigint(Int64(lineNumber))
    row.uuid(digest)
    row.endRow()
  }

  /// Writes the columns of a field by the rule of its kind; `EventEncoder` writes those of events.
  ///
  /// A value with a problem is NULL, and the problem is noted, so that the rest of the line is judged too.
  @inline(__always)
  mutating func write(_ field: Field, to row: inout RowBuffer) {
    switch field.kind {
    case .identifier: row.text(identifier(of: field))
    case .user: row.text(user(of: field))
    case .unstoredUser: _ = user(of: field)
    case .application:
      facts.app = identifier(of: field)
      if let app = facts.app { row.text(app) } else { row.text(rules.appID) }
    case .anyOf: if !hasValue(field.slots) { noteMissing(anyOf: field) }
    case .text: row.text(value(of: field, Self.text))
    case .textList: row.text(value(of: field, Self.textList))
    case .token:
      let token = value(of: field, Self.token)
      row.bytes(token?.sha256)
      row.text(secret: rules.storesPurchaseTokens ? token?.text : nil)

    case .level: row.integer(value(of: field, Self.level))
    case .code: row.bigint(value(of: field, Self.code))
    case .itemNumber: row.bigint(value(of: field, Self.itemNumber))

    case .time, .observation: row.time(recordTime(field))
    case .observationSource:
      let other: StaticString = rules.observedAt == nil ? "load_start" : "option"
      row.text(facts.time != nil ? "line" : other)
    case .checkedTime: _ = value(of: field, Self.time)
    case .expiry: row.time(value(of: field, Self.expiry) ?? nil)

    case .currency:
      // The currency stands before the time that decides whether it is valid.
      let time = timeField.map { recordTime($0) } ?? nil
      row.text(currency(field, at: time).map { KeptText(masked: CurrencyTable.all[$0].letters) })
    case .price:
      let price = price(field)
      row.bigint(price?.amountMinor)
      row.text(price?.keptText)
      row.boolean(price?.isRepaired ?? false)
      row.boolean(price?.isImprecise ?? false)
    case .productType:
      let type = value(of: field, Self.productType)
      row.text(type?.name)
      row.text(type?.differingText)

    case .purchaseType: facts.impliedFlag = value(of: field, Self.impliedFlag)
    case .flag: row.boolean(value(of: field, Self.flag))
    case .sandboxFlag, .promotionFlag: row.boolean(impliableFlag(field))

    case .eventID, .eventCategory, .eventData, .derived:
      preconditionFailure("EventEncoder writes the fields of events")
    }
  }

  @inline(__always)
  mutating func identifier(of field: Field) -> KeptText? {
    value(of: field) { line, raw throws(Rejection) in
      try line.identifier(raw, isMandatory: field.isMandatory)
    }
  }

  /// The user of a line, noted as its owner.
  mutating func user(of field: Field) -> KeptText? {
    facts.user = value(of: field) { line, raw throws(Rejection) in
      try line.user(raw, isMandatory: field.isMandatory)
    }
    return facts.user
  }

  private mutating func noteMissing(anyOf rule: Field) {
    let names = stream.fields.filter { $0.kind != .anyOf && $0.slots & rule.slots != 0 }
      .map { stream.names[$0.firstSlot] }
    let others = names.dropFirst().joined(separator: " and ")
    note(
      Rejection(
        .missingField, field: names[0], "\(names[0]) is mandatory when \(others) are absent, too"))
  }
}
