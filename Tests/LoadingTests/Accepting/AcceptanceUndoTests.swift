import Loading
import Postgres
import TestSupport
import Testing

/// Undo, retention and erasure of accepted values: the result is that of the remaining files alone.
@Suite(.serialized, .needsServer, .ownDatabase) struct AcceptanceUndoTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  /// Accepts all open conflicts of a file and returns the number of the acceptance.
  private func accept(_ file: String) throws -> Int {
    var filter = ConflictFilter()
    filter.file = file
    let report = try ConflictAcceptance(filter, connection: try fixture.database.connect()).run()
    return try #require(report.acceptanceID)
  }

  private func undo(_ acceptance: Int, withLater: Bool = false) throws -> AcceptanceUndo.Report {
    try AcceptanceUndo(
      acceptance, withLater: withLater, connection: try fixture.database.connect()
    ).run()
  }

  private func undoFile(_ file: String, withLater: Bool = false) throws -> UndoReport {
    try Undo(.file(file), withLater: withLater, connection: try fixture.database.connect()).run()
  }

  /// Loads a row with the amount 499, and files 2, 3, … with other amounts.
  private func load(prices: [String]) throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    for price in prices {
      _ = try fixture.load(
        lines: [Lines.receipt(["price": price])], as: "receipt-\(price).jsonl")
    }
  }

  private func amount() throws -> String? {
    try fixture.database.value("select amount_minor from game.receipt")
  }

  private func values() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select before, after from ingest.accepted_changes(array(select conflict_id from ingest.conflict))
        where field in ('amount_minor', 'payload')
      """)
  }

  @Test func `undoing an acceptance restores the values before it`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(
      lines: [Lines.receipt(["price": "7", "payload": #""x""#])], as: "receipt-2.jsonl")
    let tables = ["game.receipt", "ingest.conflict", "ingest.overlaid_row"]
    let before = try fixture.digests(ignoring: ["row_digest"])
    let number = try accept("2")
    let report = try undo(number)
    #expect(report.isDone && report.lines == 1 && report.changes == 2)
    let after = try fixture.digests(ignoring: ["row_digest"])
    for table in tables { #expect(after[table] == before[table], "\(table)") }
    #expect(
      try fixture.database.rows("select undone_at is not null, undone_by from ingest.acceptance")
        == [["t", try fixture.database.value("select session_user")]])
    #expect(try !undo(number).isDone)
    // It can be accepted again, under another number.
    #expect(try accept("2") > number)
    #expect(try amount() == "700")
    #expect(throws: LoadError.self) { try undo(99) }
  }

  @Test func `each of several accepted values can be undone alone`() throws {
    try load(prices: ["5", "6", "7"])
    let numbers = try ["2", "3", "4"].map(accept)
    _ = try undo(numbers[1])
    #expect(try values() == [["499", "500"], ["500", "700"]])
    #expect(try amount() == "700")
    _ = try undo(numbers[0])
    #expect(try values() == [["499", "700"]])
    _ = try undo(numbers[2])
    #expect(try amount() == "499")
    #expect(try values() == [])
  }

  @Test func `the same value accepted twice stays until both are undone`() throws {
    try load(prices: ["5", "6", "5.0"])
    let numbers = try ["2", "4"].map(accept)
    _ = try undo(numbers[0])
    #expect(try amount() == "500")
    _ = try undo(numbers[1])
    #expect(try amount() == "499")
  }

  @Test func `undoing a file removes the values accepted from its lines`() throws {
    try load(prices: ["5", "6"])
    _ = try accept("2")
    _ = try accept("3")
    let first = try undoFile("2", withLater: true)
    // The later file counted a conflict, but before the value was accepted.
    #expect(first.files.map(\.file.sourceFileID) == [2])
    #expect(first.files.map(\.acceptedValues) == [1])
    #expect(try values() == [["499", "600"]])
    _ = try undoFile("3")
    #expect(try amount() == "499")
    // Undoing the row removes everything that belongs to it.
    _ = try fixture.load(lines: [Lines.receipt(["price": "9"])], as: "receipt-9.jsonl")
    _ = try accept("receipt-9.jsonl")
    _ = try undoFile("1", withLater: true)
    #expect(try fixture.factCount() == 0)
    #expect(try values() == [])
  }

  @Test func `later files that may have met the values block the undo`() throws {
    try load(prices: ["5"])
    let number = try accept("2")
    _ = try fixture.load(lines: ["", Lines.receipt(["price": "5"])], as: "receipt-3.jsonl")
    let refused = try undo(number)
    #expect(!refused.isDone && refused.inTheWay.map(\.file.path.last) == ["l"])
    #expect(try undoFile("2").inTheWay.count == 1)
    #expect(try amount() == "500")
    let report = try undo(number, withLater: true)
    #expect(report.isDone && report.files.count == 1)
    #expect(try amount() == "499")
    #expect(
      try fixture.database.rows(
        "select undone_at is null from ingest.source_file order by source_file_id")
        == [["t"], ["t"], ["f"]])
  }

  @Test func `undoing a file removes its fill from under an accepted value`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(
      lines: [Lines.receipt(["price": "1", "payload": #""x""#])], as: "receipt-2.jsonl")
    _ = try fixture.load(lines: [Lines.receipt(["payload": #""x""#])], as: "receipt-3.jsonl")
    let number = try accept("2")
    #expect(try values() == [["499", "100"]])
    _ = try undoFile("3")
    #expect(try values() == [["499", "100"], [nil, "x"]])
    #expect(try fixture.database.value("select payload from game.receipt") == "x")
    _ = try undo(number)
    #expect(try fixture.database.rows("select payload from game.receipt") == [[nil]])
  }

  @Test func `dropping a month removes its accepted values and reopens its conflicts`() throws {
    let other = ["levelUpTime": "1754006400000"]
    for (file, name) in ["a", "b"].enumerated() {
      _ = try fixture.load(
        lines: [
          Lines.levelUp(["classId": "\"\(name)\""]),
          Lines.levelUp(other.merging(["classId": "\"\(name)\""]) { $1 }),
        ], as: "levelup-\(file).jsonl")
    }
    _ = try accept("2")
    try fixture.database.execute("select ingest.drop_month('level_up', '2025-07-01')")
    #expect(
      try fixture.database.rows(
        "select substr(natural_key ->> 4, 1, 7) from ingest.overlaid_row") == [["2025-08"]])
    #expect(
      try fixture.database.rows(
        "select acceptance_id is null from ingest.conflict order by line_number") == [["t"], ["f"]])
    // A later row of the key is a new row, and the old conflict now refers to it.
    _ = try fixture.load(lines: ["", Lines.levelUp(["classId": #""c""#])], as: "levelup-3.jsonl")
    _ = try accept("2")
    #expect(
      try fixture.database.rows("select class_id from game.level_up") == [["b"], ["b"]])
    let last = try fixture.database.value("select max(source_file_id) from ingest.source_file")
    _ = try undoFile(last ?? "")
    #expect(
      try fixture.database.rows(
        "select acceptance_id is null from ingest.conflict order by line_number") == [["t"], ["f"]])
  }

  @Test func `an erasure removes refused rows and accepted values`() throws {
    func erase(_ user: String, _ app: String?) throws -> [String: Int] {
      let traces = try UserErasure(
        userID: user, appID: app, connection: try fixture.database.connect()
      ).erase(key: EraseUserTests.key).traces
      return Dictionary(uniqueKeysWithValues: traces.map { ($0.place, $0.count) })
    }
    _ = try fixture.load(
      lines: [
        Lines.receipt(["appId": #""a""#]),
        Lines.receipt(["paymentSeq": #""p2""#, "userId": #""u2""#]),
      ])
    _ = try fixture.load(
      lines: [
        Lines.receipt(["appId": #""a""#, "price": "1"]), Lines.receipt(["appId": #""b""#]),
        Lines.receipt(["paymentSeq": #""p2""#, "userId": #""u2""#, "price": "2"]),
      ], as: "receipt-2.jsonl")
    _ = try accept("2")
    // The line from the user's other application conflicted with this row.
    #expect(try erase("u1", "b")["ingest.conflict"] == 1)
    #expect(try fixture.factCount() == 2)
    let counts = try erase("u1", nil)
    #expect(counts["game.receipt"] == 1 && counts["ingest.conflict"] == 1)
    #expect((counts["ingest.overlaid_row"] ?? 0) == 1)
    #expect(
      try fixture.database.value(
        """
        select count(*) from (select c::text as line from ingest.conflict c
            union all select o::text from ingest.overlaid_row o
            union all select a::text from ingest.acceptance a) t where line like '%u1%' or line like '%p1%'
        """) == "0")
    #expect(
      try fixture.database.rows("select amount_minor from game.receipt") == [["200"]])
  }
}
