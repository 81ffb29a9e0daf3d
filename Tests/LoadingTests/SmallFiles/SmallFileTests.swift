import Loading
import TestSupport
import Testing

/// Small files share transactions without a visible difference.
@Suite(.serialized, .needsServer, .ownDatabase) struct SmallFileTests {
  private let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  /// Files of few lines over few keys: new rows, duplicates, fills, conflicts and bad lines.
  private func files(seed: UInt64) throws -> [String] {
    var chance = SplitMix(state: seed)
    return try (0..<12).map { number in
      let lines = (0...Int.random(in: 0..<5, using: &chance)).map { _ in
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: "no json"
        case 1: ""
        default:
          Lines.receipt([
            "paymentSeq": "\"p\(Int.random(in: 0..<6, using: &chance))\"",
            "price": Int.random(in: 0..<4, using: &chance) == 0 ? "5.99" : "4.99",
            "paymentId": Int.random(in: 0..<2, using: &chance) == 0 ? "\"id\"" : nil,
            "appId": Int.random(in: 0..<3, using: &chance) == 0 ? "\"app\"" : nil,
          ])
        }
      }
      // Makes the bytes of each file unique.
      return try fixture.folder.write(
        "receipt-\(seed)-\(number + 10).jsonl",
        lines: lines + [String(repeating: " ", count: number + 1)])
    }
  }

  private func picture() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select 'row', to_jsonb(t)::text from game.receipt t
      union all select 'file', concat_ws(' ', path, line_count, inserted_count, filled_count,
        duplicate_count, conflict_count, rejected_count, blank_count, byte_count)
        from ingest.source_file
      union all select 'conflict', (to_jsonb(t) - 'conflict_id')::text from ingest.conflict t
      union all select 'fill', (to_jsonb(t) - 'fill_id')::text from ingest.fill t
      union all select 'reject', (to_jsonb(t) - 'reject_id')::text from ingest.reject t
      order by 1, 2
      """)
  }

  private func withoutTimes(_ report: FileReport) -> FileReport {
    var report = report
    report.startedAt = nil
    report.durationSeconds = nil
    return report
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `files that share a transaction give the same result as separate transactions`(seed: UInt64)
    throws
  {
    let paths = try files(seed: seed)
    let together = try fixture.load(paths)
    #expect(
      try fixture.database.value("select count(distinct opened_by) from ingest.source_file") == "1")
    let shared = try picture()
    // Another fixture empties the database and restarts its sequences.
    let fixture = try LoadFixture()
    let alone = try paths.map { try fixture.load([$0]).files[0] }
    #expect(try picture() == shared)
    #expect(together.files.map(withoutTimes) == alone.map(withoutTimes))
    #expect(try fixture.load(paths).files.allSatisfy { $0.status == .alreadyLoaded })
  }

  @Test func `a failing file leaves the other files of its group loaded`() throws {
    let good = try (1...3).map {
      try fixture.folder.write(
        "receipt-\($0).jsonl", lines: [Lines.receipt(["paymentSeq": "\"p\($0)\""])])
    }
    let bad = try fixture.folder.write("receipt-2b.jsonl", lines: [Lines.receipt(), "x", "y"])
    var options = LoadFixture.options
    options.rejectLimit = .count(1)
    let report = try fixture.load([good[0], bad, good[1], good[2]], options: options)
    #expect(report.files.map(\.status) == [.loaded, .failed, .loaded, .loaded])
    #expect(report.exitCode == 4)
    #expect(try fixture.factCount() == 3)
    #expect(
      try fixture.database.rows("select path, rejected_count from ingest.failed_file")
        == [[bad, "2"]])
  }

  @Test func `the same bytes twice in one run are loaded once`() throws {
    let paths = try ["a", "b", "c"].map {
      try fixture.folder.write("receipt-\($0).jsonl", lines: [Lines.receipt()])
    }
    let report = try fixture.load(paths)
    #expect(report.files.map(\.status) == [.loaded, .alreadyLoaded, .alreadyLoaded])
    #expect(try fixture.factCount() == 1)
  }

  @Test(arguments: [1, 3])
  func `a file with lines of an unexpected application fails`(count: Int) throws {
    let paths = try (1...count).map { number in
      try fixture.folder.write(
        "receipt-\(number).jsonl",
        lines: [
          Lines.receipt(["paymentSeq": "\"p\(number)\""]),
          Lines.receipt(["paymentSeq": "\"q\(number)\"", "appId": "\"right\""]),
          Lines.receipt(["price": nil, "appId": number == 2 ? "\"right\"" : "\"wrong\""]),
        ])
    }
    var options = LoadFixture.options
    options.expectedApp = "right"
    let report = try fixture.load(paths, options: options)
    #expect(report.exitCode == 4)
    for (number, file) in report.files.enumerated() {
      #expect(file.status == (number == 1 ? .loaded : .failed))
      if number != 1 {
        #expect(file.error?.contains("the application \"wrong\" (line 3)") == true)
      }
    }
  }

  @Test func `files after the one that stops a run are not reached, loaded before or not`() throws {
    let paths = try ["1", "2", "3"].map { number in
      try fixture.folder.write(
        "receipt-\(number).jsonl",
        lines: number == "2" ? ["x"] : [Lines.receipt(["paymentSeq": "\"p\(number)\""])])
    }
    _ = try fixture.load([paths[0], paths[2]])
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    options.failFast = true
    let report = try fixture.load(paths, options: options)
    #expect(report.files.map(\.status) == [.alreadyLoaded, .failed, .failed])
    #expect(report.files[2].error?.hasPrefix("not reached") == true)
  }

  @Test func `new field names are compared by their bytes`() throws {
    let paths = try ["caf\u{E9}", "cafe\u{301}"].enumerated().map { number, field in
      try fixture.folder.write(
        "receipt-\(number).jsonl",
        lines: [Lines.receipt(["paymentSeq": "\"p\(number)\"", field: "1"])])
    }
    let names = try fixture.load(paths).files.map { $0.newFields.map { Array($0.utf8) } }
    #expect(names == [[Array("caf\u{E9}".utf8)], [Array("cafe\u{301}".utf8)]])
  }
}
