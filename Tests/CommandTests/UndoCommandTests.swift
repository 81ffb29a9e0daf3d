import Foundation
import TestSupport
import Testing

/// `undo` with the real program.
@Suite(.serialized, .needsServer, .ownDatabase) struct UndoCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func load(_ name: String, _ numbers: [Int]) throws -> String {
    let path = try fixture.folder.write(name, lines: numbers.map(CommandFixture.receipt))
    let result = try fixture.run(["load", path] + CommandFixture.asOf)
    try #require(result.exitCode == 0, "\(result.errors)")
    return path
  }

  private func rows() throws -> String? {
    try fixture.database.value("select count(*) from game.receipt")
  }

  @Test func `a wrong file is undone after a dry run, and loaded again`() throws {
    let path = try load("receipt.jsonl", [1, 2])
    let dry = try fixture.run(["undo", path, "--dry-run"])
    #expect(dry.exitCode == 0, "\(dry.errors)")
    #expect(
      dry.output.contains("dry run: nothing was kept; 1 file with 2 rows would be undone"))
    #expect(try rows() == "2")

    let undo = try fixture.run(["undo", path])
    #expect(undo.exitCode == 0)
    #expect(undo.output.contains("undone: 1 file with 2 rows, which can be loaded again"))
    #expect(undo.output.contains("asked for"))
    let undone = #"[{"load":1,"undone_files":1,"first_path":"\#(path)","last_path":"\#(path)"}]"#
    #expect(try fixture.run(["status", "--format", "json"]).output.contains(undone))
    #expect(try rows() == "0")
    let second = try fixture.run(["undo", path])
    #expect(second.exitCode == 0 && second.output.contains("nothing to undo"))
    #expect(
      try fixture.database.rows("select status, inserted_count from report.load_history")
        == [["undone", "2"]])
    _ = try load("receipt.jsonl", [1, 2])
    #expect(try rows() == "2")
    #expect(try fixture.run(["status"]).output.contains("no file was undone and not loaded again"))
  }

  @Test func `undo refuses while later files depend on the file, and lists them`() throws {
    let first = try load("receipt.jsonl", [1, 2])
    let second = try load("receipt-2.jsonl", [2, 3])
    let refused = try fixture.run(["undo", first])
    #expect(refused.exitCode == 64 && refused.output.isEmpty)
    #expect(refused.errors.contains(second) && refused.errors.contains("--with-later"))
    #expect(try rows() == "3")
    let both = try fixture.run(["undo", "--load", "1", "--with-later"])
    #expect(both.exitCode == 0 && both.output.contains("depends on it"))
    #expect(try rows() == "0")
  }

  @Test func `arguments that select no file or run are a usage error`() throws {
    for arguments in [[], [""], ["a", "--load", "1"], ["nothing"], ["--load", "7"]] {
      let result = try fixture.run(["undo"] + arguments)
      #expect(result.exitCode == 64, "\(arguments)")
      #expect(result.output.isEmpty)
    }
  }
}
