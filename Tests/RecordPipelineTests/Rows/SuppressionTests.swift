import Testing

@testable import RecordPipeline

/// Lines of erased users, which are counted and leave no other trace.
struct SuppressionTests {
  private static let key = ErasureKey(Array(0..<32))

  /// An encoder that can be used within expectations.
  private final class Encoder {
    var lines: RecordEncoder

    init(_ lines: consuming RecordEncoder) { self.lines = lines }
  }

  private func encoder(
    erased: [(String, String?)], in stream: RecordStream = .levelUp
  ) -> Encoder {
    let users = erased.map { user, app in
      (tombstone: Self.key.tombstone(of: user.utf8), appID: app.map { Array($0.utf8) })
    }
    return Encoder(
      RecordEncoder(
        Pipeline(
          stream: stream, rules: NormalizationRules(startOfRun: 1_767_225_600_000), sourceFileID: 1,
          erasedUsers: ErasedUsers(users, key: Self.key)),
        routing: RoutingStart(largestKnownKey: nil, memory: 1 << 16, seed: 1)))
  }

  private func outcome(of line: [UInt8], _ encoder: Encoder) throws -> String {
    switch try InputLine.with(bytes: line, { try encoder.lines.encode($0) }) {
    case .row: "row"
    case .blank: "blank"
    case .suppressed: "suppressed"
    case .rejected(let rejection): rejection.code.rawValue
    }
  }

  private func line(_ user: String, _ more: String = "") -> [UInt8] {
    Array("{\"userId\":\(user),\"userLevel\":3,\"levelUpTime\":1751328000000\(more)}".utf8)
  }

  @Test func `a suppressed line leaves no row, no month and no field name`() throws {
    let encoder = encoder(erased: [("u1", nil)])
    #expect(try outcome(of: line(#""u1""#, #","strange":1"#), encoder) == "suppressed")
    var batch = encoder.lines.closeBatch()
    #expect(batch.isEmpty && batch.months.isEmpty && encoder.lines.totals.unknownFields.isEmpty)
    #expect(try outcome(of: line(#""u2""#), encoder) == "row")
    batch = encoder.lines.closeBatch()
    #expect(batch.newRows.rowCount + batch.possiblyKnownRows.rowCount == 1)
    // The verdict on one line does not affect the next line.
    #expect(try outcome(of: Array("{}".utf8), encoder) == "missing_field")
    #expect(try outcome(of: line(#""u1""#, #","levelUpTime":5"#), encoder) == "suppressed")
  }

  @Test(arguments: [
    ([("u1", nil)], "suppressed", "suppressed"), ([("u1", "a")], "suppressed", "row"),
    ([("u1", "a"), ("u1", "b")], "suppressed", "suppressed"),
    ([("u1", "a"), ("u1", nil)], "suppressed", "suppressed"),
    ([("u1", nil), ("u1", "a")], "suppressed", "suppressed"), ([("u1", "c")], "row", "row"),
  ])
  func `an erasure in one application suppresses only lines of that application`(
    erased: [(String, String?)], inA: String, inB: String
  ) throws {
    let encoder = encoder(erased: erased)
    #expect(try outcome(of: line(#""u1""#, #","appId":"a""#), encoder) == inA)
    #expect(try outcome(of: line(#""u1""#, #","appId":"b""#), encoder) == inB)
    // If the application cannot be read, every erasure of the user matches.
    #expect(try outcome(of: line(#""u1""#, #","appId":["a"]"#), encoder) == "suppressed")
  }

  /// The row of an item has no user, but a line that names an erased one brings no row.
  @Test func `a user that no column stores suppresses the line`() throws {
    let encoder = encoder(erased: [("u1", nil)], in: .item)
    func outcome(_ changes: KeyValuePairs<String, String?>) throws -> String {
      try self.outcome(of: Array(item(changes).utf8), encoder)
    }
    #expect(try outcome(["userId": #""u1""#]) == "suppressed")
    #expect(try outcome(["userId": #""u1""#, "price": "4"]) == "suppressed")
    #expect(try outcome(["userId": #""u2""#]) == "row")
    #expect(try outcome([:]) == "row")
    #expect(try outcome(["userId": #""0""#, "itemName": #""u1""#]) == "row")
    #expect(try outcome(["price": "4", "itemName": #""u1""#]) == "missing_field")
  }

  @Test func `tombstones differ between users and between keys`() {
    let other = ErasureKey(Array(1..<33))
    #expect(Self.key.tombstone(of: "u1".utf8) == Self.key.tombstone(of: "u1".utf8))
    #expect(Self.key.tombstone(of: "u1".utf8) != Self.key.tombstone(of: "u2".utf8))
    #expect(Self.key.tombstone(of: "u1".utf8) != other.tombstone(of: "u1".utf8))
    #expect(Self.key.checkValue != other.checkValue)
    #expect(Self.key.checkValue.count == 32)
    var dumped = ""
    let key = ErasureKey(Array("secretsecretsecretsecretsecretse".utf8))
    dump(key, to: &dumped)
    print([key], key, to: &dumped)
    #expect(!dumped.contains("115") && !dumped.contains("secret"))
  }
}
