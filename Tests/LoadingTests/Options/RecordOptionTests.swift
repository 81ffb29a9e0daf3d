import Loading
import Postgres
import TestSupport
import Testing

/// Options for decoding lines, checked in the database.
@Suite(.serialized, .needsServer, .ownDatabase) struct RecordOptionTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private var storing: LoadOptions {
    var options = LoadFixture.options
    options.storesPurchaseTokens = true
    return options
  }

  private func receipt(token: String, user: String = "u1") -> String {
    Lines.receipt(["purchaseToken": "\"\(token)\"", "userId": "\"\(user)\""])
  }

  private func tokens() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select purchase_token, purchase_token_sha256 = sha256('tok-1') from game.receipt
      """)
  }

  // MARK: - Purchase tokens

  @Test func `a token is stored only with the option`() throws {
    _ = try fixture.load(lines: [receipt(token: "tok-1")])
    #expect(try tokens() == [[nil, "t"]])
    _ = try fixture.load(lines: ["", receipt(token: "tok-1")], options: storing)
    #expect(try tokens() == [["tok-1", "t"]])
    #expect(
      try fixture.database.rows(
        "select filled_count, purchase_token_mode from ingest.source_file order by source_file_id")
        == [["0", "hash"], ["1", "store"]])
    #expect(
      try fixture.database.rows("select field from ingest.fill") == [["purchase_token"]])
  }

  @Test func `a stored token and its digest are duplicates`() throws {
    _ = try fixture.load(lines: [receipt(token: "tok-1")], options: storing)
    let digest = try #require(
      try fixture.database.value("select encode(sha256('tok-1'), 'hex')"))
    let again = try fixture.load(lines: [receipt(token: "sha256:\(digest)")], options: storing)
    #expect(again.files.first?.duplicates == 1)
    let hashed = try fixture.load(lines: ["", receipt(token: "tok-1")])
    #expect(hashed.files.first?.duplicates == 1)
    #expect(try tokens() == [["tok-1", "t"]])
  }

  @Test func `a conflict shows no token`() throws {
    _ = try fixture.load(lines: [receipt(token: "tok-1")], options: storing)
    let other = try fixture.load(lines: [receipt(token: "tok-2", user: "u2")], options: storing)
    #expect(other.files.first?.conflicts == 1)
    let conflicts = try fixture.database.rows(
      "select field, kept, refused from ingest.conflict order by field")
    #expect(conflicts.map { $0[0] } == ["purchase_token_sha256", "user_id"])
    #expect(!conflicts.joined().contains { $0?.contains("tok-") == true })
    #expect(try tokens() == [["tok-1", "t"]])
  }

  // MARK: - Unwrapping

  @Test func `records within log lines are loaded, and the ledger records the field`() throws {
    var options = LoadFixture.options
    options.unwrapField = "GBLevelUpData"
    let record = #"{\"userLevel\":5,\"levelUpTime\":1616649225531,\"characterClassId\":\"c\"}"#
    let line = #"{"userId":"u1","logLevel":"INFO","GBLevelUpData":""# + record + #""}"#
    let report = try fixture.load(lines: [line, "{}"], as: "levelup.jsonl", options: options)
    #expect(report.files.first?.inserted == 1)
    #expect(
      try fixture.database.rows(
        "select user_id, user_level, class_id, extra->>'logLevel' from game.level_up")
        == [["u1", "5", "c", "INFO"]])
    #expect(
      try fixture.database.rows("select code, field from ingest.reject")
        == [["missing_field", "GBLevelUpData"]])
    #expect(
      try fixture.database.value("select unwrap_field from ingest.source_file") == "GBLevelUpData")
  }

  // MARK: - Unknown fields

  @Test func `unknown field names are counted for each file`() throws {
    let lines = [
      Lines.receipt(["refundTime": "1", "note": "\"a\""]),
      Lines.receipt(["paymentSeq": "\"p2\"", "refundTime": "null"]),
      #"{"refundTime":1,"PaymentSeq":"x"}"#,
    ]
    _ = try fixture.load(lines: lines)
    _ = try fixture.load(lines: [Lines.receipt(["note": "1"])], as: "receipt-2.jsonl")
    #expect(
      try fixture.database.rows(
        """
        select source_file_id, field, line_count, first_line_number from ingest.unknown_field
          order by source_file_id, field
        """) == [
          ["1", "PaymentSeq", "1", "3"], ["1", "note", "1", "1"], ["1", "refundTime", "3", "1"],
          ["2", "note", "1", "1"],
        ])
    #expect(
      try fixture.database.rows(
        """
        select stream, field, line_count, file_count, example_line_number
          from report.unknown_field_summary where field = 'note'
        """) == [["receipt", "note", "2", "2", "1"]])
  }

  @Test func `a failed file leaves no unknown fields`() throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    _ = try fixture.load(lines: [Lines.receipt(["note": "1"]), "x"], options: options)
    #expect(try fixture.database.value("select count(*) from ingest.unknown_field") == "0")
  }
}
