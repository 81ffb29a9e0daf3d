import Foundation
import Postgres
import RecordPipeline
import SampleData
import TestSupport
import Testing

/// What the recipe for a stream in CONTRIBUTING.md asks for is there for every stream of the
/// catalogue; what is missing is named.
@Suite(.serialized, .needsServer, .ownDatabase) struct StreamRecipeTests {
  let database: TestDatabase
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws { database = try LoadFixture().database }

  private func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: Self.root.appending(path: path)), as: UTF8.self)
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `nothing of the recipe is missing`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    #expect(try filesMissing(of: stream) + columnsMissing(of: stream) == [])
  }

  /// The tools that a new stream has to be told to, apart from what follows from its declaration.
  private func filesMissing(of stream: RecordStream) throws -> [String] {
    var missing: [String] = []
    for file in ["input.jsonl", "rows.expected", "rejects.expected"] {
      let path = "Tests/Fixtures/\(stream.name)/\(file)"
      if try text(of: path).isEmpty { missing.append(path) }
    }
    if SampleStream(rawValue: stream.name) == nil {
      missing.append("a case of Sources/SampleData/SampleStream.swift")
    }
    for path in [
      "Torture/streams.py", "Torture/universe.py", "Torture/week.py", "Benchmarks/data.py",
    ] where try !text(of: path).contains("\"\(stream.name)\"") {
      missing.append("\(stream.name) in \(path)")
    }
    if try !text(of: "docs/data-contract.md").contains("| `\(stream.name)` |") {
      missing.append("a row of docs/data-contract.md")
    }
    let fixture = try text(of: "Tests/Fixtures/\(stream.name)/input.jsonl")
    let oracle = try text(of: "Torture/streams.py")
    for spelling in stream.fields.names {
      if !fixture.contains("\"\(spelling)\"") { missing.append("a fixture line with \(spelling)") }
      if !oracle.contains("\"\(spelling)\"") {
        missing.append("\(spelling) in Torture/streams.py")
      }
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
    for column in ["app_id", "user_id"] where columns[column] == nil {
      missing.append("the column \(column)")
    }
    return missing
  }
}
