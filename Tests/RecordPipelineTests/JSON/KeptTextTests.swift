import PipelineInvariants
import Testing

@testable import RecordPipeline

/// A token in a text of any field of any stream leaves only its digest.
struct KeptTextTests {
  private static let marker = "SECRETMARKER"

  /// The texts of strings that hold the marker in place of a token.
  private static let texts: [String] = {
    let json = "{\"purchaseToken\":\"\(marker)\"}"
    return [
      json, "{\"Purchasetoken\":\"\(marker)\"}", #"{"purchase\u0054oken":"SECRETMARKER"}"#,
      "{\"a\":[{\"accessToken\" : [\"\(marker)\"]}]}", "[\(json)]", "\"purchaseToken=\(marker)\"",
      "{\"a\":\(jsonText(json))}", "{\"a\":\(jsonText("{\"b\":\(jsonText(json))}"))}",
      "{\(jsonText(json)):1}", "{\"purchaseToken:\(marker)\":1}", "{\"PAYMENTTOKEN\":\"\(marker)\"",
      "purchaseToken=\(marker)&x=1", "PURCHASETOKEN: \(marker)", "receipt=\(json);",
      "{'paymentToken':'\(marker)'}", #"x {\"purchaseToken\":\"SECRETMARKER\"} y"#,
      // Text of spreadsheets, programs, addresses and pages.
      #"1,"{""purchaseToken"":""SECRETMARKER""}""#, #"purchaseToken=""SECRETMARKER"""#,
      #"purchaseToken="a""SECRETMARKER""#, #"purchaseToken: Optional("SECRETMARKER")"#,
      "{u'purchaseToken': u'SECRETMARKER'}", "accessToken: Bearer SECRETMARKER",
      "purchaseToken: |\n  SECRETMARKER", "purchaseToken:\u{A0}\"SECRETMARKER\"",
      "purchaseToken=,SECRETMARKER", "data[purchaseToken]=SECRETMARKER",
      "(purchaseToken): SECRETMARKER",
      "\u{201C}purchaseToken\u{201D}: \u{201C}SECRETMARKER\u{201D}", "purchaseToken%3DSECRETMARKER",
      "%22purchaseToken%22%3A%22SECRETMARKER%22",
      "&quot;purchaseToken&quot;:&quot;SECRETMARKER&quot;",
      #"{"a":1} {"purchase\u005cu0054oken":"SECRETMARKER"}"#,
      #"x {"purchase\\\\\\\\\\\\\\\\\\u0054oken\":\"SECRETMARKER\"}"#,
      #"accessToken=["sha256:abababababababababababababababababababababababababababababababab"]SECRETMARKER"#,
      #"x {\u005c\u0022purchaseToken\u005c\u0022:\u005c\u0022SECRETMARKER\u005c\u0022} y"#,
    ]
  }()

  /// A base line of a stream, and the changes that a test makes of it.
  private static func lines(of stream: RecordStream, _ name: String, _ value: String) -> [String] {
    switch stream.name {
    case "receipt": [receipt([name: value])]
    case "level_up": [levelUp([name: value])]
    case "game_user": [gameUser([name: value])]
    case "item": [item([name: value])]
    default: [event([name: value]), event(["category": "\"other\"", name: value])]
    }
  }

  private func expectNoMarker(_ lines: [String], as stream: RecordStream) throws {
    let reading = try Reading(lines.joined(separator: "\n"), as: stream)
    for row in reading.rows + reading.embedded {
      #expect(!row.description.contains(Self.marker))
    }
    for reject in reading.rejects {
      #expect(!String(decoding: reject.raw, as: UTF8.self).contains(Self.marker))
      #expect(!reject.rejection.reason.contains(Self.marker))
      #expect(reject.rejection.field?.contains(Self.marker) != true)
    }
    #expect(reading.totals.unknownFields.allSatisfy { $0.name?.contains(Self.marker) != true })
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every field of every stream`(name: String) throws {
    let stream = try #require(StreamCatalog.all.first { $0.name == name })
    for spelling in stream.names + ["unknown"] {
      try expectNoMarker(
        Self.texts.flatMap { Self.lines(of: stream, spelling, jsonText($0)) }, as: stream)
    }
    for text in Self.texts {
      let line = Self.lines(of: stream, "x", "1")[0].replacing("\"x\"", with: jsonText(text))
      try expectNoMarker([line], as: stream)
    }
  }

  private static let categories = [
    "loggedOut", "idPRevoked", "observerNetwork", "pushReceivedMessage", "pushClickAction",
    "serverPushAppKickout", "purchaseUpdated", "other",
  ]

  @Test(arguments: categories.indices)
  func `every member of the data of every category`(turn: Int) throws {
    let category = Self.categories[turn]
    let members =
      RecordStream.event.names + RecordStream.receipt.names + ["unknown"]
    // Each member meets some of the texts, and all of them over the categories.
    for (place, member) in members.enumerated() {
      let list = "{\"code\":1,\"authMappingList\":[\(jsonText(Self.texts[0]))]}"
      var lines = [event(["category": jsonText(category), "data": list])]
      for (number, text) in Self.texts.enumerated()
      where (place + number) % Self.categories.count == turn {
        var data = "\"code\":1,\"idPType\":\"g\",\"authMappingList\":[],"
        if category == "purchaseUpdated" { data = String(receipt().dropFirst().dropLast()) + "," }
        data = "{" + data + "\"\(member)\":\(jsonText(text))}"
        for value in [data, jsonText(data), "{\"message\":\(jsonText(data))}"] {
          lines.append(event(["category": jsonText(category), "data": value]))
        }
      }
      try expectNoMarker(lines, as: .event)
    }
  }

  @Test func `a stored token stands in its own column alone`() throws {
    var rules = standardRules
    rules.storesPurchaseTokens = true
    let payload = jsonText("{\"purchaseToken\":\"\(Self.marker)\"}")
    let row = try row(
      receipt(["purchaseToken": jsonText(Self.marker), "payload": payload, "x": payload]),
      rules: rules)
    #expect(row["purchase_token"] == Self.marker)
    for value in row.values where value.column.name != "purchase_token" {
      #expect(value.text?.contains(Self.marker) != true, "\(value.column.name)")
    }
  }

  /// A refused line is stored masked, and its replay must give what the line would have given.
  @Test(arguments: texts) func `a masked copy loads to the same texts`(text: String) throws {
    let line = receipt([
      "payload": jsonText(text), "x": jsonText(text), "gamebaseProductId": jsonText(text),
      "price": "\"x\"",
    ])
    let reject = try #require(try Reading(line, as: .receipt).rejects.first)
    let copy = String(decoding: reject.raw, as: UTF8.self)
    #expect(!copy.contains(Self.marker))
    func mended(_ line: String) throws -> Reading {
      try Reading(line.replacing("\"price\":\"x\"", with: "\"price\":1"), as: .receipt)
    }
    guard copy.hasSuffix("}") else { return }
    let (original, replayed) = (try mended(line), try mended(copy))
    #expect(replayed.rows.map(\.description) == original.rows.map(\.description))
    #expect(replayed.rejects.map(\.rejection) == original.rejects.map(\.rejection))
  }

  /// Quotes like `\u0022` do not say how many strings surround them.
  @Test func `a text whose level cannot be read is not kept`() throws {
    var text = "{\"purchaseToken\":\"\(Self.marker)\"}"
    for _ in 0..<40 {
      text =
        "{\"a\":\"" + text.replacing("\\", with: #"\u005c"#).replacing("\"", with: #"\u0022"#)
        + "\"}"
    }
    let payload = try #require(row(receipt(["payload": jsonText(text)]))["payload"])
    #expect(!payload.contains(Self.marker))
    let digest = try #require(row(receipt(["x": jsonText(text)]))["extra"])
    #expect(digest.utf8.count == "{'x':'sha256:'}".utf8.count + 64)
    try expectNoMarker([receipt(["x": jsonText(text), "price": "\"x\""])], as: .receipt)
    try expectNoMarker([String(receipt(["x": jsonText(text)]).dropLast())], as: .receipt)
  }

  @Test func `a member that exceeds the limit is named without a token`() throws {
    var rules = standardRules
    rules.limits.textBytes = 32
    for name in ["purchaseToken=\(Self.marker)", "{\"accessToken\":\"\(Self.marker)\"}"] {
      let members = "\(jsonText(name)):\"\(String(repeating: "a", count: 40))\""
      let lines = [
        String(receipt().dropLast()) + ",\(members)}",
        event(["category": "\"other\"", "data": "{\(members)}"]),
        event([
          "category": "\"purchaseUpdated\"", "data": String(receipt().dropLast()) + ",\(members)}",
        ]),
      ]
      for (line, stream) in zip(lines, [RecordStream.receipt, .event, .event]) {
        let refused = try rejection(line, as: stream, rules: rules)
        #expect(refused.code == .textTooLong)
        #expect(refused.field?.contains(Self.marker) == false, "\(refused)")
      }
    }
  }
}
