extension DecodedLine {
  /// Writes the columns of a field: the rule of its kind, but for the kinds of events, which `EventEncoder` has.
  ///
  /// A value with a problem is NULL, and the problem is noted.
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
    case .text:
      row.text(value(of: field) { line, raw throws(Rejection) in try line.text(raw) })
    case .textList:
      row.text(value(of: field) { line, raw throws(Rejection) in try line.textList(raw) })
    case .token:
      let token = value(of: field) { line, raw throws(Rejection) in try line.token(raw) }
      row.bytes(token?.sha256)
      row.text(secret: rules.storesPurchaseTokens ? token?.text : nil)

    case .level:
      row.integer(
        value(of: field) { line, raw throws(Rejection) in
          try line.integer(raw, "a level", "be between 0 and 2147483647", from: 0)
        })
    case .code:
      row.bigint(
        value(of: field) { line, raw throws(Rejection) in
          try line.integer(raw, "a code", "fit 64 bits")
        })
    case .itemNumber:
      row.bigint(
        value(of: field) { line, raw throws(Rejection) in
          try line.integer(raw, "an item number", "fit 64 bits", allowsText: true)
        })

    case .time, .observation: row.time(recordTime(field))
    case .observationSource:
      let isDefault = rules.isObservedAtGiven ? "option" : "load_start" as StaticString
      row.text(facts.hasObservedTime ? "line" : isDefault)
    case .checkedTime:
      _ = value(of: field) { line, raw throws(Rejection) in try line.time(raw) }
    case .expiry:
      row.time(value(of: field) { line, raw throws(Rejection) in try line.expiry(raw) } ?? nil)

    case .currency:
      // The currency stands before the time that decides whether it is valid.
      let time = timeField.map { recordTime($0) } ?? nil
      row.text(packedLetters: currency(field, at: time)?.packedCode)
    case .price:
      let price = price(field)
      row.bigint(price?.amountMinor)
      row.text(price?.keptText)
      row.boolean(price?.isRepaired ?? false)
      row.boolean(price?.isImprecise ?? false)
    case .productType:
      let type = value(of: field) { line, raw throws(Rejection) in try line.productType(raw) }
      if let type { row.text(type.type.rawValue) } else { row.null() }
      row.text(type?.differingText)

    case .purchaseType:
      facts.purchaseType = value(of: field) { line, raw throws(Rejection) in
        try line.purchaseType(raw)
      }
    case .flag:
      row.boolean(value(of: field) { line, raw throws(Rejection) in try line.flag(raw) })
    case .sandboxFlag: row.boolean(flag(field, impliedBy: .test))
    case .promotionFlag: row.boolean(flag(field, impliedBy: .promotion))

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
    let names = table.fields.filter { $0.kind != .anyOf && $0.slots & rule.slots != 0 }
      .map { table.names[$0.firstSlot] }
    let others = names.dropFirst().joined(separator: " and ")
    note(
      Rejection(
        .missingField, field: names[0], "\(names[0]) is mandatory when \(others) are absent, too"))
  }
}
