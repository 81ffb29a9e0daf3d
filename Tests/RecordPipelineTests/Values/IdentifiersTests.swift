import RecordPipeline
import Testing

/// Values that depend on an option or a limit; the fixtures have the others.
struct IdentifiersTests {
  @Test func `the limit of an identifier is the configured one`() throws {
    var rules = standardRules
    rules.limits.identifierBytes = 2
    #expect(try row(receipt(["userId": #""é""#]), rules: rules)["user_id"] == "é")
    #expect(try rejection(receipt(["userId": #""abc""#]), rules: rules).code == .identifierTooLong)
  }

  @Test func `the application comes from the line, else the option`() throws {
    var rules = standardRules
    rules.appID = "given"
    #expect(try row(receipt(), rules: rules)["app_id"] == "given")
    #expect(try row(receipt(["appId": #""""#]), rules: rules)["app_id"] == "given")
    #expect(try row(levelUp(["appId": "null"]), as: .levelUp, rules: rules)["app_id"] == "given")
    #expect(try row(gameUser(["appId": #""own""#]), as: .gameUser, rules: rules)["app_id"] == "own")
  }

  @Test(
    arguments: [
      (nil, "2021-03-25T05:13:45.531Z option"), ("\"\"", "2021-03-25T05:13:45.531Z option"),
      ("1577836800000", "2020-01-01T00:00:00.000Z line"),
    ] as [(String?, String)])
  func `a snapshot's time comes from the line, else the option`(
    time: String?, expected: String
  ) throws {
    var rules = standardRules
    rules.observedAt = 1_616_649_225_531
    let row = try row(gameUser(["eventTime": time]), as: .gameUser, rules: rules)
    #expect("\(row["observed_at"] ?? "") \(row["observed_at_source"] ?? "")" == expected)
  }
}
