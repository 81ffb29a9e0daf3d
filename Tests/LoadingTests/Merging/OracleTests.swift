import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// The loader against an oracle that processes one row at a time.
@Suite(.serialized, .needsServer, .ownDatabaseAlsoOnCluster) struct OracleTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  /// Random on every run; a failure prints its seed, and `ORACLE_SEED` repeats it.
  private static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["ORACLE_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? (0..<15).map { _ in .random(in: .min ... .max) }

  @Test(arguments: StreamCatalog.all.map(\.name), seeds)
  func `random files with few keys and values load as the contract says`(
    stream: String, seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    let lines = try #require(OracleLines.all[stream])
    var oracle = Oracle(lines.rules)
    var options = LoadFixture.options
    options.keyMemory = 0

    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let file = (0..<Int.random(in: 1...25, using: &random)).map { _ in lines.line(using: &random)
      }
      let report = try fixture.load(
        lines: file.map(\.json) + [""], as: "a", stream: stream, options: options)
      let result = try #require(report.files.first)
      try #require(result.status != .failed, "\(result.error ?? "")")
      // A small random file can equal an earlier one.
      if result.status == .alreadyLoaded { continue }
      let number = try #require(
        try fixture.database.value("select max(source_file_id) from ingest.source_file"))
      var counts: [Oracle.Outcome: Int] = [:]
      for (index, line) in file.enumerated() {
        let outcome = oracle.take(line, file: Int(number) ?? 0, number: index + 1)
        counts[outcome, default: 0] += 1
      }
      let expected = [.inserted, .filled, .duplicate, .conflict].map { counts[$0] ?? 0 } + [0, 1]
      #expect(
        [
          result.inserted, result.filled, result.duplicates, result.conflicts, result.rejected,
          result.blank,
        ] == expected, "seed \(seed)")
    }
    try compareRows(of: stream, lines.columns, with: oracle, seed)
  }

  private func compareRows(
    of stream: String, _ columns: [String], with oracle: Oracle, _ seed: UInt64
  ) throws {
    func sorted(_ rows: [[String?]]) -> [String] {
      rows.map { row in row.map { $0.map { "'\($0)'" } ?? "NULL" }.joined(separator: " ") }.sorted()
    }
    let table = try #require(StreamCatalog.stream(named: stream)).targetTable
    let rows = try fixture.database.rows("select \(columns.joined(separator: ", ")) from \(table)")
    #expect(
      sorted(rows) == sorted(oracle.rows.values.map { row in columns.map { row[$0] } }),
      "seed \(seed)")
    // A flag prints as true in text and as t in a column.
    let spelled = ["t": "true", "f": "false"]
    let conflicts = try fixture.database.rows(
      "select field, kept, refused, source_file_id, line_number from ingest.conflict")
    #expect(
      sorted(conflicts) == sorted(oracle.conflicts.map { $0.map { spelled[$0] ?? $0 } }),
      "seed \(seed)")
    let fills = try fixture.database.rows(
      "select field, source_file_id, line_number from ingest.fill")
    #expect(sorted(fills) == sorted(oracle.fills), "seed \(seed)")
  }
}
