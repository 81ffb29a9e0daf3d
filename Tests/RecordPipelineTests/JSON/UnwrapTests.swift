import RecordPipeline
import Testing

/// Lines of log exports, in which one field holds the record, as an object or a string.
struct UnwrapTests {
  private let rules: NormalizationRules = {
    var rules = standardRules
    rules.unwrapField = "log"
    return rules
  }()

  private static let record =
    #"{"paymentSeq":"p1","purchaseTime":1616649225531,"price":4.99,"currency":"USD","#
    + #""purchaseToken":"a\/b","note":"x"}"#

  /// A text as a JSON string.
  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private static let escaped = record.unicodeScalars.map {
    "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst()
  }.joined()

  @Test(arguments: [record, quoted(record), "\"\(escaped)\"", quoted(" \(record) ")])
  func `the record is an object, or a string that holds one`(value: String) throws {
    for line in [
      "{\"userId\":\"u1\",\"level\":\"INFO\",\"log\":\(value),\"appId\":\"a1\"}",
      "{\"userId\":\"u1\",\"level\":\"INFO\",\"l\\u006fg\":\(value),\"appId\":\"a1\"}",
    ] {
      let row = try row(line, rules: rules)
      #expect(row["user_id"] == "u1")
      #expect(row["app_id"] == "a1")
      #expect(row["payment_seq"] == "p1")
      #expect(row["amount_minor"] == "499")
      #expect(row["extra"] == #"{"level":"INFO","note":"x"}"#)
      // The digest is that of the token's text, "a/b".
      #expect(
        row["purchase_token_sha256"]
          == "c14cddc033f64b9dea80ea675cf280a015e672516090a5626781153dc68fea11")
    }
  }

  @Test func `of the fields around a record, only those of the envelope are used`() throws {
    // The price and payload beside the record are not the record's; they go to `extra`.
    let line =
      #"{"payload":{"a":1},"price":7,"productType":"X","eventTime":1616649225531,"userId":"u1","log":"#
      + Self.record + "}"
    let row = try row(line, rules: rules)
    #expect(row["amount_minor"] == "499")
    #expect(row["payload"] == nil)
    #expect(
      row["extra"]
        == #"{"payload":{"a":1},"price":7,"productType":"X","eventTime":1616649225531,"note":"x"}"#)
  }

  @Test func `the record may name its own user, and both must agree`() throws {
    let inside = #"{"userId":"u1","userLevel":3}"#
    let level = { (outside: String) in "{\"userId\":\"\(outside)\",\"log\":\(inside)}" }
    #expect(try row(level("u1"), as: .gameUser, rules: rules)["user_level"] == "3")
    #expect(try row("{\"log\":\(inside)}", as: .gameUser, rules: rules)["user_id"] == "u1")
    let refused = try rejection(level("u2"), as: .gameUser, rules: rules)
    #expect(refused == Rejection(.ambiguousField, field: "userId", refused.reason))
  }

  @Test(
    arguments: [
      ("{}", .missingField), (#"{"log":null}"#, .missingField), (#"{"log":""}"#, .missingField),
      (#"{"Log":{}}"#, .missingField), (#"{"log":5}"#, .wrongType), (#"{"log":[{}]}"#, .wrongType),
      (#"{"log":"x"}"#, .malformedJSON), (#"{"log":"{\"a\":1"}"#, .malformedJSON),
      (#"{"log":"{} {}"}"#, .malformedJSON), (#"{"log":"[]"}"#, .notAnObject),
      (#"{"log":"\"{}\""}"#, .notAnObject), (#"{"log":"{\"a\":\"\u0000\"}"}"#, .invalidCharacter),
      (#"{"log":"{\"a\":\"\ud800\"}"}"#, .invalidCharacter),
      (#"{"log":{"a":1},"log":"{}"}"#, .ambiguousField),
      (#"{"log":"{\"a\":\"\n\"}"}"#, .malformedJSON),
    ] as [(String, RejectCode)])
  func `a line without a valid record is refused with the name of the record's field`(
    line: String, code: RejectCode
  ) throws {
    let refused = try rejection(line, as: .gameUser, rules: rules)
    #expect(refused == Rejection(code, field: "log", refused.reason))
  }

  @Test(arguments: ["null", #""""#, #""{\"userId\":\"u1\", \"userLevel\":3}""#])
  func `a record that occurs twice is read once`(other: String) throws {
    let record = #"{"userId":"u1", "userLevel":3}"#
    for line in ["{\"log\":\(record),\"log\":\(other)}", "{\"log\":\(other),\"log\":\(record)}"] {
      #expect(try row(line, as: .gameUser, rules: rules)["user_level"] == "3")
    }
  }

  @Test func `a fault within the record names the field in the record`() throws {
    let line = #"{"userId":"u1","log":"{\"userLevel\":-1}"}"#
    let refused = try rejection(line, as: .gameUser, rules: rules)
    #expect(refused == Rejection(.integerOutOfRange, field: "userLevel", refused.reason))
    let broken = try rejection(
      #"{"userId":"u1","log":{"userLevel":-1}"#, as: .gameUser, rules: rules)
    #expect(broken == Rejection(.malformedJSON, broken.reason))
  }

  @Test func `nesting is counted from the line, and anew in a record that is a string`() throws {
    var rules = rules
    rules.limits.nesting = 4
    let deep = #"{"userLevel":1,"x":[[]]}"#
    #expect(
      try row("{\"userId\":\"u\",\"log\":\(deep)}", as: .gameUser, rules: rules)["extra"]
        == #"{"x":[[]]}"#)
    let deeper = #"{"userLevel":1,"x":[[[]]]}"#
    let refused = try rejection("{\"userId\":\"u\",\"log\":\(deeper)}", as: .gameUser, rules: rules)
    #expect(refused.code == .nestingTooDeep)
    let text = "{\"userId\":\"u\",\"log\":\(Self.quoted(deeper))}"
    #expect(try row(text, as: .gameUser, rules: rules)["extra"] == #"{"x":[[[]]]}"#)
  }

  @Test func `a reject contains no token of its record, and loads when it is corrected`() throws {
    let record = Self.record.replacing("4.99", with: "4.999")
    for value in [record, Self.quoted(record)] {
      let reading = try Reading(
        "{\"userId\":\"u1\",\"log\":\(value)}", as: .receipt, rules: rules)
      let raw = try #require(reading.rejects.first).raw
      let text = String(decoding: raw, as: UTF8.self)
      #expect(!text.contains("a/b") && !text.contains(#"a\/b"#) && !text.contains(#"a\\/b"#))
      let mended = text.replacing("4.999", with: "4.99")
      #expect(
        try row(mended, rules: rules)["purchase_token_sha256"]
          == "c14cddc033f64b9dea80ea675cf280a015e672516090a5626781153dc68fea11")
    }
  }
}
