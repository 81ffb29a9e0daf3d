import Foundation
import Postgres
import SampleData
import TestSupport
import Testing

@testable import Loading

/// The analyst role reads every view, and runs every query of docs/queries.md and every one that scripts/bench reports
/// measures.
@Suite(.serialized, .needsServer) struct DocumentedQueryTests {
  private static func page(_ name: String) -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return (try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }

  /// The statements in the SQL blocks of the page.
  private static let queries = page("docs/queries.md").matches(of: /```sql\n((?:.|\n)*?)```/)
    .flatMap { statements(String($0.1)) }

  /// The statements of an SQL text, without comments, for an application of the sample data.
  private static func statements(_ text: String) -> [String] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("--") }
    let code = lines.joined(separator: "\n")
      .replacingOccurrences(of: "'alpha'", with: "'Qb2FhTzN'")
    return code.split(separator: ";")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  @Test func `the analyst runs every query of page and benchmark, and none is compiled`() throws {
    let queries = Self.queries + Self.statements(Self.page("Benchmarks/queries.sql"))
    #expect(queries.count > 60)
    let fixture = try RoleFixture()
    // Two years, because the planner's estimates grow with the days. 2025-07-31 is the last one.
    var options = SampleOptions(lastDay: 20_300)
    (options.days, options.users, options.apps) = (730, 60, 3)
    let generator = SampleGenerator(options)
    var files: [SampleStream: [UInt8]] = [:]
    for _ in 0..<options.days {
      for (stream, lines) in generator.nextDay() { files[stream, default: []] += lines }
    }
    let paths = try files.map { try fixture.folder.write("\($0.key.rawValue).jsonl", $0.value) }
    var loading = LoadFixture.options
    loading.refreshes = true
    #expect(try fixture.load(paths, options: loading).refreshExitCode == 0)
    let owner = try fixture.database.connect()
    try fixture.showVariants(as: owner)
    defer { try? owner.execute("drop schema fields cascade") }
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    let views = EmbeddedSQL.views.map(\.name).filter { $0.hasPrefix("report.") }
    #expect(views.count > 50)
    for query in queries + views.map({ "table \($0)" }) {
      #expect(throws: Never.self, "\(query)") { try analyst.query(query) }
    }
    // The owner has no setting of the role, and the database is as the load left it.
    try owner.execute("set jit = on")
    for query in queries where !query.lowercased().hasPrefix("explain") {
      let plan = try owner.query("explain (analyze, timing off) \(query)")
      #expect(!(0..<plan.rowCount).contains { plan[$0, 0] == "JIT:" }, "\(query)")
    }
  }
}
