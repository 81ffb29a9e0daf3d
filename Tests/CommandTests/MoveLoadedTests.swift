import Foundation
import TestSupport
import Testing

/// The option `--move-loaded`: only loaded files move, and nothing is lost or written over.
@Suite(.serialized, .needsServer, .ownDatabase) struct MoveLoadedTests {
  private let fixture: CommandFixture
  private let inbox: String
  private let done: String

  init() throws {
    fixture = try CommandFixture()
    inbox = "\(fixture.folder.path)/inbox"
    done = "\(fixture.folder.path)/done"
    try FileManager.default.createDirectory(
      atPath: "\(inbox)/day", withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(inbox)/\(name)", atomically: false, encoding: .utf8)
  }

  private func files(in folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
  }

  private func load(_ arguments: [String] = []) throws -> Command.Result {
    try fixture.run(["load", inbox, "--move-loaded", done, "--no-refresh"] + arguments)
  }

  @Test func `loaded files move with their sidecars, and a failed one stays`() throws {
    try write("day/receipt-1.jsonl", CommandFixture.receipt(1) + "\n")
    try write("day/receipt-1.jsonl.count", "1\n")
    try write("receipt-2.jsonl", "no JSON\n")
    let first = try load()
    #expect(first.exitCode == 4, "\(first.errors)")
    #expect(files(in: inbox) == ["day", "receipt-2.jsonl"])
    #expect(files(in: done) == ["day", "day/receipt-1.jsonl", "day/receipt-1.jsonl.count"])
    #expect(first.errors.contains("1 file moved"))
    // The file of another night with the same bytes is loaded already, and moves as well.
    try write("receipt-3.jsonl", CommandFixture.receipt(1) + "\n")
    #expect(try load(["--max-rejects", "unlimited"]).exitCode == 3)
    #expect(files(in: inbox) == ["day"])
  }

  @Test func `a taken name keeps both files and ends with 74`() throws {
    try write("receipt.jsonl", CommandFixture.receipt(1) + "\n")
    #expect(try load().exitCode == 0)
    try write("receipt.jsonl", CommandFixture.receipt(2) + "\n")
    try write("receipt.jsonl.count", "1\n")
    let second = try load()
    #expect(second.exitCode == 74)
    #expect(second.errors.contains("receipt.jsonl exists, and nothing is written over it"))
    #expect(
      try String(contentsOfFile: "\(done)/receipt.jsonl", encoding: .utf8).contains(
        CommandFixture.receipt(1)))
    #expect(files(in: inbox) == ["day", "receipt.jsonl", "receipt.jsonl.count"])
  }

  @Test func `across file systems a file is copied and compared`() throws {
    let other = "/dev/shm/gamebase-ingest-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: other) }
    try write("receipt.jsonl", CommandFixture.receipt(1) + "\n")
    let result = try fixture.run(["load", inbox, "--move-loaded", other, "--no-refresh"])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(files(in: other) == ["receipt.jsonl"])
    #expect(files(in: inbox) == ["day"])
  }

  @Test func `a dry run moves nothing, and the folder may not lie where files are searched`() throws
  {
    try write("receipt.jsonl", CommandFixture.receipt(1) + "\n")
    #expect(try load(["--dry-run"]).exitCode == 0)
    #expect(files(in: inbox).contains("receipt.jsonl"))
    let inside = try fixture.run(["load", inbox, "--move-loaded", "\(inbox)/done"])
    #expect(inside.exitCode == 64)
    #expect(inside.errors.contains("name a folder outside"))
  }
}
