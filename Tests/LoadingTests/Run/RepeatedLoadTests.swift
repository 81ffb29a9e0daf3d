import Loading
import Postgres
import RecordPipeline
import SampleData
import TestSupport
import Testing

/// Loading again changes nothing: the same bytes under any name, the same rows in any order.
@Suite(.serialized, .needsServer, .ownDatabase) struct RepeatedLoadTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func compressed(_ path: String, with program: String, to suffix: String) throws -> String
  {
    try packed(path, by: "\(program) -c \"$IN\"", to: suffix)
  }

  private func packed(_ path: String, by script: String, to suffix: String) throws -> String {
    let output = "\(path)\(suffix)"
    var command = Command("/bin/sh")
    command.environment["IN"] = path
    command.environment["OUT"] = output
    let result = try command.run(["-c", "{ \(script); } > \"$OUT\""])
    try #require(result.exitCode == 0, "\(result.errors)")
    return output
  }

  @Test(arguments: SampleStream.allCases)
  func `sample data loads as the generator expects, and a second load stores nothing`(
    stream: SampleStream
  ) throws {
    let sample = Sample(stream)
    let path = try fixture.folder.write("\(stream.rawValue).jsonl", sample.bytes)
    let first = try fixture.load([path])
    let file = try #require(first.files.first)
    #expect(first.exitCode == 3)
    #expect(file.status == .loaded)
    #expect(file.lines == sample.expected.lines)
    #expect(file.inserted == sample.expected.inserted)
    #expect(file.duplicates == sample.expected.repeats)
    #expect(file.rejected == sample.expected.bad)
    #expect(file.blank == sample.expected.blanks)
    #expect([file.filled, file.conflicts, file.suppressed] == [0, 0, 0])
    let receipts = file.embedded?.inserted ?? 0
    #expect(try fixture.factCount() == sample.expected.inserted + receipts)

    let before = try fixture.digests()
    let second = try fixture.load([path])
    #expect(second.exitCode == 0)
    #expect(second.files.map(\.status) == [.alreadyLoaded])
    #expect(second.files.first?.sha256 == file.sha256)
    #expect(second.files.first?.inserted == 0)
    #expect(try fixture.digests() == before)
    #expect(try fixture.database.value("select count(*) from ingest.load") == "2")
  }

  @Test func `the ledger holds the report's counts and the options of the load`() throws {
    let sample = Sample(.levelUp)
    let path = try fixture.folder.write("levelup.jsonl", sample.bytes)
    var options = LoadFixture.options
    options.appID = "game-1"
    let report = try fixture.load([path], options: options)
    let file = try #require(report.files.first)
    let ledger = try fixture.database.rows(
      """
      select load_id, stream, path, encode(sha256, 'hex'), byte_count, line_count, inserted_count,
        filled_count, duplicate_count, conflict_count, rejected_count, suppressed_count,
        blank_count, app_id, observed_at, as_of, time_unit, undone_at, purchase_token_mode
      from ingest.source_file
      """)
    let counts = [
      file.lines, file.inserted, file.filled, file.duplicates, file.conflicts, file.rejected,
      file.suppressed, file.blank,
    ]
    let loadID = try #require(report.loadID)
    #expect(
      ledger == [
        ["\(loadID)", "level_up", path, file.sha256, "\(sample.bytes.count)"]
          + counts.map { "\($0)" }
          + ["game-1", nil, "2026-01-01 00:00:00+00", "ms", nil, "hash"]
      ])
    #expect(
      try fixture.database.rows(
        "select exit_code, finished_at >= started_at, loader_version from ingest.load")
        == [["3", "t", "test"]])
  }

  @Test func `the same bytes under another name or compression are already loaded`() throws {
    let sample = Sample(.receipt)
    let path = try fixture.folder.write("receipt-a.jsonl", sample.bytes)
    let copy = try fixture.folder.write("receipts/other name.json", sample.bytes)
    let gzip = try compressed(path, with: "gzip", to: ".gz")
    let zstd = try compressed(path, with: "zstd -q", to: ".zst")
    // Several members or frames, which claim a wrong length or none.
    let parts = try packed(
      path, by: #"head -c 99 "$IN" | gzip; tail -c +100 "$IN" | gzip"#, to: "-parts.gz")
    let piped = try packed(path, by: #"cat "$IN" | zstd -q"#, to: "-piped.zst")
    let frames = try packed(
      path, by: #"head -c 99 "$IN" | zstd -q; tail -c +100 "$IN" | zstd -q"#, to: "-frames.zst")
    // Compression is detected by content, so a missing or wrong extension does not matter.
    let misnamed = try compressed(path, with: "gzip", to: "-misnamed.jsonl")
    let first = try fixture.load([zstd])
    #expect(first.files.first?.inserted == sample.expected.inserted)
    let before = try fixture.digests()
    let again = try fixture.load([path, copy, gzip, zstd, misnamed, parts, piped, frames])
    #expect(again.exitCode == 0)
    #expect(again.files.map(\.status) == Array(repeating: .alreadyLoaded, count: 8))
    #expect(Set(again.files.map(\.sha256)) == [first.files.first?.sha256])
    #expect(try fixture.digests() == before)
  }

  @Test(arguments: SampleStream.allCases)
  func `the same rows in another order are all duplicates`(stream: SampleStream) throws {
    let sample = Sample(stream, bad: 0)
    let path = try fixture.folder.write("\(stream.rawValue)-1.jsonl", sample.bytes)
    _ = try fixture.load([path])
    let facts = StreamCatalog.all.map(\.targetTable)
    let before = try fixture.digests().filter { facts.contains($0.key) }
    let other = try fixture.folder.write(
      "\(stream.rawValue)-2.jsonl", sample.shuffled(seed: 11))
    let report = try fixture.load([other])
    let file = try #require(report.files.first)
    #expect(report.exitCode == 0)
    #expect(file.status == .loaded)
    #expect(file.duplicates == sample.expected.inserted + sample.expected.repeats)
    #expect([file.inserted, file.filled, file.conflicts, file.rejected] == [0, 0, 0, 0])
    #expect(try fixture.digests().filter { facts.contains($0.key) } == before)
  }

  @Test func `another application or observation time makes it another file`() throws {
    let lines = [#"{"userId":"u","userLevel":3}"#]
    let path = try fixture.folder.write("gameuser.jsonl", lines: lines)
    var options = LoadFixture.options
    options.reloadsUnderNewOptions = true
    for (appID, observedAt, status) in [
      (nil, nil, FileReport.Status.loaded), ("a", nil, .loaded), ("a", nil, .alreadyLoaded),
      ("a", 1_751_328_000_000, .loaded), ("b", 1_751_328_000_000, .loaded),
      (nil, 1_751_328_000_000, .loaded), ("a", 1_751_328_000_000, .alreadyLoaded),
      (nil, nil, .alreadyLoaded),
    ] as [(String?, Int64?, FileReport.Status)] {
      options.appID = appID
      options.observedAt = observedAt
      let report = try fixture.load([path], options: options)
      #expect(report.files.map(\.status) == [status], "\(appID ?? "-") \(observedAt ?? 0)")
    }
    #expect(
      try fixture.database.rows(
        """
        select app_id, observed_at_source, source_file_id from game.game_user_snapshot
          order by source_file_id
        """
      ).map { $0.prefix(2).map { $0 ?? "" } } == [
        ["", "load_start"], ["a", "load_start"], ["a", "option"], ["b", "option"], ["", "option"],
      ])
  }

  @Test(arguments: [1, 3])
  func `bytes loaded earlier under other options are refused by name`(fileCount: Int) throws {
    let paths = try (1...fileCount).map {
      try fixture.folder.write(
        "receipt-\($0).jsonl", lines: [Lines.receipt(["paymentSeq": "\"p\($0)\""])])
    }
    var options = LoadFixture.options
    options.appID = "first"
    #expect(try fixture.load(paths, options: options).exitCode == 0)
    let facts = try fixture.factCount()
    for (appID, observedAt) in [(nil, nil), ("second", nil), ("first", 1_751_328_000_000)]
      as [(String?, Int64?)]
    {
      options.appID = appID
      options.observedAt = observedAt
      let report = try fixture.load(paths, options: options)
      #expect(report.exitCode == 5)
      for (file, path) in zip(report.files, paths) {
        #expect(file.status == .failed)
        let error = try #require(file.error)
        #expect(error.contains("\(path) (file "), "\(error)")
        #expect(error.contains("--app-id first and no --observed-at"), "\(error)")
      }
      #expect(try fixture.factCount() == facts)
    }
    // Their failures end when the right options are given.
    options.appID = "first"
    options.observedAt = nil
    let again = try fixture.load(paths, options: options)
    #expect(again.files.allSatisfy { $0.status == .alreadyLoaded })
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
  }

  @Test func `a database setting names the application of lines without one`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    let connection = try fixture.database.connect()
    try connection.transaction { _ = try DatabaseSettings(connection).set(.appID, to: "house") }
    #expect(try fixture.load([path]).exitCode == 0)
    #expect(try fixture.database.rows("select app_id from ingest.source_file") == [["house"]])
    #expect(try fixture.database.rows("select app_id from game.receipt") == [["house"]])
    var options = LoadFixture.options
    options.appID = "house"
    #expect(try fixture.load([path], options: options).files[0].status == .alreadyLoaded)
    options.appID = "other"
    #expect(try fixture.load([path], options: options).exitCode == 5)
    let before = try connection.transaction {
      try DatabaseSettings(connection).set(.appID, to: nil)
    }
    #expect(before == "house")
    #expect(try fixture.load([path]).exitCode == 5)
  }

  @Test func `the same bytes in another stream are another file`() throws {
    let line =
      #"{"userId":"u","userLevel":3,"levelUpTime":1751328000000,"eventTime":1751328000000}"#
    #expect(try fixture.load(lines: [line], as: "a", stream: "level_up").files[0].inserted == 1)
    #expect(try fixture.load(lines: [line], as: "a", stream: "game_user").files[0].inserted == 1)
    #expect(
      try fixture.load(lines: [line], as: "a", stream: "level_up").files[0].status
        == .alreadyLoaded)
  }

  @Test func `an empty file is loaded with zero lines`() throws {
    let path = try fixture.folder.write("receipt.jsonl", [])
    let report = try fixture.load([path])
    #expect(report.exitCode == 0)
    #expect(report.files.map(\.status) == [.loaded])
    #expect(report.files.first?.lines == 0)
    #expect(try fixture.load([path]).files.map(\.status) == [.alreadyLoaded])
  }
}
