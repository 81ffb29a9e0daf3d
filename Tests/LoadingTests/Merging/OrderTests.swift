import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Any order of the same lines, split into any files, gives the same rows.
@Suite(.serialized, .needsServer, .ownDatabaseAlsoOnCluster) struct OrderTests {
  /// Random on every run; a failure prints its seed, and `ORDER_SEED` repeats it.
  private static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["ORDER_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? (0..<3).map { _ in .random(in: .min ... .max) }

  /// Columns that depend on the first line or on the number of lines, and so on the order.
  private static let ofFirstLine: Set<String> = [
    "price_raw", "price_repaired", "price_imprecise", "product_type_raw", "category_raw",
    "observed_at_source",
    "text_repaired", "extra", "source_file_id", "line_number", "row_digest",
  ]

  @Test(arguments: StreamCatalog.all.map(\.name), seeds)
  func `any order of lines and any split into files gives the same rows`(
    stream: String, seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    let lines = try LineSet(stream, using: &random)
    let columns = try #require(StreamCatalog.stream(named: stream)).allColumns.map(\.name)
      .filter { !Self.ofFirstLine.contains($0) }
    var first: Outcome?
    for arrangement in 0..<4 {
      let files = lines.files(1 + Int(random.next() % 5), using: &random)
      let outcome = try load(files, stream, lines, columns, keyMemory: Bool.random(using: &random))
      #expect(outcome.rejected == lines.rejectedCount, "seed \(seed)")
      #expect(outcome.inserted == lines.keyCount, "seed \(seed)")
      #expect(outcome.unexplained == [], "seed \(seed)")
      guard let first else {
        // There are comparable rows, and every key has a row.
        #expect(outcome.rows.count == lines.keyCount - lines.contradictedKeys.count)
        #expect(!outcome.rows.isEmpty)
        first = outcome
        continue
      }
      #expect(
        outcome.rows.symmetricDifference(first.rows) == [],
        "seed \(seed), arrangement \(arrangement)")
    }
  }

  private struct Outcome {
    /// Rows of keys without contradicting lines, as text.
    var rows: Set<[String?]> = []
    /// Values of the other rows that no line can have contributed.
    var unexplained: [String] = []
    var inserted = 0
    var rejected = 0
  }

  private func load(
    _ files: [[String]], _ stream: String, _ lines: LineSet, _ columns: [String], keyMemory: Bool
  ) throws -> Outcome {
    let fixture = try LoadFixture()
    var options = LoadFixture.options
    if !keyMemory { options.keyMemory = 0 }
    var outcome = Outcome()
    for (index, file) in files.enumerated() {
      let path = try fixture.folder.write("\(index)", lines: file)
      let report = try #require(
        try fixture.load([path], stream: stream, options: options).files.first)
      try #require(report.status == .loaded, "\(report.error ?? "")")
      #expect(
        report.lines == report.inserted + report.filled + report.duplicates + report.conflicts
          + report.rejected + report.blank)
      outcome.inserted += report.inserted
      outcome.rejected += report.rejected
    }
    let table = try #require(StreamCatalog.stream(named: stream)).targetTable
    let rows = try fixture.database.rows("select \(columns.joined(separator: ", ")) from \(table)")
    for row in rows {
      let values = Dictionary(uniqueKeysWithValues: zip(columns, row))
      let key = lines.rules.keys.map { values[$0] ?? nil }
      if lines.contradictedKeys.contains(key) {
        outcome.unexplained += lines.unexplained(values, ofKey: key)
      } else {
        outcome.rows.insert(row)
      }
    }
    return outcome
  }
}
