import Testing

@testable import RecordPipeline

/// Explanations of lines: the pipeline's verdict, and a result for every field.
struct LineExplanationTests {
  private func explain(
    _ line: String, as stream: RecordStream = .receipt, rules: NormalizationRules = standardRules
  ) throws -> LineExplanation {
    try InputLine.with(bytes: Array(line.utf8)) {
      try LineExplanation(of: $0, stream: stream, rules: rules)
    }
  }

  private func refused(_ explanation: LineExplanation) -> [String: RejectCode] {
    var refused: [String: RejectCode] = [:]
    for field in explanation.fields {
      if case .refused(let code, _) = field.result { refused[field.name] = code }
    }
    return refused
  }

  private func notChecked(_ explanation: LineExplanation) -> [String: String] {
    var notChecked: [String: String] = [:]
    for field in explanation.fields {
      if case .notChecked(let judge) = field.result { notChecked[field.name] = judge }
    }
    return notChecked
  }

  private func result(_ name: String, of explanation: LineExplanation) -> LineExplanation.Result? {
    explanation.fields.first { $0.name == name }?.result
  }

  // MARK: - The verdict

  @Test(arguments: StreamCatalog.all.map(\.name), [nil, "log"] as [String?])
  func `the verdict is the pipeline's, and the results of the fields agree with it`(
    name: String, unwrap: String?
  ) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    var rules = standardRules
    rules.unwrapField = unwrap
    var mutated = try MutatedLines(stream, seed: 3)
    var input: [UInt8] = []
    for _ in 0..<300 {
      input += unwrap == nil ? mutated.next() : mutated.nextWrapped()
      input.append(0x0A)
    }
    let reading = try Reading(ChunkedSource(input), as: stream, rules: rules)
    let rejects = Dictionary(uniqueKeysWithValues: reading.rejects.map { ($0.lineNumber, $0) })
    let rows = Dictionary(
      uniqueKeysWithValues: reading.rows.map { (Int($0["line_number"] ?? "") ?? 0, $0) })
    let embedded = Set(reading.embedded.map { $0["line_number"] })

    var reader = LineReader(ChunkedSource(input), limit: rules.limits.lineBytes) { _ in }
    var compared = 0
    while let line = try reader.next() {
      compared += 1
      let explanation = try LineExplanation(of: line, stream: stream, rules: rules)
      let shown = explanation.fields.map(\.source.debugDescription).joined()
      #expect(!String(decoding: explanation.masked, as: UTF8.self).contains("\n"))
      switch explanation.outcome {
      case .blank: #expect(rejects[line.number] == nil && rows[line.number] == nil)
      case .row, .suppressed:
        #expect(rows[line.number] != nil)
        #expect(refused(explanation).isEmpty && notChecked(explanation).isEmpty, "\(shown)")
        #expect(explanation.extra == rows[line.number]?["extra"])
        let isEmbedded = embedded.contains("\(line.number)")
        #expect(explanation.embeddedTable == (isEmbedded ? "game.receipt" : nil))
      case .rejected(let rejection):
        let reject = try #require(rejects[line.number])
        #expect(reject.rejection == rejection)
        guard let field = rejection.field, !explanation.fields.isEmpty else { continue }
        #expect(refused(explanation)[field] == rejection.code, "\(field) of \(shown)")
      }
    }
    #expect(compared == 300)
  }

  // MARK: - Every fault

  /// For each field of receipts, an invalid value and its reject code.
  private static let faults: [(name: String, value: String, code: RejectCode)] =
    RecordStream.receipt.fields.map { field in
      let fault: (value: String, code: RejectCode) =
        switch field.kind {
        case .identifier: ("1.5", .notAnInteger)
        case .user: ("\"0\"", .notLoggedIn)
        case .application: ("-1", .integerOutOfRange)
        case .itemNumber: ("0.5", .notAnInteger)
        case .time: ("1616649225", .timeInSeconds)
        case .checkedTime: ("1", .timeOutOfRange)
        case .expiry: ("\"-1\"", .invalidTime)
        case .currency: ("\"ABC\"", .invalidCurrency)
        case .price: ("-2", .negativePrice)
        case .sandboxFlag, .promotionFlag: ("\"\"", .invalidFlag)
        case .purchaseType: ("\"test\"", .invalidPurchaseType)
        default: ("5", .wrongType)
        }
      return (RecordStream.receipt.names[field.firstSlot], fault.value, fault.code)
    }

  @Test func `every fault of a line is reported, whatever its other faults`() throws {
    // Each fault alone, each pair, and all at once.
    for first in Self.faults.indices {
      for second in Self.faults.indices.dropFirst(first) {
        try check([Self.faults[first], Self.faults[second]])
      }
    }
    try check(Self.faults)
  }

  private func check(_ faults: [(name: String, value: String, code: RejectCode)]) throws {
    var expected: [String: RejectCode] = [:]
    var members = [
      "userId": "\"u1\"", "paymentSeq": "\"p1\"", "purchaseTime": "1616649225531",
      "price": "4.99", "currency": "\"USD\"",
    ]
    for fault in faults {
      members[fault.name] = fault.value
      expected[fault.name] = fault.code
    }
    let line = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    let refused = refused(try explain(line))
    #expect(refused == expected, "\(line)")
  }

  @Test func `a field that depends on a faulty one is not checked`() throws {
    let time = try explain(receipt(["purchaseTime": "null", "currency": "\"USD\""]))
    #expect(refused(time) == ["purchaseTime": .missingField])
    #expect(notChecked(time) == ["currency": "purchaseTime"])
    let old = try explain(receipt(["purchaseTime": "1", "currency": "\"DEM\""]))
    #expect(notChecked(old) == ["currency": "purchaseTime"])
    let currency = try explain(receipt(["currency": "\"XXX\"", "price": "4.9999"]))
    #expect(refused(currency) == ["currency": .currencyWithoutMinorUnit])
    #expect(notChecked(currency) == ["price": "currency"])
  }

  @Test func `if one of two spellings is invalid, only that one is refused`() throws {
    let one = try explain(receipt(["purchaseTimeMillis": "1616649225"]))
    #expect(refused(one) == ["purchaseTimeMillis": .timeInSeconds])
    #expect(result("purchaseTime", of: one) == .notChecked("purchaseTimeMillis"))
    let both = try explain(receipt(["itemSeq": "1", "productSeq": "2"]))
    #expect(refused(both) == ["itemSeq": .ambiguousField, "productSeq": .ambiguousField])
    let all = try explain(
      receipt(["sandboxPayment": "true", "isTestPurchase": "5", "bIsTestPurchase": "\"x\""]))
    #expect(refused(all) == ["isTestPurchase": .invalidFlag, "bIsTestPurchase": .invalidFlag])
    #expect(result("sandboxPayment", of: all) == .notChecked("isTestPurchase"))
  }

  @Test func `a fault beside the name of a token is still reported`() throws {
    let explanation = try explain(receipt(["paymentId": #""purchaseToken=SECRET\u0000""#]))
    #expect(refused(explanation) == ["paymentId": .invalidCharacter])
    #expect(!explanation.fields.contains { $0.source?.contains("SECRET") == true })
    #expect(!String(decoding: explanation.masked, as: UTF8.self).contains("SECRET"))
  }

  // MARK: - The explanation

  @Test func `an accepted line shows what each field becomes`() throws {
    let explanation = try explain(
      receipt([
        "price": "4.989999771118164", "productType": "\"auto renewable\"",
        "purchaseToken": "\"SECRET\"", "x": "1",
      ]))
    #expect(explanation.outcome == .row)
    #expect(
      result("price", of: explanation)
        == .becomes([
          "amount_minor = 499", "price_raw = 4.989999771118164", "price_repaired = true",
        ]))
    #expect(
      result("productType", of: explanation)
        == .becomes(["product_type = AUTO_RENEWABLE", "product_type_raw = auto renewable"]))
    #expect(explanation.extra == #"{"x":1}"#)
    #expect(!explanation.fields.contains { $0.source?.contains("SECRET") == true })
  }

  @Test func `a token is not shown, even when tokens are stored`() throws {
    var rules = standardRules
    rules.storesPurchaseTokens = true
    let explanation = try explain(receipt(["accessToken": "\"SECRET\""]), rules: rules)
    #expect(!"\(explanation)".contains("SECRET"))
  }

  @Test func `a push message that is refused is shown as written`() throws {
    for (message, name) in [
      ("[1]", "data.message"), (#""text""#, "data.message"),
      (#"{"title":1}"#, "data.message.title"),
    ] {
      let explanation = try explain(
        event([
          "category": #""pushClickAction""#,
          "data": "{\"actionType\":\"a\",\"message\":\(message)}",
        ]), as: .event)
      let field = try #require(explanation.fields.first { $0.name == name })
      guard case .refused = field.result else {
        Issue.record("\(field)")
        continue
      }
      #expect(field.source == (name == "data.message" ? message : "1"))
    }
  }

  @Test func `a line that is not an object shows its masked text`() throws {
    let explanation = try explain(#"{"purchaseToken":"SECRET",}"#)
    #expect(explanation.fields.isEmpty)
    #expect(
      String(decoding: explanation.masked, as: UTF8.self).hasPrefix(#"{"purchaseToken":"sha256:"#))
  }
}
