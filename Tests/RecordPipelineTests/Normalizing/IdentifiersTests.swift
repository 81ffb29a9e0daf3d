import RecordPipeline
import Testing

struct IdentifiersTests {
  @Test(arguments: [
    (#""QXG774""#, "QXG774"), (#"" padded ""#, " padded "), (#""00""#, "00"), (#""-1""#, "-1"),
    ("1", "1"), ("2021032510000001", "2021032510000001"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    (#""\u0041\/\ud83d\ude00""#, "A/\u{1F600}"), ("\"e\u{301}\"", "e\u{301}"),
    ("\"\u{212A}\u{200B}\u{202E}\"", "\u{212A}\u{200B}\u{202E}"), (#""null""#, "null"),
    (#""\\N""#, "\\N"), (#""'; drop table x --""#, "'; drop table x --"), ("\"\u{A0}\"", "\u{A0}"),
  ])
  func `an identifier is kept byte for byte`(text: String, expected: String) throws {
    let row = try row(receipt(["userId": text, "paymentSeq": text, "storeCode": text]))
    for column in ["user_id", "payment_seq", "store_code"] {
      #expect(row[column].map { Array($0.utf8) } == Array(expected.utf8))
    }
  }

  @Test(arguments: [
    ("null", RejectCode.missingField), (#""""#, .missingField), (#"" ""#, .emptyIdentifier),
    (#""\t\r\n \u0020""#, .emptyIdentifier), ("true", .wrongType), ("[]", .wrongType),
    ("{}", .wrongType), ("1.0", .notAnInteger), ("1e3", .notAnInteger), ("0.5", .notAnInteger),
    ("-1", .integerOutOfRange), ("-0", .integerOutOfRange), ("-1.5", .integerOutOfRange),
    (#""a\u0000""#, .invalidCharacter), (#""\ud800x""#, .invalidCharacter),
    (#""\udc00\ud800""#, .invalidCharacter),
  ])
  func `an invalid mandatory identifier is refused`(text: String, code: RejectCode) throws {
    for name in ["userId", "paymentSeq"] {
      let changes: KeyValuePairs<String, String?> = [name: text]
      let rejection = try rejection(receipt(changes))
      #expect(rejection.code == code)
      #expect(rejection.field == name)
    }
  }

  @Test(arguments: [("null", nil), (#""""#, nil), (#"" ""#, " "), (#""\t""#, "\t"), ("0", "0")])
  func `an optional identifier may be absent or blank`(text: String, expected: String?) throws {
    #expect(try row(receipt(["paymentId": text]))["payment_id"] == expected)
  }

  @Test func `the limit counts bytes after escapes are resolved`() throws {
    let texts = [
      String(repeating: "x", count: 512), String(repeating: "é", count: 256),
      String(repeating: "\\u0041", count: 512), String(repeating: "\\ud83d\\ude00", count: 128),
    ]
    for text in texts {
      #expect(try row(receipt(["userId": "\"\(text)\""]))["user_id"]?.isEmpty == false)
      #expect(try rejection(receipt(["userId": "\"\(text)x\""])).code == .identifierTooLong)
      #expect(try rejection(receipt(["storeCode": "\"\(text)x\""])).code == .identifierTooLong)
    }
    let digits = String(repeating: "9", count: 512)
    #expect(try row(receipt(["userId": digits]))["user_id"] == digits)
    #expect(try rejection(receipt(["userId": digits + "9"])).code == .identifierTooLong)
    var rules = standardRules
    rules.limits.identifierBytes = 2
    #expect(try rejection(receipt(["userId": #""abc""#]), rules: rules).code == .identifierTooLong)
  }

  @Test(arguments: [#""0""#, "0", #""\u0030""#])
  func `the user id 0 is refused as not logged in`(text: String) throws {
    for (line, stream) in [
      (receipt(["userId": text]), RecordStream.receipt), (levelUp(["userId": text]), .levelUp),
      (gameUser(["userId": text]), .gameUser),
    ] {
      let rejection = try rejection(line, as: stream)
      #expect(rejection.code == .notLoggedIn)
      #expect(rejection.field == "userId")
    }
    #expect(try row(receipt(["paymentSeq": text]))["payment_seq"] == "0")
  }

  @Test func `the application comes from the line, else the option, else it is empty`() throws {
    var rules = standardRules
    #expect(try row(receipt())["app_id"] == "")
    rules.appID = "given"
    #expect(try row(receipt(), rules: rules)["app_id"] == "given")
    #expect(try row(receipt(["appId": #""""#]), rules: rules)["app_id"] == "given")
    #expect(try row(levelUp(["appId": "null"]), as: .levelUp, rules: rules)["app_id"] == "given")
    #expect(try row(gameUser(["appId": #""own""#]), as: .gameUser, rules: rules)["app_id"] == "own")
  }

  @Test func `a snapshot's time comes from the line, else the option, else the start of the run`()
    throws
  {
    var rules = standardRules
    let source = { (line: String, rules: NormalizationRules) in
      let row = try row(line, as: .gameUser, rules: rules)
      return "\(row["observed_at"] ?? "") \(row["observed_at_source"] ?? "")"
    }
    #expect(try source(gameUser(), rules) == "2026-11-21T00:00:00.000Z load_start")
    rules.observedAt = 1_616_649_225_531
    rules.isObservedAtGiven = true
    #expect(try source(gameUser(), rules) == "2021-03-25T05:13:45.531Z option")
    #expect(try source(gameUser(["eventTime": "\"\""]), rules) == "2021-03-25T05:13:45.531Z option")
    let own = gameUser(["eventTime": #""2020-01-01T00:00:00Z""#])
    #expect(try source(own, rules) == "2020-01-01T00:00:00.000Z line")
  }
}
