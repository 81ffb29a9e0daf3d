import RecordPipeline
import Testing

struct ExtraWriterTests {
  private func extra(_ members: String) throws -> (json: String?, isRepaired: String?) {
    let row = try row("{\"userId\":\"u1\",\(members)\"userLevel\":2}", as: .gameUser)
    return (row["extra"], row["text_repaired"])
  }

  /// The digest of `abc`.
  private let digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func `a line without unknown fields has no extra`() throws {
    let extra = try extra("")
    #expect(extra.json == nil)
    #expect(extra.isRepaired == "false")
  }

  @Test(arguments: [
    #""a":1"#, #""a":1.50e+007"#, #""a":-0"#, #""a":true,"b":false,"c":null"#, #""a":"""#,
    #""a":[ 1 ,  { "b" : "c" } ]"#, #""b":1,"a":2"#, #""a":1,"a":"two""#, #""":0"#,
    #""é":"\u00e9\/\n""#, #""a\u0041\"":"\\u0000""#, #""a":"\ud83d\ude00""#, #""UserID":"x""#,
    #""userid":1"#, #""a":{"userId":5}"#, "\"a\":\"\u{2028}e\u{301}\u{1F600}\"",
  ])
  func `members are kept in order, byte for byte`(members: String) throws {
    let extra = try extra(members + ",")
    #expect(extra.json.map { Array($0.utf8) } == Array("{\(members)}".utf8))
    #expect(extra.isRepaired == "false")
  }

  @Test func `white space is kept within values and removed around members`() throws {
    #expect(try extra(" \"a\" :\t1 , \"b\" : [ 1 , 2 ] ,").json == #"{"a":1,"b":[ 1 , 2 ]}"#)
  }

  @Test(arguments: [
    (#""a":"x\u0000y""#, "{\"a\":\"x\u{FFFD}y\"}"), (#""a\ud800":1"#, "{\"a\u{FFFD}\":1}"),
    (#""a":["\udc00"]"#, "{\"a\":[\"\u{FFFD}\"]}"),
    (#""a":{"\u0000":"\ud83d\ude00\ud83d"}"#, "{\"a\":{\"\u{FFFD}\":\"\\ud83d\\ude00\u{FFFD}\"}}"),
    (#""a":"\\\u0000\\u0000""#, "{\"a\":\"\\\\\u{FFFD}\\\\u0000\"}"),
  ])
  func `text that PostgreSQL cannot store is repaired and marked`(
    members: String, expected: String
  ) throws {
    let extra = try extra(members + ",")
    #expect(extra.json == expected)
    #expect(extra.isRepaired == "true")
  }

  @Test(arguments: ["purchaseToken", "accessToken", "paymentToken", "paymentT\\u006fken"])
  func `tokens become digests at any depth`(name: String) throws {
    #expect(try extra("\"\(name)\":\"abc\",").json == "{\"\(name)\":\"\(digest)\"}")
    #expect(try extra("\"\(name)\":\"\\u0061bc\",").json == "{\"\(name)\":\"\(digest)\"}")
    #expect(try extra("\"\(name)\":\"\(digest)\",").json == "{\"\(name)\":\"\(digest)\"}")
    #expect(try extra("\"\(name)\":null,").json == "{\"\(name)\":null}")
    #expect(try extra("\"\(name)\":\"\",").json == "{\"\(name)\":\"\"}")
    #expect(
      try extra("\"a\":[[{\"b\":{\"\(name)\" : \"abc\"}}]],").json
        == "{\"a\":[[{\"b\":{\"\(name)\" : \"\(digest)\"}}]]}")
    for value in ["123", "true", "[\"abc\"]", "{\"a\":\"abc\"}"] {
      let json = try #require(try extra("\"\(name)\":\(value),").json)
      #expect(json.hasPrefix("{\"\(name)\":\"sha256:") && json.utf8.count == name.utf8.count + 78)
    }
  }

  @Test func `the event time of a receipt or level-up is checked, and kept only once`() throws {
    let time = "1616649225531"
    for (value, expected) in [
      (time, "{\"eventTime\":\(time)}"), ("null", nil), ("\"\"", nil),
      ("\(time),\"eventTime\":\"\(time)\"", "{\"eventTime\":\(time)}"),
      ("null,\"eventTime\":\(time)", "{\"eventTime\":\(time)}"),
      ("\"\",\"eventTime\":null,\"event\\u0054ime\":\(time)", "{\"event\\u0054ime\":\(time)}"),
    ] {
      #expect(try row(receipt(["eventTime": value]))["extra"] == expected)
      #expect(try row(levelUp(["eventTime": value]), as: .levelUp)["extra"] == expected)
    }
    #expect(try rejection(receipt(["eventTime": "5"])).field == "eventTime")
    #expect(try row(gameUser(["eventTime": time]), as: .gameUser)["extra"] == nil)
  }

  @Test func `no value of one line appears in the next`() throws {
    let lines = [gameUser(["a": #""\u0000""#]), "{", gameUser(), gameUser(["b": "1"])]
    let reading = try Reading(lines.joined(separator: "\n"), as: .gameUser)
    #expect(reading.rows.map { $0["extra"] } == ["{\"a\":\"\u{FFFD}\"}", nil, "{\"b\":1}"])
    #expect(reading.rows.map { $0["text_repaired"] } == ["true", "false", "false"])
  }
}
