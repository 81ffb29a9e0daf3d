import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Replay of stored rejects; the tests simulate an older program's rules by changing the stored
/// lines.
@Suite(.serialized, .needsServer, .ownDatabase) struct ReplayTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func replay(
    dryRun: Bool = false, _ change: (inout RejectFilter) -> Void = { _ in }
  ) throws -> ReplayReport {
    var filter = RejectFilter()
    change(&filter)
    var options = LoadOptions()
    options.isDryRun = dryRun
    return try RejectReplay(filter, options: options, target: try fixture.database.target).replay()
  }

  /// Simulates a line that was refused because of a text that it no longer holds.
  private func mend(_ bad: String, _ good: String) throws {
    let connection = try fixture.database.connect()
    try connection.transaction {
      try connection.query(
        """
        update ingest.reject
          set raw = convert_to(replace(convert_from(raw, 'UTF8'), $1, $2), 'UTF8')
        """, [.text(bad), .text(good)])
    }
  }

  private func ledger() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select inserted_count, filled_count, duplicate_count, conflict_count, rejected_count
        from ingest.source_file order by source_file_id
      """)
  }

  @Test func `a reject that passes now is loaded as a line of its file, once`() throws {
    _ = try fixture.load(lines: [
      Lines.receipt(), "", Lines.receipt(["paymentSeq": "\"p2\"", "price": "-7"]),
      Lines.receipt(["paymentSeq": "\"p3\"", "price": "1.999"]),
    ])
    #expect(try replay().files.map(\.refused) == [2])
    #expect(try ledger() == [["1", "0", "0", "0", "2"]])
    try mend("-7", "7")

    let report = try replay()
    #expect(report.files.map(\.inserted) == [1])
    #expect(report.files.map(\.refused) == [1])
    #expect(report.exitCode == .loadedWithFindings)
    #expect(
      try fixture.database.rows(
        """
        select payment_seq, amount_minor, source_file_id, line_number from game.receipt
          order by payment_seq
        """) == [["p1", "499", "1", "1"], ["p2", "700", "1", "3"]])
    #expect(try ledger() == [["2", "0", "0", "0", "1"]])
    #expect(
      try fixture.database.rows(
        "select line_number, resolved_at is null from ingest.reject order by reject_id")
        == [["3", "f"], ["4", "t"]])

    let before = try fixture.digests()
    #expect(try replay().files.map(\.resolved) == [0])
    #expect(try fixture.digests() == before)
    try mend("1.999", "1.99")
    #expect(try replay().exitCode == .success)
    #expect(try replay().files.isEmpty)
  }

  @Test func `a replayed line is a duplicate, a fill or a conflict like any other`() throws {
    let lines = [
      Lines.receipt(["storeCode": "\"GG\""]),
      Lines.receipt(["price": "-4.99"]),
      Lines.receipt(["price": "-4.99", "payload": "\"x\""]),
      Lines.receipt(["price": "-4.99", "storeCode": "\"AS\""]),
      Lines.receipt(["price": "-4.99", "paymentSeq": "\"p2\""]),
    ]
    _ = try fixture.load(lines: lines)
    try mend("-4.99", "4.99")
    let file = try #require(try replay().files.first)
    let counts = [file.inserted, file.filled, file.duplicates, file.conflicts]
    #expect(counts == [1, 1, 1, 1])
    #expect(try ledger() == [["2", "1", "1", "1", "0"]])
    #expect(
      try fixture.database.rows(
        "select field, kept, refused, source_file_id, line_number from ingest.conflict")
        == [["store_code", "GG", "AS", "1", "4"]])
    // The replay stores the same rows as a load of the corrected lines.
    let replayed = try fixture.digests()["game.receipt"]
    _ = try LoadFixture()
    _ = try fixture.load(lines: lines.map { $0.replacing("-4.99", with: "4.99") })
    #expect(try fixture.digests()["game.receipt"] == replayed)
  }

  @Test func `lines are decoded with the options of their file`() throws {
    var options = LoadFixture.options
    options.timeUnit = .seconds
    options.appID = "app"
    options.observedAt = 1_700_000_000_000
    options.unwrapField = "log"
    options.storesPurchaseTokens = true
    let level = #"{"userId":"u","log":"{\"userLevel\":-2,\"levelUpTime\":1616649225}"}"#
    let user = #"{"userId":"u","log":{"userLevel":-2}}"#
    let token =
      #"{"userId":"u","log":"{\"paymentSeq\":\"p\",\"price\":-2,\"currency\":\"USD\","#
      + #"\"purchaseTime\":1616649225,\"purchaseToken\":\"tok-1\"}"}"#
    _ = try fixture.load(lines: [level], as: "levelup.jsonl", options: options)
    _ = try fixture.load(lines: [user], as: "gameuser.jsonl", options: options)
    _ = try fixture.load(lines: [token], as: "receipt.jsonl", options: options)
    try mend("-2", "2")
    #expect(try replay().files.map(\.inserted) == [1, 1, 1])
    #expect(
      try fixture.database.rows(
        "select app_id, user_level, leveled_up_at = '2021-03-25 05:13:45+00' from game.level_up")
        == [["app", "2", "t"]])
    #expect(
      try fixture.database.rows(
        """
        select app_id, observed_at = '2023-11-14 22:13:20+00', observed_at_source
          from game.game_user_snapshot
        """) == [["app", "t", "option"]])
    // The reject holds the token's digest, not the token.
    #expect(
      try fixture.database.rows(
        "select purchase_token is null, purchase_token_sha256 = sha256('tok-1') from game.receipt")
        == [["t", "t"]])
  }

  @Test(arguments: [
    ["storeCode": "\"\(String(repeating: "x", count: 513))\""],
    ["more": String(repeating: "[", count: 512) + String(repeating: "]", count: 512)],
  ])
  func `the limits refuse lines again`(change: [String: String]) throws {
    _ = try fixture.load(lines: [Lines.receipt(change)])
    #expect(try replay().files.map(\.refused) == [1])
    #expect(try fixture.factCount() == 0)
  }

  @Test(arguments: [
    "5", "true", "{}", "[\"tok\"]", #""a\u0000""#, #""\ud800""#,
    "\"\(String(repeating: "x", count: 1_100_000))\"",
  ])
  func `a refused token is refused again`(token: String) throws {
    _ = try fixture.load(lines: [Lines.receipt(["purchaseToken": token])])
    #expect(try replay().files.map(\.resolved) == [0])
    #expect(try fixture.factCount() == 0)
  }

  @Test func `a truncated line is not replayed`() throws {
    let long = Lines.receipt([
      "price": "-1.5", "payload": "\"\(String(repeating: "x", count: 70_000))\"",
    ])
    _ = try fixture.load(lines: [long])
    try mend("-1.5", "1.5")
    let report = try replay()
    #expect(report.files.map(\.cut) == [1])
    #expect(report.exitCode == .loadedWithFindings)
    #expect(try fixture.factCount() == 0)
  }

  @Test func `only the selected rejects are replayed`() throws {
    _ = try fixture.load(lines: [
      Lines.receipt(["price": "-2"]), Lines.receipt(["paymentSeq": "\"p2\"", "price": "1.999"]),
      Lines.receipt(["paymentSeq": "\"p3\"", "userId": "\"0\""]),
    ])
    _ = try fixture.load(lines: [Lines.levelUp(["userLevel": "-2"])], as: "levelup.jsonl")
    for (bad, good) in [("-2", "2"), ("1.999", "1.99"), ("\"0\"", "\"u\"")] {
      try mend(bad, good)
    }
    #expect(try replay { $0.code = "negative_price" }.files.map(\.inserted) == [1])
    #expect(try replay { $0.field = "userId" }.files.map(\.inserted) == [1])
    #expect(try replay { $0.stream = "level_up" }.files.map(\.path).count == 1)
    #expect(try replay { $0.loadID = 99 }.files.isEmpty)
    #expect(try replay { $0.path = "receipt.jsonl" }.files.map(\.inserted) == [1])
    #expect(try replay().files.isEmpty)
  }

  @Test func `a dry run of a replay stores nothing`() throws {
    _ = try fixture.load(
      lines: [
        Lines.levelUp(["userLevel": "-2", "levelUpTime": "\"2012-05-01T00:00:00Z\""])
      ], as: "levelup.jsonl")
    try mend("-2", "2")
    let before = try fixture.digests()
    #expect(try replay(dryRun: true).files.map(\.inserted) == [1])
    #expect(try fixture.digests() == before)
    #expect(try replay().files.map(\.inserted) == [1])
  }

  @Test func `rejects of a failed file are not replayed`() throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    _ = try fixture.load(lines: [Lines.receipt(["price": "-2"])], options: options)
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "1")
    #expect(try replay().files.isEmpty)
  }

  @Test func `many rejects are replayed in pages, also by two concurrent replays`() async throws {
    _ = try fixture.load(
      lines: (0..<730).map { Lines.receipt(["paymentSeq": "\"p\($0)\"", "price": "-2"]) })
    try mend("-2", "2")
    let first = Task.detached { try replay() }
    let second = Task.detached { try replay() }
    let resolved = try await [first.value, second.value].flatMap(\.files).map(\.resolved)
    #expect(resolved.reduce(0, +) == 730)
    #expect(try fixture.factCount() == 730)
    #expect(try ledger() == [["730", "0", "0", "0", "0"]])
  }
}
