import Loading
import RecordPipeline
import TestSupport
import Testing

/// Rows whose key may be stored, recognized by the server through their digests.
@Suite(.serialized, .needsServer, .ownDatabase) struct KnownRowsTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func load(
    _ lines: [String], stream: String = "receipt"
  ) throws -> (inserted: Int, filled: Int, duplicates: Int, conflicts: Int) {
    let file = try #require(
      try fixture.load(lines: lines, as: "a.jsonl", stream: stream).files.first)
    return (file.inserted, file.filled, file.duplicates, file.conflicts)
  }

  /// Records the row count of every merge from now on, taken from the ledger update that each merge
  /// makes.
  private func watchStaging() throws {
    try fixture.database.execute(
      """
      drop table if exists public.merged;
      create table public.merged (row_count bigint);
      create or replace function public.note_merged() returns trigger language plpgsql as $$
        begin
          insert into public.merged values (new.line_count - old.line_count);
          return new;
        end $$;
      drop trigger if exists note on ingest.source_file;
      create trigger note before update on ingest.source_file for each row
        when (new.byte_count = 0) execute function public.note_merged();
      """)
  }

  private func stagedCount() throws -> String? {
    try fixture.database.execute("drop trigger note on ingest.source_file")
    return try fixture.database.value("select coalesce(sum(row_count), 0) from public.merged")
  }

  @Test func `rows stored before are duplicates without being staged`() throws {
    let lines = (1...50).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }
    #expect(try load(lines) == (50, 0, 0, 0))
    try watchStaging()
    #expect(try load(lines.reversed() + [""]) == (0, 0, 50, 0))
    #expect(try stagedCount() == "0")
  }

  @Test func `missing keys below the largest stored one are inserted without being staged`() throws
  {
    #expect(try load([Lines.receipt(["paymentSeq": "\"z\""])]) == (1, 0, 0, 0))
    try watchStaging()
    let lines = (1...50).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }
    #expect(try load(lines) == (50, 0, 0, 0))
    #expect(try stagedCount() == "0")
  }

  @Test func `the first new row of a key is inserted, and the others are compared with it`() throws
  {
    #expect(try load([Lines.receipt(["paymentSeq": "\"z\""])]) == (1, 0, 0, 0))
    let lines = [
      Lines.receipt(["paymentSeq": "\"p\""]),
      Lines.receipt(["paymentSeq": "\"p\"", "payload": "\"later\""]),
      Lines.receipt(["paymentSeq": "\"p\"", "payload": "\"too late\""]),
    ]
    #expect(try load(lines) == (1, 1, 0, 1))
    #expect(
      try fixture.database.rows(
        "select payload, line_number from game.receipt where payment_seq = 'p'")
        == [["later", "1"]])
  }

  @Test func `a row keeps its digest until a line fills it`() throws {
    let plain = Lines.receipt()
    let more = Lines.receipt(["payload": "\"x\""])
    #expect(try load([plain]) == (1, 0, 0, 0))
    let hasDigest = "select row_digest is not null from game.receipt"
    #expect(try fixture.database.value(hasDigest) == "t")
    #expect(try load([more]) == (0, 1, 0, 0))
    #expect(try fixture.database.value(hasDigest) == "f")
    // The row has no digest, so the loader compares both lines by value.
    #expect(try load([plain, more, Lines.receipt(["payload": "\"y\""])]) == (0, 0, 2, 1))
  }

  @Test func `a row without a digest, or digested under another key, is compared by value`() throws
  {
    let lines = [
      Lines.receipt(["paymentSeq": "\"a\""]), Lines.receipt(["paymentSeq": "\"b\""]),
    ]
    #expect(try load(lines) == (2, 0, 0, 0))
    try fixture.database.execute(
      "update game.receipt set row_digest = null where payment_seq = 'a'")
    #expect(try load(lines + [""]) == (0, 0, 2, 0))
    try fixture.database.execute(
      "update ingest.row_digest_key set points = decode(repeat('5a', 16), 'hex')")
    #expect(try load(lines + ["", ""]) == (0, 0, 2, 0))
    #expect(
      try load([Lines.receipt(["paymentSeq": "\"b\"", "price": "5.99"])]).conflicts == 1)
  }

  @Test func `a load fails when the database has lost its digest key`() throws {
    try fixture.database.execute("alter table ingest.row_digest_key rename to row_digest_key_lost")
    try fixture.database.execute(
      "create table ingest.row_digest_key (like ingest.row_digest_key_lost)")
    let report = try fixture.load(lines: [Lines.receipt()])
    try fixture.database.execute(
      """
      drop table ingest.row_digest_key;
      alter table ingest.row_digest_key_lost rename to row_digest_key
      """)
    #expect(report.exitCode == 70)
    #expect(report.files.first?.error?.contains("ingest.row_digest_key holds no key") == true)
  }

  @Test(arguments: ["level_up", "game_user"])
  func `keys with absent parts are recognized`(stream: String) throws {
    let time = stream == "level_up" ? "levelUpTime" : "eventTime"
    let lines = ["", #","characterId":"c""#, #","channelId":"h""#].map {
      #"{"userId":"u","userLevel":3,"\#(time)":1751328000000\#($0)}"#
    }
    // The channel is not part of a level-up's key, so the third line fills the first row.
    let first = try load(lines, stream: stream)
    #expect(first == (stream == "level_up" ? (2, 1, 0, 0) : (3, 0, 0, 0)))
    #expect(try load(lines.reversed(), stream: stream) == (0, 0, 3, 0))
  }
}
