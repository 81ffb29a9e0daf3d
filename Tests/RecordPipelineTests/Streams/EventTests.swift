import Foundation
import Testing

@testable import RecordPipeline

/// Event messages: their numbers, and the masking of tokens at any depth.
///
/// The fixture of the stream has the categories, the spellings and the levels of escaping.
struct EventTests {
  private func digest(_ text: String) -> String {
    Array(text.utf8).withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return "" }
      let digest = Secrets.writtenDigest(of: ByteSlice(start: start, count: text.count))
      return String(decoding: digest, as: UTF8.self)
    }
  }

  @Test func `a message without a number has the digest of category, user and data`() throws {
    let data = #"{"message":"b\u00e9","a":[1, 2]}"#
    let expected = digest("loggedOut\u{0}u1\u{0}\(data)")
    for value in [data, jsonText(data)] {
      #expect(try row(event(["data": value]), as: .event)["event_id"] == expected)
    }
    // The name of a constant stands for its value.
    let line = event(["data": data, "category": #""kTCGBLoggedOut""#])
    #expect(try row(line, as: .event)["event_id"] == expected)
    #expect(
      try row(event(["userId": nil]), as: .event)["event_id"] == digest("loggedOut\u{0}\u{0}"))
    #expect(
      try row(event(["userId": "0", "data": #""""#]), as: .event)["event_id"]
        == digest("loggedOut\u{0}\u{0}"))
  }

  /// Data with a token, and the same data with its digest.
  private static let tokens: [(data: String, token: String)] = [
    (#"{"purchaseToken":"TOKEN","x":1}"#, "TOKEN"),
    (#"{"a":{"accessToken":"TOKEN"},"é":"\u00e9\/"}"#, "TOKEN"),
    (#"{"a":"{\"paymentToken\":\"TOKEN\",\"b\":\"\\u00e9\\/\"}"}"#, "TOKEN"),
    (#"{"a":"{\"b\":\"{\\\"purchaseToken\\\":\\\"TOKEN\\\"}\"}","c":"\u0041"}"#, "TOKEN"),
  ]

  @Test(arguments: tokens.indices)
  func `the number covers the bytes of the data, with digests in place of tokens`(
    index: Int
  ) throws {
    let (data, token) = Self.tokens[index]
    let masked = data.replacing(token, with: digest(token))
    let expected = digest("loggedOut\u{0}u1\u{0}\(masked)")
    for value in [data, masked, jsonText(data), jsonText(masked)] {
      let row = try row(event(["data": value]), as: .event)
      #expect(row["event_id"] == expected, "\(value)")
      #expect(row["data"]?.contains(token) == false)
    }
  }

  @Test(arguments: tokens.indices)
  func `the masked copy of a line loads to the same row`(index: Int) throws {
    for value in [Self.tokens[index].data, jsonText(Self.tokens[index].data)] {
      let line = event(["data": value, "more": jsonText(Self.tokens[index].data)])
      let stored = StoredLine(bytes: Array(line.utf8), number: 1, byteOffset: 0)
      let masked = stored.withLine { line in
        TokenMasking.keptLine(line.bytes, limits: standardRules.limits)
      }
      let copy = String(decoding: masked, as: UTF8.self)
      #expect(!copy.contains(Self.tokens[index].token))
      #expect(try row(copy, as: .event).description == row(line, as: .event).description)
    }
  }

  @Test func `a token that is no string becomes the digest of its bytes`() throws {
    for (value, bytes) in [
      ("12345", "12345"), (#"{"a" : [1]}"#, #"{"a" : [1]}"#), ("true", "true"),
    ] {
      let data = "{\"purchaseToken\":\(value)}"
      let row = try row(event(["data": data]), as: .event)
      #expect(row["data"] == "{\"purchaseToken\":\"\(digest(bytes))\"}")
      #expect(
        row["event_id"] == digest("loggedOut\u{0}u1\u{0}{\"purchaseToken\":\"\(digest(bytes))\"}"))
    }
  }

  @Test func `the payload of a receipt is the developer's text, with a digest for each token`()
    throws
  {
    let data = receipt(["payload": jsonText(#"{"purchaseToken":"mine", "x":1}"#)])
    let reading = try Reading(
      event(["category": #""purchaseUpdated""#, "data": jsonText(data)]), as: .event)
    #expect(
      reading.embedded.first?["payload"] == "{\"purchaseToken\":\"\(digest("mine"))\", \"x\":1}")
  }

  @Test func `data that occurs twice is the same in any order of its members`() throws {
    let written = #"{"a":1, "b":"x"}"#
    let other = #"{ "b":"x","\u0061":1 }"#
    for (first, second) in [
      (written, other), (written, jsonText(other)), (jsonText(other), written),
      ("null", written), (written, #""""#),
    ] {
      let line = event(["category": #""other""#, "data": "\(first),\"data\":\(second)"])
      #expect(try Reading(line, as: .event).rejects.map(\.rejection) == [])
    }
    for second in [#"{"a":1}"#, #"{"a":1,"b":"y"}"#, #"{"a":1,"b":"x","b":"x"}"#, "[]", #""x""#] {
      let line = event(["category": #""other""#, "data": "\(written),\"data\":\(second)"])
      #expect(try rejection(line, as: .event).code == .ambiguousField, "\(second)")
    }
  }

  @Test func `the push message of an action that occurs twice is the same in any order`() throws {
    func action(_ second: String) -> String {
      let push = #"{"id":"1","title":"t"}"#
      let data = "{\"actionType\":\"a\",\"message\":\(jsonText(push)),\"message\":\(second)}"
      return event(["category": #""pushClickAction""#, "data": data])
    }
    #expect(try row(action(#"{"title":"t", "id":"1"}"#), as: .event)["push_id"] == "1")
    let refused = try rejection(action(#"{"title":"u","id":"1"}"#), as: .event)
    #expect(refused == Rejection(.ambiguousField, field: "data.message", refused.reason))
  }

  @Test func `the receipt of an event is the row of the same line of receipts`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/receipt/input.jsonl")
    var compared = (rows: 0, rejects: 0)
    for line in try Array(Data(contentsOf: file)).split(separator: 0x0A) {
      // The data is text: a line's carriage return would have to be an escape.
      let line = line.last == 0x0D ? line.dropLast() : line
      guard let text = String(validating: line, as: UTF8.self), text.hasPrefix("{\"") else {
        continue
      }
      let alone = try Reading(text + "\n", as: .receipt)
      let code = alone.rejects.first?.rejection.code
      guard code != .malformedJSON, code != .nestingTooDeep, !alone.rows.isEmpty || code != nil
      else { continue }
      let within = try Reading(
        event(["userId": nil, "category": #""purchaseUpdated""#, "data": jsonText(text)]),
        as: .event)
      #expect(within.embedded.map(\.description) == alone.rows.map(\.description), "\(text)")
      let field = alone.rejects.first?.rejection.field.map { "data.\($0)" }
      #expect(within.rejects.first?.rejection.code == code)
      #expect(within.rejects.first?.rejection.field == field)
      compared.rows += alone.rows.count
      compared.rejects += alone.rejects.count
    }
    #expect(compared.rows > 50 && compared.rejects > 50, "\(compared)")
  }

  @Test func `the user and the time of an envelope count for an event`() throws {
    var rules = standardRules
    rules.unwrapField = "log"
    let line =
      #"{"eventTime":1616649225531,"userId":"u1","log":"{\"type\":\"LAUNCHING\",\"data\":{\"code\":1}}"}"#
    let row = try row(line, as: .event, rules: rules)
    #expect([row["user_id"], row["category"], row["code"]] == ["u1", "observerLaunching", "1"])
  }
}
