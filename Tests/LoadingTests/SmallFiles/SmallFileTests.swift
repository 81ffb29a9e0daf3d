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
}
