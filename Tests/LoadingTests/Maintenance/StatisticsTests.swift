import Loading
import RecordPipeline
import SampleData
import TestSupport
import Testing

/// The planner's statistics after large loads.
@Suite(.serialized, .needsServer, .ownDatabase) struct StatisticsTests {
  let fixture: LoadFixture

  init() throws {
    fixture = try LoadFixture()
    // Otherwise autovacuum may be faster than the test.
    for table in ["receipt", "level_up_2025_07"] {
      try? fixture.database.execute("alter table game.\(table) set (autovacuum_enabled = off)")
    }
  }

  private func load(_ stream: SampleStream, count: Int, part: Int = 0, of parts: Int = 1) throws {
    let sample = Sample(stream, count: count, bad: 0, repeats: 0, part: part, of: parts)
    let path = try fixture.folder.write("\(stream.rawValue)-\(part).jsonl", sample.bytes)
    let file = try #require(try fixture.load([path]).files.first)
    #expect(file.status == .loaded, "\(file.error ?? "")")
  }

  private func knownRows(_ table: String) throws -> Int? {
    try fixture.database.value(
      "select reltuples::bigint from pg_class where oid = '\(table)'::regclass"
    ).flatMap { Int($0) }
  }

  @Test func `a large table is analyzed after it has grown by a tenth`() throws {
    try load(.receipt, count: 500)
    #expect(try knownRows("game.receipt") == -1)
    try load(.receipt, count: 40_000, part: 0, of: 2)
    let known = try #require(try knownRows("game.receipt"))
    #expect((38_000...42_000).contains(known))
    // Growth by 3 percent does not trigger ANALYZE.
    try load(.receipt, count: 1200, part: 1, of: 2)
    #expect(try knownRows("game.receipt") == known)
    let missing = try fixture.database.rows(
      """
      select attname, s.n_distinct is null from pg_attribute a left join pg_stats s
          using (attname) where attrelid = 'game.receipt'::regclass
          and coalesce(s.schemaname = 'game' and s.tablename = 'receipt', true)
          and attname in ('user_id', 'purchased_at', 'payload', 'row_digest') order by attname
      """)
    #expect(
      missing == [
        ["payload", "t"], ["purchased_at", "f"], ["row_digest", "t"], ["user_id", "f"],
      ])
  }

  @Test func `a load brings its rows into the BRIN index`() throws {
    try load(.receipt, count: 8000)
    // Every range is summarized except the last, which is not full.
    #expect(try fixture.database.value("select ingest.summarize_new_pages('receipt')") == "0")
    let ranges = try fixture.database.value(
      "select pg_relation_size('game.receipt') / current_setting('block_size')::int / 32")
    #expect((Int(ranges ?? "") ?? 0) >= 5)
    let plan = try fixture.database.rows(
      """
      explain (analyze, costs off, timing off, summary off) select from game.receipt
        where purchased_at < (select min(purchased_at) + interval '1 hour' from game.receipt)
      """)
    #expect(plan.description.contains("receipt_purchased_at"), "\(plan)")
  }

  @Test func `a partitioned table is analyzed as a whole, then only grown partitions`()
    throws
  {
    try load(.levelUp, count: 90_000)
    let month = try #require(try knownRows("game.level_up_2025_07"))
    #expect(abs(month - 90_000) < 2000)
    #expect(try knownRows("game.level_up") == -1)
    // Long rows make the table large.
    try fixture.database.execute(
      """
      insert into game.level_up (leveled_up_at, user_id, user_level, app_id, text_repaired, extra,
          source_file_id, line_number)
        select timestamptz '2025-07-31' + n * interval '1 millisecond', 'u', 1, '', false,
            json_build_object('x', repeat('x', 1000)), 0, n from generate_series(1, 60000) n
      """)
    #expect(try fixture.database.value("select ingest.analyze_if_grown('level_up')") == "1")
    let whole = try #require(try knownRows("game.level_up"))
    // An estimate from sampled pages, which hold few long rows or many short ones.
    #expect(abs(whole - 150_000) < 15_000)
    try fixture.database.execute(
      """
      select ingest.ensure_partition('level_up', '2024-01-01');
      insert into game.level_up (leveled_up_at, user_id, user_level, app_id, text_repaired,
          source_file_id, line_number)
        select timestamptz '2024-01-01' + n * interval '1 millisecond', 'u', 1, '', false, 0, n
          from generate_series(1, 10) n
      """)
    #expect(try fixture.database.value("select ingest.analyze_if_grown('level_up')") == "0")
  }

  @Test func `a dry run and a run without inserts analyze no table`() throws {
    try load(.receipt, count: 40_000)
    try fixture.database.execute(
      "update pg_class set reltuples = -1 where oid = 'game.receipt'::regclass")
    let repeated = Sample(.receipt, count: 40_000, bad: 0, repeats: 0)
    let again = try fixture.folder.write("receipt-again.jsonl", repeated.bytes + [0x0A])
    #expect(try fixture.load([again]).files.first?.duplicates == repeated.expected.inserted)
    #expect(try knownRows("game.receipt") == -1)
    let path = try fixture.folder.write("receipt-more.jsonl", lines: [Lines.receipt()])
    var options = LoadFixture.options
    options.isDryRun = true
    #expect(try fixture.load([path], options: options).exitCode == 0)
    #expect(try knownRows("game.receipt") == -1)
  }
}
