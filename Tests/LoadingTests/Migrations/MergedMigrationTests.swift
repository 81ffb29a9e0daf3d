import Foundation
import Testing

@testable import Loading

/// `sql/migrations.sha256` has a line for each merged migration, as `sha256sum --check` reads it.
///
/// `RECORD=1` in the environment appends the lines of new migrations, and never changes a line.
struct MergedMigrationTests {
  @Test func `a merged migration never changes`() throws {
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try Self.pinNew() }
    let pinned = try Self.pinned()
    for migration in EmbeddedSQL.migrations {
      let digest = hexadecimal(migration.checksum)
      guard let merged = pinned[migration.name] else {
        Issue.record(
          """
          sql/migrations.sha256 lacks a new migration; run this test with RECORD=1, which appends the line
          \(Self.line(of: migration))
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

  private static let file = SQLFolder.root.appending(path: "migrations.sha256")

  private static func line(of migration: SQLFile) -> String {
    "\(hexadecimal(migration.checksum))  migrations/\(migration.name).sql"
  }

  private static func pinNew() throws {
    let known = try pinned()
    let new = EmbeddedSQL.migrations.filter { known[$0.name] == nil }.map { "\(line(of: $0))\n" }
    if new.isEmpty { return }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(new.joined().utf8))
  }

  /// The digest of each merged migration, by name.
  private static func pinned() throws -> [String: String] {
    let text = try String(contentsOf: file, encoding: .utf8)
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
