import Foundation
import Postgres
import SampleData
import TestSupport
import Testing

@testable import Loading

/// The analyst role runs every query of docs/queries.md, in a database of the fixture's roles.
@Suite(.serialized, .needsServer) struct DocumentedQueryTests {
  private static let page: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("docs/queries.md")
    return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
  }()

  /// The statements in the page's SQL blocks, without comments.
  static let queries: [String] = page.matches(of: /```sql\n((?:.|\n)*?)```/)
    .flatMap { block in
      block.1.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        .split(separator: ";")
    }
    .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    .filter { !$0.isEmpty }

  @Test func `the page has a query of every view`() {
    let views = EmbeddedSQL.views.map(\.name).filter { $0.hasPrefix("report.") }
    #expect(views.count > 50)
    for view in views {
      // Not the name of a longer one.
      #expect(
        Self.queries.contains { query in
          query.ranges(of: view).contains { range in
            range.upperBound == query.endIndex
              || !(query[range.upperBound].isLetter || query[range.upperBound] == "_")
          }
        }, "\(view)")
    }
  }

  @Test func `the analyst runs every query of the page`() throws {
    #expect(Self.queries.count > 10)
    let fixture = try RoleFixture()
    let paths = try SampleStream.allCases.map {
      try fixture.folder.write("\($0.rawValue).jsonl", Sample($0).bytes)
    }
    #expect(try fixture.load(paths).refresh?.error == nil)
    let owner = try fixture.database.connect()
    try fixture.showVariants(as: owner)
    defer { try? owner.execute("drop schema fields cascade") }
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    for query in Self.queries {
      #expect(throws: Never.self, "\(query)") { try analyst.query(query) }
    }
    // The owner has no setting of the role, and the database is as the load left it.
    try owner.execute("set jit = on")
    for query in Self.queries where !query.lowercased().hasPrefix("explain") {
      let plan = try owner.query("explain (analyze, timing off) \(query)")
      #expect(!(0..<plan.rowCount).contains { plan[$0, 0] == "JIT:" }, "\(query)")
    }
  }
}
