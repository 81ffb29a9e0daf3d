import Loading
import Postgres
import TestSupport
import Testing

/// Acceptances of conflicts: the stored values, the skipped lines and the records.
@Suite(.serialized, .needsServer, .ownDatabase) struct AcceptConflictsTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func accept(
    dryRun: Bool = false, _ choose: (inout ConflictFilter) -> Void
  ) throws -> AcceptanceReport {
    var filter = ConflictFilter()
    choose(&filter)
    return try ConflictAcceptance(
      filter, isDryRun: dryRun, connection: try fixture.database.connect()
    ).run()
  }

  private func receipt(_ columns: String) throws -> [String?]? {
    try fixture.database.rows("select \(columns) from game.receipt where payment_seq = 'p1'").first
  }

  @Test func `an accepted line replaces all its values, absent ones and follower columns included`()
    throws
  {
    _ = try fixture.load(lines: [Lines.receipt(["price": "4.989999771118164"])])
    let refused = Lines.receipt([
      "price": "7", "payload": #""x\ny""#, "productType": #""consumable""#,
      "sandboxPayment": "true",
      "expiryTime": "1751328000001", "more": "1",
    ])
    _ = try fixture.load(lines: ["", refused], as: "receipt-2.jsonl")
    let before = try fixture.digests()
    let dry = try accept(dryRun: true) { $0.file = "receipt-2.jsonl" }
    #expect(dry.acceptanceID != nil && dry.lines == 1 && dry.rows == 1)
    #expect(try fixture.digests() == before)

    let report = try accept { $0.file = "receipt-2.jsonl" }
    #expect(report.changeCount == dry.changeCount && report.changes == dry.changes)
    let amount = report.changes.first { $0.field == "amount_minor" }
    #expect(amount?.naturalKey == #"["p1"]"# && amount?.before == "499" && amount?.after == "700")
    #expect(
      try receipt(
        """
        amount_minor, price_raw, price_repaired, payload, product_type, product_type_raw, is_sandbox,
        extra, source_file_id, line_number, row_digest
        """)
        == ["700", nil, "f", "x\ny", "CONSUMABLE", "consumable", "t", nil, "1", "1", nil])
    #expect(
      try fixture.database.rows(
        """
        select accepted_by = session_user, streams, line_count, row_count,
          value_count = (select count(*)
            from ingest.accepted_changes(array(select conflict_id from ingest.conflict))),
          undone_at from ingest.acceptance
        """) == [["t", "{receipt}", "1", "1", "t", nil]])
    // A second acceptance changes nothing.
    let after = try fixture.digests()
    let again = try accept { $0.file = "receipt-2.jsonl" }
    #expect(again.acceptanceID == nil && again.leftLines == 0)
    #expect(try fixture.digests() == after)
    // Later lines are compared with the accepted values, although the row has no digest.
    let report2 = try fixture.load(lines: ["", "", refused], as: "receipt-3.jsonl")
    #expect(report2.files[0].duplicates == 1)
  }

  @Test func `the work of accepting many lines of one key grows with their number only`() throws {
    func line(_ number: Int) -> String {
      Lines.receipt(["price": "\(number)", "payload": "\"x\(number)\""])
    }
    _ = try fixture.load(lines: [line(0)])
    _ = try fixture.load(lines: (1...1000).map(line), as: "receipt-2.jsonl")
    /// The entries of the ledger that the acceptance of the first lines reads.
    func reads(_ count: Int) throws -> Int {
      let connection = try fixture.database.connect()
      try connection.begin()
      defer { connection.rollback() }
      _ = try connection.query(
        """
        insert into ingest.acceptance (acceptance_id, streams, is_asked_by_key)
          values (1000000, '{receipt}', false)
        """)
      _ = try connection.query(
        """
        select ingest.accept_lines('receipt', 1000000, array(select conflict_id from ingest.conflict
          where refused_row is not null order by conflict_id limit $1))
        """, [.integer(count)])
      return try connection.onlyRow(
        of: Int.self,
        """
        select pg_stat_get_xact_tuples_fetched('ingest.overlaid_row'::regclass)
          + pg_stat_get_xact_tuples_fetched('ingest.conflict'::regclass)
        """)
    }
    let (some, many) = (try reads(250), try reads(1000))
    #expect(many <= 5 * max(some, 250), "\(some) and \(many) entries read")
  }

  @Test func `an amount never gets a currency without the amount of the same line`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(
      lines: [Lines.receipt(["price": "-1", "currency": #""JPY""#])], as: "receipt-2.jsonl")
    let report = try accept { $0.stream = "receipt" }
    #expect(report.acceptanceID == nil && report.linesOfOthers == 1)
    #expect(try receipt("amount_minor, currency") == ["499", "USD"])
    _ = try fixture.load(
      lines: [Lines.receipt(["price": "500", "currency": #""JPY""#])], as: "receipt-3.jsonl")
    #expect(try accept { $0.file = "receipt-3.jsonl" }.lines == 1)
    #expect(try receipt("amount_minor, currency") == ["500", "JPY"])
  }

  @Test func `a file name must match the whole last path component`() throws {
    _ = try fixture.load(lines: [Lines.receipt()], as: "receipt-1.jsonl")
    _ = try fixture.load(lines: [Lines.receipt(["price": "5"])], as: "receipt-other.jsonl")
    #expect(try accept { $0.file = "other.jsonl" }.acceptanceID == nil)
    #expect(try accept { $0.file = "receipt-other.jsonl" }.lines == 1)
  }

  @Test func `the last of several lines of one key wins, in one acceptance or two`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    for price in ["5", "6", "7"] {
      _ = try fixture.load(
        lines: [Lines.receipt(["price": price])], as: "receipt-\(price).jsonl")
    }
    #expect(try accept { $0.naturalKey = #"["p1"]"# }.lines == 3)
    #expect(try receipt("amount_minor") == ["700"])
    #expect(
      try fixture.database.rows(
        """
        select before, after from ingest.accepted_changes(array(select conflict_id from ingest.conflict))
          where field = 'amount_minor'
        """) == [["499", "500"], ["500", "600"], ["600", "700"]])
    _ = try fixture.load(
      lines: [Lines.receipt(["price": "5.00", "a": "1"])], as: "receipt-8.jsonl")
    #expect(try accept { $0.field = "amount_minor" }.lines == 1)
    #expect(try receipt("amount_minor") == ["500"])
  }

  @Test func `conflicts are selected by file, number, run, stream, key and column`() throws {
    for key in ["p1", "p2", "p3", "p4"] {
      _ = try fixture.load(
        lines: [Lines.receipt(["paymentSeq": "\"\(key)\""])], as: "receipt-\(key).jsonl")
    }
    _ = try fixture.load(lines: [Lines.levelUp(["classId": #""a""#])], as: "levelup.jsonl")
    _ = try fixture.load(
      lines: [
        Lines.receipt(["paymentSeq": #""p1""#, "price": "1"]),
        Lines.receipt(["paymentSeq": #""p2""#, "currency": #""EUR""#]),
      ], as: "receipt-a.jsonl")
    _ = try fixture.load(
      lines: [Lines.receipt(["paymentSeq": #""p3""#, "price": "1"])], as: "receipt-b.jsonl")
    _ = try fixture.load(
      lines: [Lines.receipt(["paymentSeq": #""p4""#, "price": "1"])], as: "receipt-c.jsonl")
    _ = try fixture.load(lines: [Lines.levelUp(["classId": #""b""#])], as: "levelup-2.jsonl")
    #expect(try accept { $0.file = "no such file" }.acceptanceID == nil)
    #expect(try accept { $0.field = "currency" }.lines == 1)
    #expect(try accept { $0.file = "receipt-a.jsonl" }.lines == 1)
    #expect(try accept { $0.loadID = 7 }.lines == 1)
    #expect(try accept { $0.file = "8" }.lines == 1)
    #expect(try accept { $0.stream = "level_up" }.lines == 1)
    #expect(
      try fixture.database.value("select count(*) from ingest.conflict where acceptance_id is null")
        == "0")
    #expect(throws: LoadError.self) { try accept { _ in } }
  }

  @Test func `an older correction does not replace a newer one unless its file is named`() throws {
    for (name, price) in [("receipt", "1.00"), ("receipt-2", "2.00"), ("receipt-3", "3.00")] {
      _ = try fixture.load(lines: [Lines.receipt(["price": price])], as: "\(name).jsonl")
    }
    #expect(try accept { $0.file = "receipt-3.jsonl" }.lines == 1)
    for choice in [{ $0.stream = "receipt" }, { $0.field = "amount_minor" }]
      as [(inout ConflictFilter) -> Void]
    {
      let report = try accept(choice)
      #expect(report.acceptanceID == nil && report.supersededLines == 1 && report.leftLines == 0)
    }
    #expect(try receipt("amount_minor") == ["300"])
    #expect(try accept { $0.file = "receipt-2.jsonl" }.lines == 1)
    #expect(try receipt("amount_minor") == ["200"])
  }

  @Test func `a line of another user or application is skipped`() throws {
    _ = try fixture.load(
      lines: [
        Lines.receipt(["appId": #""a""#]), Lines.receipt(["paymentSeq": #""p2""#]),
        Lines.receipt(["paymentSeq": #""p3""#]),
      ])
    _ = try fixture.load(
      lines: [
        Lines.receipt(["appId": #""b""#]),
        Lines.receipt(["paymentSeq": #""p2""#, "userId": #""u2""#, "price": "1"]),
        Lines.receipt(["paymentSeq": #""p3""#, "appId": #""c""#, "price": "1"]),
      ], as: "receipt-2.jsonl")
    let report = try accept { $0.stream = "receipt" }
    #expect(report.lines == 1 && report.linesOfOthers == 2)
    #expect(
      try fixture.database.rows(
        "select app_id, user_id, amount_minor from game.receipt order by payment_seq")
        == [["a", "u1", "499"], ["", "u1", "499"], ["c", "u1", "100"]])
    #expect(try accept { $0.stream = "receipt" }.acceptanceID == nil)
  }

  @Test func `accepting another token's digest clears the stored token`() throws {
    var storing = LoadFixture.options
    storing.storesPurchaseTokens = true
    _ = try fixture.load(
      lines: ["p1", "p2"].map {
        Lines.receipt(["paymentSeq": "\"\($0)\"", "purchaseToken": #""secret-1""#])
      }, options: storing)
    _ = try fixture.load(
      lines: [
        Lines.receipt(["purchaseToken": #""secret-2""#]),
        Lines.receipt(["paymentSeq": #""p2""#, "price": "1", "purchaseToken": #""secret-1""#]),
      ], as: "receipt-2.jsonl", options: storing)
    let report = try accept { $0.file = "receipt-2.jsonl" }
    #expect(
      try fixture.database.rows(
        """
        select purchase_token, purchase_token_sha256 = sha256('secret-2') from game.receipt
          order by payment_seq
        """) == [[nil, "t"], ["secret-1", "f"]])
    #expect(
      try fixture.database.value(
        """
        select count(*) from ingest.conflict c, ingest.overlaid_row o
          where c::text || o::text like '%secret-%'
        """) == "0")
    _ = try AcceptanceUndo(
      try #require(report.acceptanceID), connection: try fixture.database.connect()
    ).run()
    #expect(
      try fixture.database.rows(
        """
        select purchase_token, purchase_token_sha256 = sha256('secret-1') from game.receipt
          order by payment_seq
        """) == [[nil, "t"], ["secret-1", "t"]])
  }

  @Test func `a conflict without a stored line or without its row is skipped`() throws {
    _ = try fixture.load(lines: [Lines.levelUp(["classId": #""a""#])], as: "levelup.jsonl")
    _ = try fixture.load(lines: [Lines.levelUp(["classId": #""b""#])], as: "levelup-2.jsonl")
    _ = try fixture.load(lines: [Lines.levelUp(["classId": #""c""#])], as: "levelup-3.jsonl")
    try fixture.database.execute(
      "update ingest.conflict set refused_row = null where source_file_id = 2")
    #expect(try accept { $0.file = "2" }.incompleteLines == 1)
    try fixture.database.execute("select ingest.drop_month('level_up', '2025-07-01')")
    let report = try accept { $0.stream = "level_up" }
    #expect(
      report.acceptanceID == nil && report.incompleteLines == 1 && report.linesWithoutRow == 1)
    #expect(try fixture.database.value("select count(*) from ingest.acceptance") == "0")
  }
}
