import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct RetentionCommandTests {
  let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    // The current month and the two before it, by the server's clock.
    for stream in ["level_up", "game_user"] {
      try fixture.database.execute(
        """
        select ingest.ensure_partition('\(stream)', (date_trunc('month', now() at time zone 'UTC')
          - n * interval '1 month')::date) from generate_series(0, 2) n
        """)
    }
    try fixture.database.execute(
      """
      insert into game.level_up (leveled_up_at, user_id, user_level, app_id, text_repaired,
          source_file_id, line_number)
        select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
            - (n - 1) * interval '1 month', 'u', 1, '', false, 0, n
          from generate_series(1, 3) n
          where not exists (select from game.level_up)
      """)
  }

  private func retention(_ arguments: String...) throws -> Command.Result {
    try fixture.program.run(
      ["retention", "--database", fixture.database.conninfo] + arguments)
  }

  private func months(_ stream: String = "level_up") throws -> Int {
    try fixture.database.rows("select * from ingest.month_partitions('\(stream)')").count
  }

  @Test func `only months before the kept ones are dropped`() throws {
    let dry = try retention("--keep", "1", "--dry-run")
    #expect(dry.exitCode == 0)
    #expect(dry.output.components(separatedBy: "would drop").count == 5)
    #expect(try months() == 3)

    let one = try retention("--keep", "2", "--stream", "level_up")
    #expect(one.exitCode == 0, "\(one.errors)")
    #expect(one.output.hasPrefix("dropped game.level_up_2"))
    #expect(try fixture.database.value("select count(*) from game.level_up") == "2")
    #expect(try [months(), months("game_user")] == [2, 3])

    #expect(try retention("--keep", "1").exitCode == 0)
    #expect(try [months(), months("game_user")] == [1, 1])
    #expect(try retention("--keep", "1").output == "no month is older than the months to keep\n")
    #expect(try fixture.database.value("select line_number from game.level_up") == "1")
  }

  @Test func `a view on a month prevents the drop, and a running query delays it`() throws {
    let partition = try #require(
      try fixture.database.value("select partition from ingest.month_partitions('level_up')"))
    try fixture.database.execute("create view public.on_month as select * from \(partition)")
    let refused = try retention("--keep", "1", "--stream", "level_up")
    #expect(refused.exitCode == 78)
    #expect(refused.errors.contains("dropping \(partition)"))
    #expect(refused.errors.contains("2BP01"))
    try fixture.database.execute("drop view public.on_month")

    let reader = try fixture.database.connect()
    try reader.begin()
    _ = try reader.query("select count(*) from game.level_up")
    let waiting = try fixture.program.start(
      ["retention", "--keep", "1", "--database", fixture.database.conninfo])
    Thread.sleep(forTimeInterval: 1)
    try reader.commit()
    #expect(try waiting.wait().exitCode == 0)
    #expect(try months() == 1)
  }

  @Test func `zero months and a stream without monthly partitions are refused`() throws {
    #expect(try retention("--keep", "0").exitCode == 64)
    #expect(try retention().exitCode == 64)
    let receipts = try retention("--keep", "3", "--stream", "receipt")
    #expect(receipts.exitCode == 64)
    #expect(receipts.errors.contains("receipt is not partitioned by month"))
  }
}

/// `prune` with the real program.
@Suite(.serialized, .needsServer, .ownDatabase) struct PruneCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func prune(_ arguments: String...) throws -> Command.Result {
    try fixture.run(["prune"] + arguments)
  }

  private func rejects() throws -> String? {
    try fixture.database.value(
      """
      select (select count(*) from ingest.reject) || ' '
        || (select sum(reject_count) from report.reject_by_day)
      """)
  }

  @Test func `old refused lines are removed and still counted, and their file stays known`() throws
  {
    let path = try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1), "{}"])
    let load = ["load", path] + CommandFixture.asOf
    #expect(try fixture.run(load).exitCode == 3)
    #expect(try fixture.run(load).exitCode == 0)
    let nothing = "0 refused lines, 0 accepted conflicts, 0 dismissed failures, 0 undone files and "
    #expect(try prune("--keep", "1").output == "removed \(nothing)0 runs without files\n")

    try fixture.database.execute(
      """
      update ingest.source_file set loaded_at = loaded_at - interval '3 months';
      update ingest.load set started_at = started_at - interval '3 months'
      """)
    #expect(try prune("--keep", "6").output == "removed \(nothing)0 runs without files\n")
    let counts =
      "1 refused line, 0 accepted conflicts, 0 dismissed failures, 0 undone files and 1 run without files\n"
    let dry = try prune("--keep", "2", "--dry-run")
    #expect(dry.output == "dry run: nothing was kept; it would remove \(counts)")
    #expect(try rejects() == "1 1")
    let done = try prune("--keep", "2")
    #expect(done.exitCode == 0 && done.output == "removed \(counts)", "\(done.errors)")
    #expect(try rejects() == "0 1")
    #expect(try fixture.run(load).exitCode == 0)
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "1")
    #expect(try fixture.run(["undo", "1"]).exitCode == 0)
    #expect(try rejects() == nil)
  }

  @Test func `a number of months is needed`() throws {
    #expect(try prune().exitCode == 64)
    #expect(try prune("--keep", "0").exitCode == 64)
  }
}
