import Foundation
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// Files without a record: zero bytes, or only blank lines.
@Suite(.serialized, .needsServer, .ownDatabase) struct EmptyFileTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static let contents = ["", "\n", " \r\n\t\n", "\u{FEFF}", "\u{FEFF}\n\n"]

  private func options(appID: String?, observedAt: Int64? = nil) -> LoadOptions {
    var options = LoadFixture.options
    options.appID = appID
    options.observedAt = observedAt
    return options
  }

  private func history() throws -> [[String?]] {
    try fixture.database.rows(
      """
      select path, line_count = blank_count, (select count(*) from report.load_history h
          where h.path = f.path)
        from ingest.source_file f where undone_at is null order by source_file_id
      """)
  }

  @Test(arguments: contents)
  func `games that deliver the same empty file are each recorded`(content: String) throws {
    let paths = try ["a", "b", "c"].map {
      try fixture.folder.write("\($0)/levelup.jsonl", content.utf8)
    }
    let apps: [String?] = ["game-a", "game-b", nil]
    for (path, app) in zip(paths, apps) {
      let report = try fixture.load([path], options: options(appID: app))
      #expect(report.exitCode == 0, "\(report.files.first?.error ?? "")")
      #expect(report.files.map(\.status) == [.loaded])
      #expect(report.files.first?.inserted == 0)
    }
    #expect(try history() == paths.map { [$0, "t", "1"] })
  }

  @Test(arguments: contents)
  func `an empty file that comes again under the same path adds no row`(content: String) throws {
    let path = try fixture.folder.write("in/levelup.jsonl", content.utf8)
    _ = try fixture.load([path], options: options(appID: "a"))
    let again = [path, "\(fixture.folder.path)/in/../in//levelup.jsonl", Self.relative(path)]
    for (path, options) in zip(
      again, [options(appID: "a"), options(appID: "b"), options(appID: nil, observedAt: 1)])
    {
      let report = try fixture.load([path], options: options)
      #expect(report.exitCode == 0, "\(report.files.first?.error ?? "")")
      #expect(report.files.map(\.status) == [.alreadyLoaded])
    }
    #expect(try history() == [[path, "t", "1"]])
  }

  @Test func `empty files of one run share a transaction, and each leaves a row`() throws {
    let paths = try (10..<40).map { number in
      try fixture.folder.write(
        "levelup-\(number).jsonl", (number % 3 == 0 ? Lines.levelUp() + "\n\(number)" : "").utf8)
    }
    // The first empty file again, under another spelling of its path.
    let twice = paths + ["\(fixture.folder.path)/./levelup-10.jsonl"]
    let report = try fixture.load(twice)
    #expect(report.files.dropLast().allSatisfy { $0.status == .loaded })
    #expect(report.files.last?.status == .alreadyLoaded)
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "30")
    #expect(
      try fixture.database.value("select count(distinct opened_by) from ingest.source_file") == "1")
    #expect(try fixture.load(twice).files.allSatisfy { $0.status == .alreadyLoaded })
  }

  @Test func `an empty file of each stream and an empty archive are recorded`() throws {
    let empty: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let paths =
      try StreamCatalog.all.map { try fixture.folder.write("\($0.name)-1.jsonl", "".utf8) } + [
        fixture.folder.write("receipt-2.jsonl.gz", empty),
        fixture.folder.write("receipt-3.jsonl.gz", empty),
      ]
    let report = try fixture.load(paths)
    #expect(report.exitCode == 0)
    #expect(report.files.allSatisfy { $0.status == .loaded })
    #expect(try fixture.load(paths).files.allSatisfy { $0.status == .alreadyLoaded })
  }

  @Test func `an archive of zero bytes still fails`() throws {
    for name in ["receipt.jsonl.gz", "receipt.jsonl.zst"] {
      let report = try fixture.load([try fixture.folder.write(name, "".utf8)])
      #expect(report.exitCode == 5)
      #expect(report.files.first?.errorCode == .fileTruncated)
    }
  }

  @Test func `the undo of an empty file leaves the others, and the file loads again`() throws {
    let paths = try ["a", "b"].map { try fixture.folder.write("\($0)/event.jsonl", "".utf8) }
    _ = try fixture.load(paths)
    let number = try #require(
      try fixture.database.value("select min(source_file_id) from ingest.source_file"))
    _ = try Undo(.file(number), connection: fixture.database.connect()).run()
    #expect(try history().map { $0[0] } == [paths[1]])
    #expect(try fixture.load(paths).files.map(\.status) == [.loaded, .alreadyLoaded])
    #expect(try history().map { $0[0] } == [paths[1], paths[0]])
  }

  @Test(arguments: [true, false])
  func `loaders that load one empty path at the same time record it once`(sharesTransaction: Bool)
    throws
  {
    let names = sharesTransaction ? ["levelup-1.jsonl", "levelup-2.jsonl"] : ["levelup-1.jsonl"]
    let paths = try names.map { try fixture.folder.write($0, "".utf8) }
    let threads = try (0..<6).map { number in
      try WorkerThread {
        _ = try? fixture.load(paths, options: options(appID: "game-\(number % 2)"))
      }
    }
    for thread in threads { thread.join() }
    #expect(try history().map { $0[0] }.sorted { ($0 ?? "") < ($1 ?? "") } == paths)
  }

  @Test func `an empty standard input is recorded once`() throws {
    for app in ["a", "b"] {
      let result = try Command.gamebaseIngest.run([
        "load", "-", "--stream", "event", "--app-id", app, "--no-refresh", "--database",
        fixture.database.conninfo,
      ])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(try history() == [["-", "t", "1"]])
  }

  /// The path, relative to the current folder.
  private static func relative(_ path: String) -> String {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    return String(repeating: "../", count: depth) + path.dropFirst()
  }
}
