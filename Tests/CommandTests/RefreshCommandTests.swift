import Foundation
import TestSupport
import Testing

/// `refresh`, `load --no-refresh`, `settings set time-zone` and `reference load` with the real
/// program.
@Suite(.serialized, .needsServer, .ownDatabase) struct RefreshCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func run(_ arguments: String...) throws -> String {
    let result = try fixture.run(arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output
  }

  private func path() throws -> String {
    try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
  }

  @Test func `the reports follow a load, or a refresh after it`() throws {
    let skipped = try run("load", try path(), "--no-refresh")
    #expect(!skipped.contains("the reports"))
    #expect(try run("refresh").hasPrefix("the reports are rebuilt: 1 file, 1 player, "))
    #expect(try run("refresh") == "the reports were up to date already\n")
    #expect(try run("load", try path()).contains("\nthe reports were up to date already\n"))
    #expect(try run("refresh", "--full").hasPrefix("the reports are rebuilt: "))
    #expect(try fixture.run(["refresh", "--retries", "-1"]).exitCode == 64)
  }

  @Test func `a dry run says what a refresh would compute, and changes nothing`() throws {
    _ = try run("load", try path(), "--no-refresh")
    #expect(
      try run("refresh", "--dry-run")
        == "a refresh would rebuild the reports from all rows: 1 player\n")
    #expect(try fixture.database.value("select count(*) from rollup.player") == "0")
    _ = try run("refresh")
    let later = try fixture.folder.write(
      "receipt-later.jsonl", lines: [CommandFixture.receipt(2), CommandFixture.receipt(3)])
    _ = try run("load", later, "--no-refresh")
    // Both receipts have the time of the stored one, so the rows of that day are read again.
    #expect(
      try run("refresh", "--dry-run")
        == "a refresh would read 1 changed file with 2 rows of 1 player, and all rows of 0 of them\n"
    )
    #expect(try fixture.database.value("select count(*) from rollup.purchase") == "1")
    let older = CommandFixture.receipt(4).replacingOccurrences(of: "1751328", with: "1741328")
    _ = try run(
      "load", try fixture.folder.write("receipt-older.jsonl", lines: [older]), "--no-refresh")
    #expect(
      try run("refresh", "--dry-run")
        == "a refresh would read 2 changed files with 3 rows of 1 player, and all rows of 1 of them\n"
    )
    _ = try run("refresh")
    #expect(try run("refresh", "--dry-run") == "the reports are up to date already\n")
  }

  @Test func `a refresh without a database or a schema ends with the exit code of the cause`()
    throws
  {
    let bare = try CommandFixture(isMigrated: false)
    let result = try bare.run(["refresh"])
    #expect(result.exitCode == 78 && result.errors.contains("run gamebase-ingest migrate"))
    let unreachable = try fixture.program.run([
      "refresh", "--retries", "0", "--database", "host=/nonexistent",
    ])
    #expect(unreachable.exitCode == 69)
  }

  @Test func `the report of a run has its refresh`() throws {
    let report = "\(fixture.folder.path)/report.json"
    _ = try run("load", try path(), "--report", report)
    let refresh = try #require(try fixture.report(at: report)["refresh"] as? [String: Any])
    #expect(refresh["files"] as? Int == 1 && refresh["error"] is NSNull)
    #expect(refresh["duration_seconds"] as? Double ?? -1 >= 0)
    _ = try run("load", try path(), "--no-refresh", "--report", report)
    #expect(try fixture.report(at: report)["refresh"] is NSNull)
  }

  @Test func `a change of the zone says that the reports are rebuilt`() throws {
    _ = try run("load", try path())
    let shown = try run("settings", "show")
    #expect(shown.contains("time-zone") && shown.contains("UTC (default)"))
    let changed = try run("settings", "set", "time-zone", "Asia/Seoul")
    #expect(
      changed.hasPrefix("time-zone is Asia/Seoul, and was UTC (default)\nthe reports are rebuilt: ")
    )
    #expect(
      try run("settings", "set", "time-zone", "Asia/Seoul") == "time-zone is Asia/Seoul already\n")
    let refused = try fixture.run(["settings", "set", "time-zone", "KST"])
    #expect(refused.exitCode == 64 && refused.errors.contains("Asia/Seoul"))
    #expect(try fixture.run(["settings", "set", "time-zone", "+9"]).exitCode == 64)
    #expect(try fixture.run(["settings", "set", "base-currency", "won"]).exitCode == 64)
  }
}
