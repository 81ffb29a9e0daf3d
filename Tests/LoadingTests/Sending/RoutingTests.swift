import Loading
import Postgres
import RecordPipeline
import SampleData
import TestSupport
import Testing

/// Certainly new rows skip the merge; the result must be the same.
@Suite(.serialized, .needsServer, .ownDatabase) struct RoutingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func load(
    _ bytes: [UInt8], _ stream: SampleStream, options: LoadOptions = LoadFixture.options
  ) throws -> FileReport {
    let path = try fixture.folder.write("\(stream.rawValue).jsonl", bytes)
    return try #require(try fixture.load([path], options: options).files.first)
  }

  @Test(arguments: SampleStream.allCases)
  func `later, earlier and overlapping files find the stored rows`(stream: SampleStream) throws {
    let parts = (0..<3).map { Sample(stream, count: 600, part: $0, of: 3) }
    for part in [1, 2, 0] {
      let file = try load(parts[part].bytes, stream)
      #expect(file.inserted == parts[part].expected.inserted, "part \(part)")
      #expect(file.duplicates == parts[part].expected.repeats, "part \(part)")
    }
    let overlapping = try load(parts[0].bytes + parts[1].bytes, stream)
    #expect(overlapping.inserted == 0)
    #expect(
      overlapping.duplicates
        == parts[0...1].map { $0.expected.inserted + $0.expected.repeats }.reduce(0, +))
    #expect([overlapping.filled, overlapping.conflicts] == [0, 0])
  }

  @Test(arguments: SampleStream.allCases)
  func `a file of half known and half new rows counts both`(stream: SampleStream) throws {
    let parts = (0..<2).map { Sample(stream, count: 700, repeats: 0.3, part: $0, of: 2) }
    _ = try load(parts[0].bytes, stream)
    let file = try load(parts[1].bytes + parts[0].bytes, stream)
    #expect(file.inserted == parts[1].expected.inserted)
    #expect(
      file.duplicates
        == parts[1].expected.repeats + parts[0].expected.inserted + parts[0].expected.repeats)
  }

  @Test(arguments: SampleStream.allCases, [true, false])
  func `the smallest key memory gives the same result`(
    stream: SampleStream, isShuffled: Bool
  ) throws {
    // More than three thousand keys fill the smallest key table.
    let sample = Sample(stream, count: 14_000, repeats: 0.3)
    let bytes = isShuffled ? sample.shuffled(seed: 5) : sample.bytes
    var options = LoadFixture.options
    options.keyMemory = 0
    let file = try load(bytes, stream, options: options)
    #expect(file.inserted == sample.expected.inserted)
    // If a repeat with fewer fields comes first, its original fills it.
    #expect(file.duplicates + file.filled == sample.expected.repeats)
    #expect(isShuffled || file.filled == 0)
    #expect(file.rejected == sample.expected.bad)
    #expect(file.conflicts == 0)
    let facts = try fixture.digests(ignoring: ["source_file_id", "loaded_at", "load_id"])

    let tables = StreamCatalog.all.map(\.targetTable).joined(separator: ", ")
    try fixture.database.execute("truncate \(tables), ingest.source_file cascade")
    let roomy = try load(bytes, stream)
    #expect(
      [roomy.inserted, roomy.filled, roomy.duplicates]
        == [file.inserted, file.filled, file.duplicates])
    let again = try fixture.digests(ignoring: ["source_file_id", "loaded_at", "load_id"])
    for table in StreamCatalog.all.map(\.targetTable) {
      #expect(facts[table] == again[table])
    }
  }

  @Test func `a month is created with its first row, with bounds in UTC`() throws {
    let times = [
      "2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00Z", "2025-07-31T23:59:59.999Z",
      "2025-08-01T08:59:59.999+09:00", "2025-08-01T09:00:00+09:00", "2000-01-01T00:00:00Z",
    ]
    let file = try #require(
      try fixture.load(
        lines: times.map { Lines.levelUp(["levelUpTime": "\"\($0)\""]) }, as: "levelup"
      ).files.first)
    #expect([file.inserted, file.duplicates] == [5, 1])
    #expect(
      try fixture.database.rows(
        """
        select tableoid::regclass, count(*) from game.level_up group by tableoid
          order by min(leveled_up_at)
        """) == [
          ["game.level_up_2000_01", "1"], ["game.level_up_2024_02", "1"],
          ["game.level_up_2024_03", "1"], ["game.level_up_2025_07", "1"],
          ["game.level_up_2025_08", "1"],
        ])
    #expect(
      try fixture.database.value(
        """
        select pg_get_expr(relpartbound, oid) from pg_class
          where oid = 'game.level_up_2024_02'::regclass
        """)
        == "FOR VALUES FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')")
  }

  @Test func `a file that rolls back in a new month loads later`() throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    let lines = [Lines.gameUser(["eventTime": "\"2010-05-05T00:00:00Z\""]), "{}"]
    #expect(try fixture.load(lines: lines, as: "gameuser", options: options).exitCode == 4)
    #expect(try fixture.nothingIsLoaded())
    #expect(try fixture.load(lines: lines, as: "gameuser").files.map(\.inserted) == [1])
  }
}
