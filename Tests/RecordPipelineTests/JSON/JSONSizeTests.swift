import RecordPipeline
import Testing

/// Deep, wide and long lines: the limits hold, without a crash or a hang.
struct JSONSizeTests {
  private func nested(_ levels: Int) -> String {
    // The line's own object is level 1.
    let depth = levels - 1
    return gameUser([
      "x": String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    ])
  }

  /// Rules under which the members without a column may have some megabytes.
  private var roomy: NormalizationRules {
    var rules = standardRules
    rules.limits.textBytes = 16 * 1024 * 1024
    return rules
  }

  @Test(arguments: [514, 1023, 1024, 1025, 1026, 5000, 100_000])
  func `nesting above the limit is refused`(levels: Int) throws {
    #expect(try rejection(nested(levels), as: .gameUser).code == .nestingTooDeep)
    let objects = gameUser(["x": String(repeating: #"{"a":"#, count: levels - 1)])
    #expect(try rejection(objects, as: .gameUser).code == .nestingTooDeep)
    let arrays = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    #expect(try rejection(arrays).code == .nestingTooDeep)
  }

  @Test(arguments: [2, 3, 10, 512, 1024])
  func `the nesting limit is the configured one`(limit: Int) throws {
    var rules = standardRules
    rules.limits.nesting = limit
    let extra = try row(nested(limit), as: .gameUser, rules: rules)["extra"]
    #expect(extra?.utf8.count == 2 * (limit - 1) + 6)
    let tooDeep = try rejection(nested(limit + 1), as: .gameUser, rules: rules)
    #expect(tooDeep.code == .nestingTooDeep)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":", "[[],"])
  func `a hundred thousand unclosed brackets are refused`(open: String) throws {
    let line = gameUser(["x": String(repeating: open, count: 100_000)])
    #expect([.nestingTooDeep, .malformedJSON].contains(try rejection(line, as: .gameUser).code))
  }

  @Test func `three hundred thousand names are accepted`() throws {
    let members = (0..<300_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let row = try row("{\"userId\":\"u1\",\"userLevel\":2,\(members)}", as: .gameUser, rules: roomy)
    #expect(row["extra"] == "{\(members)}")
  }

  @Test func `a name repeated three hundred thousand times is accepted if its values agree`() throws
  {
    let members = String(repeating: #""classId":"m","#, count: 300_000)
    #expect(try row("{\(members)\(gameUser().dropFirst())", as: .gameUser)["class_id"] == "m")
    let other = gameUser(["classId": #""other""#])
    let refused = try rejection("{\(members)\(other.dropFirst())", as: .gameUser)
    #expect(refused == Rejection(.ambiguousField, field: "classId", refused.reason))
  }

  @Test func `three hundred thousand escaped names take bounded memory`() throws {
    let members = String(repeating: #""\u0061":1,"#, count: 300_000)
    let row = try row("{\(members)\(gameUser().dropFirst())", as: .gameUser, rules: roomy)
    #expect(row["extra"]?.utf8.count == 300_000 * 11 + 1)
  }

  @Test func `numbers and texts of a megabyte are accepted`() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    let row = try row(
      gameUser(["a": digits, "b": "0.\(digits)e-\(digits)", "c": "\"\(digits)\""]), as: .gameUser,
      rules: roomy)
    #expect(row["extra"] == "{\"a\":\(digits),\"b\":0.\(digits)e-\(digits),\"c\":\"\(digits)\"}")
  }

  @Test(arguments: [0, 1, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256])
  func `a value may end at any position of a SIMD block`(length: Int) throws {
    for text in [
      String(repeating: "x", count: length), String(repeating: "\\\\", count: length),
      String(repeating: "é", count: length),
    ] {
      let row = try row(gameUser(["x": "\"\(text)\""]), as: .gameUser)
      #expect(row["extra"] == "{\"x\":\"\(text)\"}")
      let broken = gameUser(["x": "\"\(text)\\\""])
      #expect(try rejection(broken, as: .gameUser).code == .malformedJSON)
    }
  }

  @Test func `a small line after a huge one is read like any other`() throws {
    let huge = gameUser(["x": "\"\(String(repeating: "\\n", count: 1_000_000))\""])
    let lines = [gameUser(), huge, gameUser(), huge, gameUser(), "x", gameUser()]
    let reading = try Reading(lines.joined(separator: "\n"), as: .gameUser, rules: roomy)
    #expect(reading.rows.count == 6)
    #expect(reading.rejects.map(\.lineNumber) == [6])
  }

  @Test func `members without a column share the limit of a free text`() throws {
    var rules = standardRules
    rules.limits.textBytes = 40
    let fitting = gameUser(["a": "\"\(String(repeating: "x", count: 18))\"", "b": "[1,2,3,4]"])
    #expect(try row(fitting, as: .gameUser, rules: rules)["extra"]?.utf8.count == 40)
    let refused = try rejection(
      gameUser(["a": "\"\(String(repeating: "x", count: 18))\"", "b": "[1,2,3,45]", "c": "1"]),
      as: .gameUser, rules: rules)
    #expect(refused.code == .textTooLong)
    #expect(refused.field == "b")
  }

  @Test func `a malformed line is reported as malformed at any size`() throws {
    var rules = standardRules
    rules.limits.textBytes = 4
    let line = gameUser(["a": "\"xxxxxxxxxx\"", "b": "01"])
    #expect(try rejection(line, as: .gameUser, rules: rules).code == .malformedJSON)
  }
}
