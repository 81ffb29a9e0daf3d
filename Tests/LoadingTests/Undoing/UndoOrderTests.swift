import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Undo after retention and replay: the result is that of the other files alone.
@Suite(.serialized, .needsServer, .ownDatabase) struct UndoOrderTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture(refreshing: true) }

  private func undo(_ file: String) throws -> UndoReport {
    try Undo(.file(file), connection: try fixture.database.connect()).run()
  }

  @Test func `a fill is dropped with its month, and undo keeps a later row of the key`()
    throws
  {
    let filled = Lines.levelUp(["classId": "\"c\""])
    _ = try fixture.load(lines: [Lines.levelUp()], as: "levelup-1.jsonl")
    _ = try fixture.load(lines: [filled], as: "levelup-2.jsonl")
    try fixture.database.execute("select ingest.drop_month('level_up', '2025-07-01')")
    #expect(try fixture.database.value("select count(*) from ingest.fill") == "0")
    _ = try fixture.load(lines: ["", filled], as: "levelup-3.jsonl")
    let before = try fixture.database.rows("select * from game.level_up")
    #expect(before.count == 1)
    _ = try undo("2")
    #expect(try fixture.database.rows("select * from game.level_up") == before)
  }

  @Test func `fills of other months stay`() throws {
    for month in ["1751328000000", "1754006400000"] {
      for more in ["", "\"c\""] {
        _ = try fixture.load(
          lines: [Lines.levelUp(["levelUpTime": month, "classId": more.isEmpty ? nil : more])],
          as: "levelup-\(month)-\(more.count).jsonl")
      }
    }
    try fixture.database.execute("select ingest.drop_month('level_up', '2025-07-01')")
    #expect(
      try fixture.database.rows("select source_file_id from ingest.fill") == [["4"]])
    _ = try undo("4")
    #expect(
      try fixture.database.rows("select class_id from game.level_up") == [[nil]])
  }

  @Test func `a row that loses a filled value loses its digest`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    _ = try fixture.load(lines: [Lines.receipt(["payload": "\"x\""])], as: "receipt-2.jsonl")
    // Simulates a fill that renewed the digest.
    try fixture.database.execute("update game.receipt set row_digest = gen_random_uuid()")
    _ = try undo("2")
    #expect(
      try fixture.database.rows("select payload, row_digest from game.receipt") == [[nil, nil]])
  }

  @Test func `undoing a row removes its fills by older files`() throws {
    _ = try fixture.load(lines: [Lines.receipt(["paymentSeq": "\"a\""])])
    _ = try fixture.load(lines: [Lines.receipt()], as: "receipt-2.jsonl")
    // The result of a replay of the first file.
    try fixture.database.execute(
      """
      update game.receipt set payload = 'x' where payment_seq = 'p1';
      insert into ingest.fill (stream, natural_key, field, source_file_id, line_number)
        values ('receipt', '["p1"]', 'payload', 1, 1)
      """)
    _ = try undo("2")
    #expect(try fixture.database.value("select count(*) from ingest.fill") == "0")
    _ = try fixture.load(lines: [Lines.receipt(["payload": "\"x\""])], as: "receipt-3.jsonl")
    _ = try undo("1")
    #expect(
      try fixture.database.rows("select payload from game.receipt") == [["x"]])
  }

  @Test func `the replay's sequence number decides dependence, not the clock`() throws {
    let late = "1767398400000"
    _ = try fixture.load(
      lines: [Lines.levelUp(), Lines.levelUp(["levelUpTime": late])], as: "levelup-1.jsonl")
    _ = try fixture.load(
      lines: [Lines.levelUp(["levelUpTime": late])], as: "levelup-2.jsonl",
      options: {
        var options = LoadFixture.options
        options.asOf = LoadFixture.asOf + 3 * 86_400_000
        return options
      }())
    try fixture.database.execute("update ingest.source_file set as_of = as_of + interval '3 days'")
    _ = try RejectReplay(RejectFilter(), options: LoadOptions(), target: fixture.database.target)
      .replay()
    #expect(
      try fixture.database.rows(
        "select resolved_order > 2, resolved_at is not null from ingest.reject") == [["t", "t"]])
    // The server's clock has stepped back for the replay.
    try fixture.database.execute("update ingest.reject set resolved_at = '2001-01-01'")
    #expect(try undo("2").inTheWay.map(\.file.sourceFileID) == [1])
    // Lines replayed before a file was loaded cannot have met its rows.
    _ = try fixture.load(lines: [Lines.levelUp(["userLevel": "8"])], as: "levelup-3.jsonl")
    let last = try fixture.database.value("select max(source_file_id) from ingest.source_file")
    #expect(try undo(last ?? "").inTheWay.isEmpty)
    // An older version did not record the order.
    try fixture.database.execute("update ingest.reject set resolved_order = null")
    #expect(try undo("2").inTheWay.map(\.file.sourceFileID) == [1])
  }
}
