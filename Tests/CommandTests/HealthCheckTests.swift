import Foundation
import TestSupport
import Testing

/// `status --check` and `status --format json`: whether the reports can be trusted.
@Suite(.serialized, .needsServer, .ownDatabase) struct HealthCheckTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func receipt(hoursAgo: Double) -> String {
    let milliseconds = Int64((Date().timeIntervalSince1970 - hoursAgo * 3600) * 1000)
    return CommandFixture.receipt(Int(hoursAgo)).replacing("1751328000000", with: "\(milliseconds)")
  }

  private func load(hoursAgo: Double) throws {
    let path = try fixture.folder.write(
      "receipt-\(Int(hoursAgo)).jsonl", lines: [receipt(hoursAgo: hoursAgo)])
    #expect(try fixture.run(["load", path]).exitCode == 0)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `an empty database is no success`() throws {
    let result = try fixture.run(["status", "--check"])
    #expect(result.exitCode == 7)
    #expect(result.output.contains("verdict     late\n"))
    #expect(result.output.contains("No line is loaded yet."))
  }

  @Test func `the document of status has every part`() throws {
    try load(hoursAgo: 1)
    let result = try fixture.run(["status", "--format", "json"])
    #expect(result.exitCode == 0)
    let document = try object(result.output)
    #expect(
      Set(document.keys) == [
        "exit_code", "version", "server_version", "schema", "schema_is_current", "verdict",
        "causes",
        "health", "open_failures", "settings", "reports", "streams", "runs", "locks",
      ])
    let runs = try #require(document["runs"] as? [[String: Any]])
    #expect(runs[0]["load_id"] as? Int == 1 && runs[0]["state"] as? String == "finished")
    let reports = try #require(document["reports"] as? [String: Any])
    #expect(reports["pending_files"] as? Int == 0)
    #expect((reports["refreshed_at"] as? String)?.hasSuffix("+00:00") == true)
    let settings = try #require(document["settings"] as? [String: Any])
    #expect(settings["max-age"] as? String == "36")
  }

  @Test func `another schema exits with 78`() throws {
    try fixture.database.execute("drop view report.health cascade")
    let check = try fixture.run(["status", "--check"])
    #expect(check.exitCode == 78)
    #expect(check.errors.contains("run gamebase-ingest migrate"))
    try fixture.database.execute("drop schema report cascade")
    #expect(try fixture.run(["status", "--check"]).exitCode == 78)
  }

  @Test func `the monitor role checks, and sees no more of status`() throws {
    try load(hoursAgo: 1)
    let monitor = "check_monitor_\(fixture.database.name)"
    try fixture.database.execute(
      """
      create role "\(monitor)"; grant usage on schema report to "\(monitor)";
      grant select on report.health, report.open_failure, report.setting to "\(monitor)";
      grant "\(monitor)" to current_user
      """)
    defer {
      try? fixture.database.execute("drop owned by \"\(monitor)\"; drop role \"\(monitor)\"")
    }
    var program = fixture.program
    program.environment["PGOPTIONS"] = "-c role=\(monitor)"
    let restricted = CommandFixture(fixture, program: program)
    #expect(try restricted.run(["status", "--check"]).exitCode == 0)
    #expect(try restricted.run(["status", "--check", "--format", "json"]).exitCode == 0)
    let whole = try restricted.run(["status"])
    #expect(whole.exitCode == 78 && whole.errors.contains("or run status --check"))
  }
}
