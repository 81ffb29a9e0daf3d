import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// The rule that assigns refused lines to an erased user, for stored lines in SQL and for later
/// lines in the pipeline.
@Suite(.serialized, .needsServer, .ownDatabase) struct RefusedLineTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  struct Case: Sendable, CustomTestStringConvertible {
    let line: [UInt8]
    let isUsers: Bool
    var unwrap: String?
    var user = "u1"
    /// The application of the erasure; nil: all.
    var app: String?
    /// The application given for lines that name none.
    var standIn: String?
    var testDescription: String { String(decoding: line, as: UTF8.self) }

    init(bytes: [UInt8], _ isUsers: Bool) {
      line = bytes
      self.isUsers = isUsers
    }

    init(
      _ line: String, _ isUsers: Bool, unwrap: String? = nil, user: String = "u1",
      app: String? = nil, standIn: String? = nil
    ) {
      self.line = Array(line.utf8)
      self.isUsers = isUsers
      self.unwrap = unwrap
      self.user = user
      self.app = app
      self.standIn = standIn
    }
  }

  static let cases = [
    // Decodable lines with one user.
    Case(#"{"userId":"u1"}"#, true),
    Case(#"{"userId":"\u00751","price":-2}"#, true),
    Case(#"{"userId":"U1"}"#, false),
    Case(#"{"userId":"u1 "}"#, false),
    Case(#"{"userId":"u2","payload":"u1"}"#, false),
    Case(#"{"userId":7,"paymentSeq":"x"}"#, true, user: "7"),
    Case(#"{"userId":"7","userLevel":8}"#, false, user: "8"),
    Case(#"{"userId":"u1","userId":"u1"}"#, true),
    Case(#"{"userId":"u2","appId":["u1"]}"#, false),
    Case(#"{"userId":"\uD83D\uDE00"}"#, true, user: "😀"),
    // Lines with a readable application, or with that of the load.
    Case(#"{"userId":"u1","appId":"a"}"#, true, app: "a"),
    Case(#"{"userId":"u1","appId":"b"}"#, false, app: "a"),
    Case(#"{"userId":"u1","appId":"b"}"#, true),
    Case(#"{"userId":"u1","appId":7}"#, true, app: "7"),
    Case(#"{"userId":"u1"}"#, false, app: "a"),
    Case(#"{"userId":"u1","appId":""}"#, true, app: "a", standIn: "a"),
    Case(#"{"userId":"u1"}"#, false, app: "a", standIn: "b"),
    // Lines with two applications, or with an invalid one, may belong to any application.
    Case(#"{"userId":"u1","appId":"a","appId":"b"}"#, true, app: "a"),
    Case(#"{"userId":"u1","appId":["b"]}"#, true, app: "a"),
    Case(#"{"userId":"u1","appId":-7}"#, true, app: "a"),
    Case(#"{"userId":"u2","appId":"a","appId":"b","payload":"u1"}"#, false, app: "a"),
    Case(#"{"userid":"u1","appId":"b"}"#, true, app: "a"),
    // Decodable lines without one valid user id.
    Case(#"{"userid":"u1"}"#, true),
    Case(#"{"userId":"u1","userId":"u2"}"#, true),
    Case(#"{"userId":["u1"]}"#, true),
    Case(#"{"userId":{"id":"u1"}}"#, true),
    Case(#"{"userId":true,"id":"u1"}"#, true),
    Case(#"{"userId":7.5,"id":"u1"}"#, true),
    Case(#"{"userId":-7,"id":"u1"}"#, true),
    Case(#"{"userId":"u2\u0000","id":"u1"}"#, true),
    Case(#"{"userId":"\uD83D","id":"u1"}"#, true),
    Case(#"{"userId":"\#(String(repeating: "x", count: 513))","id":"u1"}"#, true),
    Case(#"{"userId":null,"user":{"id":"u1"}}"#, true),
    Case(#"{"userId":"0","id":"u1"}"#, true),
    Case(#"{"userId":" ","id":"u1"}"#, true),
    Case(#"{"userId":"","id":"u1"}"#, true),
    Case(#"{"userId":"\t\u0020","id":"u1"}"#, true),
    Case(#"{"userId":"u2","userId":"u3"}"#, false),
    Case(#"{"id":"u12","b":"xu1"}"#, false),
    Case(#"{"user":"a\"b\/é😀"}"#, true, user: "a\"b/é😀"),
    Case(#"{"user":"\u00e9\uD83D\ude00"}"#, true, user: "é😀"),
    Case(#"{}"#, false),
    // Lines that cannot be decoded.
    Case(#"{"userId":"u1","price"#, true),
    Case(#"{"userId":"u1"#, true),
    Case(#"{'userId':'u1'}"#, true),
    Case("{\u{201C}userId\u{201D}:\u{201C}u1\u{201D}}", true),
    Case(#"{"userId":u1,}"#, true),
    Case(#"{"userId":"\u0075\u0031","#, true),
    Case(#"{"userId":"u12","price"#, false),
    Case(#"{"userId":"\ud83d\uDE00","price"#, true, user: "😀"),
    Case(#"{"userId":"😀😀","price"#, false, user: "😁"),
    Case(#"["u1"]"#, true),
    Case(#"userId u2"#, false),
    Case(bytes: Array(#"{"userId":"u1","x":""#.utf8) + [0xFF, 0x22, 0x7D], true),
    Case(bytes: Array(#"{"userId":"u2","x":""#.utf8) + [0x00, 0xFF, 0x22, 0x7D], false),
    // Records within a field of the line.
    Case(#"{"log":"{\"userId\":\"u1\"}"}"#, true, unwrap: "log"),
    Case(#"{"userId":"u1","log":{"userLevel":-1}}"#, true, unwrap: "log"),
    Case(#"{"userId":"u2","log":"{\"x\":\"u1\"}"}"#, false, unwrap: "log"),
    Case(#"{"log":"{\"userId\":\"\\u00751\",}"}"#, true, unwrap: "log"),
    Case(#"{"log":"{\"userId\":\"u1"}"#, true, unwrap: "log"),
    Case(#"{"log":"{\"userId\":\"\\ud83d\\ude00\",}"}"#, true, unwrap: "log", user: "😀"),
    Case(#"{"appId":"b","log":{"userId":"u1"}}"#, false, unwrap: "log", app: "a"),
    Case(#"{"log":{"userId":"u1"}}"#, true, app: "a"),
  ]

  @Test(arguments: cases)
  func `SQL and the pipeline assign a refused line to a user by the same rule`(
    _ wanted: Case
  ) throws {
    var options = LoadFixture.options
    options.unwrapField = wanted.unwrap
    options.appID = wanted.standIn
    let before = try load(wanted, "before", options)
    try #require(before.rejected == 1)
    _ = try UserErasure(
      userID: wanted.user, appID: wanted.app, connection: try fixture.database.connect()
    ).erase(key: EraseUserTests.key)
    #expect(
      try fixture.database.value("select count(*) from ingest.reject")
        == (wanted.isUsers ? "0" : "1"))

    options.erasureKey = EraseUserTests.key
    let after = try load(wanted, "after", options)
    #expect(after.suppressed == (wanted.isUsers ? 1 : 0))
    #expect(after.rejected == (wanted.isUsers ? 0 : 1))
  }

  /// Decoding ends at the limit, so no user is stored beside the line and the erasure searches its
  /// bytes.
  @Test func `an erasure takes only the user's own lines beyond a limit`() throws {
    let long = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let lines = [
      #"{"userId":"u2","appId":"a","friend":"u1","long":\#(long)}"#,
      #"{"userId":"u1","appId":"a","long":\#(long)}"#,
      #"{"userId":"u1","appId":"b","long":\#(long)}"#,
    ]
    let path = try fixture.folder.write("beyond", Array(lines.joined(separator: "\n").utf8))
    _ = try fixture.load([path], stream: "receipt")
    let left =
      "select string_agg(line_number || ' ' || code, ', ' order by line_number) from ingest.reject"
    #expect(
      try fixture.database.value(left)
        == "1 nesting_too_deep, 2 nesting_too_deep, 3 nesting_too_deep")
    for (app, expected) in [
      ("b", "1 nesting_too_deep, 2 nesting_too_deep"), (nil, "1 nesting_too_deep"),
    ] {
      _ = try UserErasure(
        userID: "u1", appID: app, connection: try fixture.database.connect()
      ).erase(key: EraseUserTests.key)
      #expect(try fixture.database.value(left) == expected)
    }
  }

  private func load(_ wanted: Case, _ name: String, _ options: LoadOptions) throws -> FileReport {
    let path = try fixture.folder.write(
      name, wanted.line + Array("\n\(name == "after" ? "\n" : "")".utf8))
    return try #require(
      try fixture.load([path], stream: "receipt", options: options).files.first)
  }
}
