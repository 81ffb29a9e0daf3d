import RecordPipeline
import Testing

struct IntegersTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.0e5", "0"), ("20", "20"), ("20.0", "20"), ("2e1", "20"),
    ("200e-1", "20"), ("0.2E+2", "20"), ("2147483647", "2147483647"),
    ("2.147483647e9", "2147483647"), ("0e999999999999", "0"), ("0.000e-99999", "0"),
  ])
  func `a level is a whole number in any notation`(text: String, level: String) throws {
    #expect(try row(levelUp(["userLevel": text]), as: .levelUp)["user_level"] == level)
    #expect(try row(gameUser(["userLevel": text]), as: .gameUser)["user_level"] == level)
  }

  @Test(arguments: [
    ("20.5", RejectCode.notAnInteger), ("1e-1", .notAnInteger), ("-0.5", .notAnInteger),
    ("1e-400", .notAnInteger), ("-1", .integerOutOfRange), ("2147483648", .integerOutOfRange),
    ("1e19", .integerOutOfRange), ("1e400", .integerOutOfRange),
    ("1e2147483648", .integerOutOfRange),
    ("18446744073709551616", .integerOutOfRange), (#""20""#, .wrongType), (#"" ""#, .wrongType),
    ("true", .wrongType), ("[]", .wrongType), ("null", .missingField), (#""""#, .missingField),
  ])
  func `an invalid level is refused, and never stored as 0`(text: String, code: RejectCode) throws {
    for (line, stream) in [
      (levelUp(["userLevel": text]), RecordStream.levelUp),
      (gameUser(["userLevel": text]), .gameUser),
    ] {
      let rejection = try rejection(line, as: stream)
      #expect(rejection.code == code)
      #expect(rejection.field == "userLevel")
    }
  }

  @Test(arguments: [
    ("5", "5"), ("5.0", "5"), ("5e0", "5"), (#""5""#, "5"), (#""005""#, "5"), (#""\u0035""#, "5"),
    ("-5", "-5"), ("-0", "0"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9007199254740993", "9007199254740993"),
    (#""9223372036854775807""#, "9223372036854775807"), ("null", nil), (#""""#, nil),
    ("9223372036854775807.000", "9223372036854775807"),
    ("922337203685477580.7e1", "9223372036854775807"),
  ])
  func `an item number is any signed 64-bit integer`(text: String, expected: String?) throws {
    #expect(try row(receipt(["itemSeq": text]))["item_seq"] == expected)
    #expect(try row(receipt(["productSeq": text]))["item_seq"] == expected)
  }

  @Test(arguments: [
    ("5.5", RejectCode.notAnInteger), ("1e-400", .notAnInteger), (#""5.0""#, .notAnInteger),
    (#""-5""#, .notAnInteger), (#"" 5""#, .notAnInteger), (#""five""#, .notAnInteger),
    (#""٥""#, .notAnInteger), (#""5\u0000""#, .notAnInteger),
    ("9223372036854775808", .integerOutOfRange), ("-9223372036854775809", .integerOutOfRange),
    (#""9223372036854775808""#, .integerOutOfRange), ("1e400", .integerOutOfRange),
    ("true", .wrongType), ("[5]", .wrongType), ("{}", .wrongType),
  ])
  func `an invalid item number is refused`(text: String, code: RejectCode) throws {
    let rejection = try rejection(receipt(["itemSeq": text]))
    #expect(rejection.code == code)
    #expect(rejection.field == "itemSeq")
  }
}
