import Foundation
import Testing

@testable import Loading

/// `sql/migrations.sha256` has a line for each merged migration, as `sha256sum --check` reads it.
struct MergedMigrationTests {
  @Test func `a merged migration never changes`() throws {
    let pinned = try Self.pinned()
    for migration in EmbeddedSQL.migrations {
      let digest = hexadecimal(migration.checksum)
      guard let merged = pinned[migration.name] else {
        Issue.record(
          """
          sql/migrations.sha256 lacks a new migration; append this line to it:
          \(digest)  migrations/\(migration.name).sql
          """)
        continue
      }
      #expect(
        merged == digest,
        """
        sql/migrations/\(migration.name).sql was changed after it was merged. Databases have applied it as \
        it was and refuse another: restore the file, and write a new migration that changes what it made
        """)
    }
    let names = Set(EmbeddedSQL.migrations.map(\.name))
    for name in pinned.keys.sorted() where !names.contains(name) {
      Issue.record(
        "sql/migrations/\(name).sql is gone, and databases have applied it: restore the file")
    }
  }

  /// The digest of each merged migration, by name.
  private static func pinned() throws -> [String: String] {
    let text = try String(
      contentsOf: SQLFolder.root.appending(path: "migrations.sha256"), encoding: .utf8)
    var pinned: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let match = try #require(
        line.wholeMatch(of: /([0-9a-f]{64})  migrations\/([0-9a-z_]+)\.sql/),
        "sql/migrations.sha256: \(line)")
      let name = String(match.output.2)
      #expect(pinned[name] == nil, "\(name) stands twice in sql/migrations.sha256")
      pinned[name] = String(match.output.1)
    }
    return pinned
  }
}
