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

  /// - Parameter hasFilters: false for tombstones as older versions stored them.
  private func encoder(
    erased: [(String, String?)], hasFilters: Bool = true, in stream: RecordStream = .levelUp
  ) -> Encoder {
    let users = erased.map { user, app in
      ErasedUsers.User(
        tombstone: Self.key.tombstone(of: user.utf8),
        filter: hasFilters ? Self.key.filter(of: user.utf8) : nil,
        appID: app.map { Array($0.utf8) })
    }
    return Encoder(
      RecordEncoder(
        stream: stream, rules: NormalizationRules(startOfRun: 1_767_225_600_000), sourceFileID: 1,
        routing: RoutingStart(largestKnownKey: nil, memory: 1 << 16, seed: 1),
        erasedUsers: ErasedUsers(users, key: Self.key)))
  }

  private func outcome(of line: [UInt8], _ encoder: Encoder) throws -> String {
    switch try StoredLine(bytes: line, number: 1, byteOffset: 0).withLine({
      try encoder.lines.encode($0)
    }) {
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
    #expect(batch.isEmpty && batch.months.isEmpty && encoder.lines.unknownFields.isEmpty)
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
    // A refused line without a readable user is searched for the name.
    #expect(try outcome(["userId": "1.5", "itemName": #""u1""#]) == "suppressed")
    #expect(try outcome(["price": "4", "itemName": #""u1""#]) == "suppressed")
    #expect(try outcome(["price": "4", "itemName": #""u2""#]) == "missing_field")
  }

  @Test func `tombstones without a filter also suppress`() throws {
    let encoder = encoder(erased: [("u1", nil), ("u2", "a")], hasFilters: false)
    #expect(try outcome(of: line(#""u1""#), encoder) == "suppressed")
    #expect(try outcome(of: line(#""u2""#, #","appId":"a""#), encoder) == "suppressed")
    #expect(try outcome(of: line(#""u2""#, #","appId":"b""#), encoder) == "row")
    #expect(try outcome(of: line(#""u3""#), encoder) == "row")
    #expect(try outcome(of: Array(#"{"userId":"u1","#.utf8), encoder) == "suppressed")
    #expect(try outcome(of: Array(#"{"userId":"u3","#.utf8), encoder) == "malformed_json")
  }

  @Test(arguments: [
    #"{"userId":"u\\","userLevel":"#, #"{"x":"{\"userId\":\"u\\\\\"}""#,
    #"{"x":"{\"y\":\"{\\\"userId\\\":\\\"u\\\\\\\\\\\"}\"}""#,
  ])
  func `an id that ends with a backslash is found in a malformed line`(line: String) throws {
    #expect(try outcome(of: Array(line.utf8), encoder(erased: [(#"u\"#, nil)])) == "suppressed")
    #expect(try outcome(of: Array(line.utf8), encoder(erased: [("w", nil)])) == "malformed_json")
  }

  @Test func `an id behind a long token is found in the masked copy of a broken line`() throws {
    let token = String(repeating: "t", count: 200 * 1024)
    func isKept(_ user: String) throws -> Bool {
      let encoder = encoder(erased: [("u1", nil)])
      let line = Array(#"{"purchaseToken":"\#(token)","userId":"\#(user)","userLevel""#.utf8)
      return try StoredLine(bytes: line, number: 1, byteOffset: 0).withLine { line in
        guard case .rejected(let rejection) = try encoder.lines.encode(line) else { return true }
        return encoder.lines.keep(line, rejection)
      }
    }
    #expect(try !isKept("u1"))
    #expect(try isKept("u2"))
  }

  @Test func `tombstones differ between users and between keys`() {
    let other = ErasureKey(Array(1..<33))
    #expect(Self.key.tombstone(of: "u1".utf8) == Self.key.tombstone(of: "u1".utf8))
    #expect(Self.key.tombstone(of: "u1".utf8) != Self.key.tombstone(of: "u2".utf8))
    #expect(Self.key.tombstone(of: "u1".utf8) != other.tombstone(of: "u1".utf8))
    #expect(Self.key.checkValue != other.checkValue)
    #expect(Self.key.checkValue.count == 32)
    var dumped = ""
    dump(ErasureKey(Array("secretsecretsecretsecretsecretse".utf8)), to: &dumped)
    #expect(!dumped.contains("115") && !dumped.contains("secret"))
  }

  /// The lines end in truncated or invalid escapes.
  @Test func `a search never reads past the end of a malformed line`() throws {
    let encoder = encoder(erased: [("u1", nil)])
    let pieces = [
      "\\", "\"", "u", "\\u", "\\ud83d", "\\u00", "{", "é", "\\\"", "\\n", "x1", "\\uzzzz",
      "\\udc00",
    ].map { Array($0.utf8) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      let line = (0..<Int.random(in: 1...12, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      #expect(try outcome(of: [0x7B] + line, encoder) != "suppressed")
    }
  }
}
