import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// Any order of the same lines, in any files, ends in the same rows.
@Suite(.serialized, .needsServer, .ownDatabase) struct OrderTests {
  /// Others on every run; a failure names its own, and `ORDER_SEED` runs that one again.
  private static let seeds: [UInt64] =
    ProcessInfo.processInfo.environment["ORDER_SEED"].flatMap { UInt64($0) }.map { [$0] }
    ?? (0..<3).map { _ in .random(in: .min ... .max) }

  /// Columns that tell how the first line was written, or whether one was enough, which the order
  /// decides.
  private static let ofFirstLine: Set<String> = [
    "price_raw", "price_repaired", "price_imprecise", "product_type_raw", "observed_at_source",
    "text_repaired", "extra", "source_file_id", "line_number", "row_digest",
  ]

  @Test(arguments: StreamCatalog.all.map(\.name), seeds)
  func `any order and any split into files ends in the same rows`(
    stream: String, seed: UInt64
  ) throws {
    var random = SplitMix(state: seed)
    let lines = LineSet(stream, using: &random)
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
        // The rows that can be compared are some, and complete: every key is there.
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
    /// Rows of keys that no two lines disagree about, as text.
    var rows: Set<[String?]> = []
    /// Values of other rows that no line can have brought.
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

/// Random lines, most of whose keys all lines agree about, with lines that are refused among them.
private struct LineSet {
  let rules: Oracle.Rules
  private var lines: [Oracle.Line] = []
  private var refused: [String] = []
  /// Keys of which two lines have different values: which of them is stored is for the order to say.
  private(set) var contradictedKeys: Set<[String?]> = []

  var rejectedCount: Int { refused.count }
  var keyCount: Int { Set(lines.map { key(of: $0) }).count }

  private static let groupCount = 12

  init(_ stream: String, using random: inout SplitMix) {
    let source = OracleLines.named(stream)
    rules = source.rules
    // All values of a key that lines so far agree about.
    var agreed: [[String?]: [String: String]] = [:]
    let grouping =
      stream == "receipt"
      ? (field: "paymentSeq", column: "payment_seq") : (field: "userId", column: "user_id")
    for number in 0..<30 * Self.groupCount {
      let group = number % Self.groupCount
      var line = source.line(using: &random)
      let member = "\"\(grouping.field)\":\""
      line.json = line.json.replacing(member, with: "\(member)\(group)-")
      line.values[grouping.column] = "\(group)-\(line.values[grouping.column] ?? "")"
      let key = key(of: line)
      let known = agreed[key] ?? [:]
      let comparable = comparable(line.values)
      if comparable.contains(where: { known[$0.key] != nil && known[$0.key] != $0.value }) {
        // A contradiction: it is let in for every sixth group.
        guard group % 6 == 0 else { continue }
        contradictedKeys.insert(key)
      } else {
        agreed[key] = known.merging(comparable) { $1 }
      }
      lines.append(line)
      if number % 7 == 0 { lines.append(line) }
      if number % 40 == 0 { refused.append("{\"userId\":\"refused\",\"x\":\(number)}") }
    }
  }

  func key(of line: Oracle.Line) -> [String?] { rules.keys.map { line.values[$0] } }

  /// The values of compared columns.
  private func comparable(_ values: [String: String]) -> [String: String] {
    values.filter { column, value in
      rules.compared.contains(column) && !(value.isEmpty && rules.emptyIsAbsent.contains(column))
    }
  }

  /// Everything in an order of its own, split into files that all differ.
  func files(_ count: Int, using random: inout SplitMix) -> [[String]] {
    var files = [[String]](repeating: [], count: count)
    for line in (lines.map(\.json) + refused).shuffled(using: &random) {
      files[Int.random(in: 0..<count, using: &random)].append(line)
    }
    // Two files of the same bytes are one file.
    return files.enumerated().map { $1 + [String(repeating: " ", count: $0 + 1)] }
  }

  /// The values of a row that no line can have brought: a line that contradicts the row in any
  /// value brings none, so whoever brought a value agrees with all that is stored.
  func unexplained(_ row: [String: String?], ofKey key: [String?]) -> [String] {
    let stored = comparable(row.compactMapValues { $0 })
    let agreeing = lines.filter { line in
      self.key(of: line) == key
        && comparable(line.values).allSatisfy { stored[$0.key] == $0.value }
    }
    return stored.compactMap { column, value in
      agreeing.contains { $0.values[column] == value } ? nil : "\(key): \(column) \(value)"
    }
  }
}
