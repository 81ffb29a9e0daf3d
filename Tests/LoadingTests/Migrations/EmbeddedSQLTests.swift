import Foundation
import Loading
import Testing

struct EmbeddedSQLTests {
  @Test(arguments: ["migrations", "functions", "views", "grants", "steps"])
  func `the embedded sql equals the files in the repository`(folder: String) throws {
    let embedded =
      switch folder {
      case "functions": EmbeddedSQL.functions
      case "views": EmbeddedSQL.views
      case "grants": EmbeddedSQL.grants
      case "steps":
        [
          EmbeddedSQL.definitions, EmbeddedSQL.distribution, EmbeddedSQL.servers,
          EmbeddedSQL.upgrade,
        ]
      default: EmbeddedSQL.migrations
      }
    let files = try SQLFolder.files(in: folder)
    #expect(!files.isEmpty)
    #expect(embedded.map(\.name) == files.map(\.name))
    for (file, copy) in zip(files, embedded) {
      #expect(Data(copy.text.utf8) == file.bytes, "sql/\(folder)/\(file.name).sql")
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

  @Test func `no migration defines a function, because each function has its own file`() {
    for migration in EmbeddedSQL.migrations {
      #expect(
        !migration.text.contains(/create\s+(or\s+replace\s+)?(function|procedure)/),
        "\(migration.name)")
    }
  }

  @Test func `a file of a function or view defines one object with the file's name`() {
    for (kind, files) in [("function", EmbeddedSQL.functions), ("view", EmbeddedSQL.views)] {
      for file in files {
        let made = file.text.matches(of: /(?m)^create or replace ([a-z]+) ([a-z_.]+)/)
        #expect(made.map { "\($0.output.1) \($0.output.2)" } == ["\(kind) \(file.name)"])
        #expect(file.text.contains("comment on \(kind) \(file.name) is"), "\(file.name)")
      }
    }
  }
}

/// The files of a folder of `sql/`, read from the repository.
enum SQLFolder {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "sql")

  static func files(in folder: String) throws -> [(name: String, bytes: Data)] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { ($0.deletingPathExtension().lastPathComponent, try Data(contentsOf: $0)) }
  }
}
