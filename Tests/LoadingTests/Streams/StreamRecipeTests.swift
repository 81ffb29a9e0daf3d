import Foundation
import Postgres
import RecordPipeline
import SampleData
import TestSupport
import Testing

/// Every stream of the catalog has all parts that the recipe in docs/recipes.md asks for; a failure
/// names the missing ones.
@Suite(.serialized, .needsServer, .ownDatabase) struct StreamRecipeTests {
  let database: TestDatabase
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws { database = try LoadFixture().database }

  /// The text of a file of the repository; empty when the file is missing.
  private func text(of path: String) -> String {
    // A fixture has lines that are not UTF-8.
    let data = (try? Data(contentsOf: Self.root.appending(path: path))) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every stream has all parts of the recipe`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    // Two statements, because a failed `#expect` shows no values of an expression that can throw.
    let missing =
      filesMissing(of: stream) + testLinesMissing(of: stream) + (try columnsMissing(of: stream))
    #expect(missing == [])
  }

  /// The fixtures, tools and documents that do not cover a stream.
  private func filesMissing(of stream: RecordStream) -> [String] {
    var missing: [String] = []
    for file in ["input.jsonl", "rows.expected", "rejects.expected"] {
      let path = "Tests/Fixtures/\(stream.name)/\(file)"
      if text(of: path).isEmpty { missing.append(path) }
    }
    if SampleStream(rawValue: stream.name) == nil {
      missing.append("a case of Sources/SampleData/SampleOptions.swift")
    }
    var paths = [
      "Tests/SystemTests/oracle/streams.py", "Tests/SystemTests/oracle/line_rules.py",
      "Tests/SystemTests/oracle/data.py",
      "Benchmarks/data.py",
    ]
    if stream.isPartitionedByMonth { paths.append("Tests/SystemTests/oracle/months.py") }
    for path in paths where !text(of: path).contains("\"\(stream.name)\"") {
      missing.append("\(stream.name) in \(path)")
    }
    if !text(of: "docs/data-contract.md").contains("| `\(stream.name)` |") {
      missing.append("a row of docs/data-contract.md")
    }
    // Without backslashes: members of a `data` stand in a text.
    let fixture = text(of: "Tests/Fixtures/\(stream.name)/input.jsonl").replacing("\\", with: "")
    for spelling in stream.names where !fixture.contains("\"\(spelling)\"") {
      missing.append("a fixture line with \(spelling)")
    }
    // The data contract allows them in every line.
    for field in ["userId", "appId", "eventTime"] where !stream.names.contains(field) {
      missing.append("the field \(field) in the declaration")
    }
    return missing
  }

  /// The handwritten test lines that a stream lacks.
  private func testLinesMissing(of stream: RecordStream) -> [String] {
    var missing: [String] = []
    if Lines.all[stream.name] == nil { missing.append("a line in Tests/LoadingTests/Lines.swift") }
    if OrderTests.members[stream.name] == nil {
      missing.append("members in Tests/LoadingTests/Merging/OrderTests.swift")
    }
    // Two lists of streams.
    if text(of: "Tests/Cases/traps.test").ranges(of: "\n  \(stream.name) ").count < 2 {
      missing.append("lines of streams and of keys in Tests/Cases/traps.test")
    }
    return missing
  }

  private func columnsMissing(of stream: RecordStream) throws -> [String] {
    let rows = try database.rows(
      """
      select a.attname, (a.attstattarget = 0)::text, col_description(a.attrelid, a.attnum)
        from pg_attribute a
        where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
      """, [.text(stream.targetTable)])
    let columns = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", $0) })
    var missing: [String] = []
    for column in stream.allColumns {
      guard let found = columns[column.name] else {
        missing.append("the column \(column.name)")
        continue
      }
      if column.isPrivate, found[1] != "true" {
        missing.append("set statistics 0 of \(column.name)")
      }
      if found[2] == nil { missing.append("a comment on \(column.name)") }
    }
    for column in ["app_id"] + (stream.hasUser ? ["user_id"] : []) where columns[column] == nil {
      missing.append("the column \(column)")
    }
    return missing
  }
}
