import Loading
import Postgres
import SampleData
import TestSupport
import Testing

/// A dry run does the work of a load and stores nothing.
@Suite(.serialized, .needsServer, .ownDatabase) struct DryRunTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static var dry: LoadOptions {
    var options = LoadFixture.options
    options.isDryRun = true
    return options
  }

  private func counts(_ report: RunReport) -> [[Int]] {
    report.files.map {
      [$0.lines, $0.inserted, $0.filled, $0.duplicates, $0.conflicts, $0.rejected, $0.blank]
    }
  }

  private func runCount() throws -> String? {
    try fixture.database.value("select count(*) from ingest.load")
  }

  /// Months that no other test of this suite creates.
  private func partitions() throws -> String? {
    try fixture.database.value(
      """
      select count(*) from pg_inherits
        where inhparent in ('game.level_up'::regclass, 'game.game_user_snapshot'::regclass,
          'game.item_snapshot'::regclass)
      """)
  }

  @Test func `a dry run reports the outcome of the load and stores nothing`() throws {
    let paths = [
      try fixture.folder.write("receipt-1.jsonl", Sample(.receipt, seed: 3).bytes),
      try fixture.folder.write("receipt-2.jsonl", Sample(.receipt, seed: 4).bytes),
      try fixture.folder.write("receipt-copy.jsonl", Sample(.receipt, seed: 3).bytes),
      try fixture.folder.write("levelup-1.jsonl", Sample(.levelUp, seed: 5).bytes),
      try fixture.folder.write("levelup-2.jsonl", Sample(.levelUp, seed: 5).shuffled(seed: 1)),
      try fixture.folder.write("gameuser.jsonl", Sample(.gameUser, seed: 6).bytes),
    ]
    let before = try fixture.digests()
    let partitionsBefore = try partitions()
    let dry = try fixture.load(paths, options: Self.dry)
    #expect(dry.loadID == nil && dry.isDryRun == true)
    #expect(try fixture.digests() == before)
    #expect(try runCount() == "0")
    #expect(try partitions() == partitionsBefore)

    let real = try fixture.load(paths)
    #expect(counts(dry) == counts(real))
    #expect(dry.files.map(\.status) == real.files.map(\.status))
    #expect(dry.files.map(\.sha256) == real.files.map(\.sha256))
    #expect(dry.exitCode == real.exitCode)
    // Each file saw the rows that the files before it would have stored.
    #expect(dry.files[2].status == .alreadyLoaded)
    #expect(dry.files[4].inserted == 0)
  }

  @Test func `a failing file does not affect the files after it`() throws {
    var options = Self.dry
    options.rejectLimit = .count(0)
    let levelUp = { (month: Int, user: String) in
      Lines.levelUp([
        "userId": "\"\(user)\"", "levelUpTime": "\"2011-0\(month)-01T00:00:00Z\"",
      ])
    }
    let paths = [
      "\(fixture.folder.path)/levelup-gone.jsonl",
      // Both files need new months, and the months of the first are rolled back with it.
      try fixture.folder.write("levelup-1.jsonl", lines: [levelUp(3, "a"), "x", levelUp(4, "b")]),
      try fixture.folder.write("levelup-2.jsonl", lines: [levelUp(3, "a"), levelUp(4, "b")]),
      try fixture.folder.write("levelup-3.jsonl", lines: [levelUp(3, "a"), levelUp(4, "c")]),
    ]
    let report = try fixture.load(paths, options: options)
    #expect(report.files.map(\.status) == [.failed, .failed, .loaded, .loaded])
    #expect(counts(report)[2] == [2, 2, 0, 0, 0, 0, 0])
    #expect(counts(report)[3] == [2, 1, 0, 1, 0, 0, 0])
    #expect(report.exitCode == 5)
    #expect(try fixture.nothingIsLoaded())
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
    #expect(
      try fixture.database.value("select to_regclass('game.level_up_2011_03')") == nil)
  }
}
