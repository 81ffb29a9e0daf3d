import Foundation
import Loading
import Testing

struct EmbeddedSQLTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func files(in folder: String) throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(
      at: root.appendingPathComponent("sql/\(folder)"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { ($0.deletingPathExtension().lastPathComponent, try Data(contentsOf: $0)) }
  }

  @Test(arguments: ["migrations", "views", "grants"])
  func `the program carries sql as it is in the repository`(folder: String) throws {
    let embedded =
      switch folder {
      case "views": EmbeddedSQL.views
      case "grants": EmbeddedSQL.grants
      default: EmbeddedSQL.migrations
      }
    let files = try Self.files(in: folder)
    #expect(!files.isEmpty)
    #expect(embedded.map(\.name) == files.map(\.name), "run scripts/embed-sql")
    for (file, copy) in zip(files, embedded) {
      #expect(
        Data(copy.text.utf8) == file.bytes, "sql/\(folder)/\(file.name).sql: run scripts/embed-sql")
    }
  }

  @Test func `migrations are named by time, verb and object, oldest first`() {
    let names = EmbeddedSQL.migrations.map(\.name)
    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.wholeMatch(of: /\d{14}_[a-z]+(_[a-z0-9]+)+/) != nil, "\(name)")
    }
  }
}
