import TestSupport
import Testing

/// `failures` with the real program: open and dismissed failures.
@Suite(.serialized, .needsServer, .ownDatabase) struct FailuresCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func fail(_ name: String) throws -> String {
    let path = try fixture.folder.write(name, lines: ["{}"])
    let result = try fixture.run(["load", path, "--max-rejects", "0"])
    try #require(result.exitCode == 4, "\(result.errors)")
    return path
  }

  @Test
  func
    `a dismissed failure is shown no more, is known for ever, and comes back when it fails anew`()
    throws
  {
    let path = try fail("a/receipt.jsonl")
    let other = try fail("b/receipt-b.jsonl")
    #expect(try fixture.run(["status"]).output.contains(path))
    let dismissed = try fixture.run(["failures", "dismiss", "a/receipt.jsonl", "--note", "a test"])
    #expect(dismissed.exitCode == 0, "\(dismissed.errors)")
    #expect(dismissed.output == "dismissed 1: \(path)\n")
    for command in [["status"], ["failures", "list"], ["rejects", "list"]] {
      let output = try fixture.run(command).output
      #expect(!output.contains(path) && output.contains(other), "\(command)")
    }
    #expect(
      try fixture.database.rows(
        """
        select failed_file_id, load_id, stream, path, dismissed_by = session_user, note
          from ingest.failure_dismissal
        """) == [["1", "1", "receipt", path, "t", "a test"]])
    let all = try fixture.run(["failures", "list", "--all"]).output
    #expect(all.contains(path) && all.contains("a test"))
    #expect(try fixture.run(["failures", "dismiss", "1"]).exitCode == 64)

    _ = try fail("a/receipt.jsonl")
    #expect(try fixture.run(["failures", "list"]).output.contains(path))
    #expect(try fixture.run(["load", path, "--max-rejects", "unlimited"]).exitCode == 3)
    #expect(try !fixture.run(["failures", "list"]).output.contains(path))
    #expect(try fixture.database.value("select count(*) from ingest.failure_dismissal") == "1")
  }

  @Test func `the reports show open failures with their attempts, and dismissed ones`() throws {
    func open() throws -> [[String?]] {
      try fixture.database.rows(
        """
        select stream, path, attempt_count, error_code, first_failed_at < last_failed_at
          from report.open_failure
        """)
    }
    func statuses() throws -> [[String?]] {
      try fixture.database.rows(
        "select status, dismissed_at is not null from report.load_history order by load_id")
    }
    let path = try fail("receipt.jsonl")
    #expect(try open() == [["receipt", path, "1", "4", "f"]])
    _ = try fail("receipt.jsonl")
    let missing = fixture.folder.path + "/levelup.jsonl"
    #expect(try fixture.run(["load", missing]).exitCode == 5)
    #expect(
      try open().sorted { $0[0] ?? "" > $1[0] ?? "" } == [
        ["receipt", path, "2", "4", "t"], ["level_up", missing, "1", "5", "f"],
      ])
    #expect(try fixture.run(["failures", "dismiss", path]).exitCode == 0)
    #expect(try open().map { $0[1] } == [missing])
    // The first attempt has left its place to the second one.
    #expect(try statuses() == [[nil, "f"], ["dismissed", "t"], ["failed", "f"]])
    _ = try fail("receipt.jsonl")
    #expect(try open().contains(["receipt", path, "3", "4", "t"]))
    #expect(try fixture.run(["load", path, "--max-rejects", "unlimited"]).exitCode == 3)
    #expect(try open().map { $0[1] } == [missing])
  }

  @Test func `a name that matches several files, or none, dismisses nothing`() throws {
    _ = try fail("a/receipt.jsonl")
    _ = try fail("b/a/receipt.jsonl")
    let several = try fixture.run(["failures", "dismiss", "receipt.jsonl"])
    #expect(several.exitCode == 64)
    #expect(several.errors.contains("Name one by its number: 1 (receipt "))
    let none = try fixture.run(["failures", "dismiss", "1", "none.jsonl"])
    #expect(none.exitCode == 64)
    #expect(none.errors.contains("no failure is called none.jsonl; nothing was dismissed"))
    #expect(try fixture.database.value("select count(*) from ingest.failure_dismissal") == "0")
  }
}
