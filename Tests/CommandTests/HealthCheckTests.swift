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

  @Test func `a feed is late after the setting, or after the option`() throws {
    try load(hoursAgo: 30)
    let good = try fixture.run(["status", "--check"])
    #expect(good.exitCode == 0, "\(good.output)")
    #expect(good.output.hasPrefix("verdict     ok\n"))
    #expect(good.output.contains("(none)"))
    for (age, code) in [
      ("receipt=29h", 7), ("29h", 7), ("receipt=31h", 0), ("1d", 7), ("2d", 0), ("1740m", 7),
      ("level_up=99h", 7),
    ] as [(String, Int32)] {
      let result = try fixture.run(["status", "--check", "--max-age", age])
      #expect(result.exitCode == code, "\(age): \(result.output)")
    }
    let late = try fixture.run(["status", "--check", "--max-age", "receipt=29h"])
    #expect(late.output.contains("hours old; --max-age allows 29."))
    let absent = try fixture.run(["status", "--check", "--max-age", "level_up=99h"])
    #expect(absent.output.contains("No line of the stream is loaded, and --max-age expects one."))
    // The option of a stream goes before that of all, and a longer one makes a late feed ok.
    #expect(
      try fixture.run([
        "status", "--check", "--max-age", "1h", "--max-age", "receipt=40h",
      ]).exitCode == 0)
    #expect(try fixture.run(["settings", "set", "max-age", "20"]).exitCode == 0)
    #expect(try fixture.run(["status", "--check"]).exitCode == 7)
    #expect(try fixture.run(["status", "--check", "--max-age", "31h"]).exitCode == 0)
  }

  @Test func `an open failure fails the check until the file is loaded`() throws {
    try load(hoursAgo: 1)
    let late = "\(fixture.folder.path)/receipt-2.jsonl"
    #expect(try fixture.run(["load", late]).exitCode == 5)
    let check = try fixture.run(["status", "--check", "--format", "json", "--max-age", "100h"])
    #expect(check.exitCode == 7)
    let document = try object(check.output)
    #expect(document["exit_code"] as? Int == 7 && document["verdict"] as? String == "failed")
    let failures = try #require(document["open_failures"] as? [[String: Any]])
    #expect(failures.map { $0["path"] as? String } == [late])
    let feeds = try #require(document["health"] as? [[String: Any]])
    #expect(feeds.count == 2 && feeds[1]["app_id"] is NSNull)
    #expect(feeds[0]["max_hours_behind"] as? Double == 100)
    try load(hoursAgo: 2)
    #expect(try fixture.run(["status", "--check"]).exitCode == 0)
  }

  @Test func `the document of status has every part`() throws {
    try load(hoursAgo: 1)
    let result = try fixture.run(["status", "--format", "json"])
    #expect(result.exitCode == 0)
    let document = try object(result.output)
    #expect(
      Set(document.keys) == [
        "exit_code", "version", "server_version", "schema", "schema_is_current", "verdict",
        "health", "open_failures", "settings", "reports", "streams", "undone_files", "runs",
        "locks",
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

  @Test func `an application is judged alone, and one without a line is not ok`() throws {
    for app in ["a", "b"] {
      let path = try fixture.folder.write(
        "receipt-\(app).jsonl",
        lines: [
          receipt(hoursAgo: app == "a" ? 1 : 90).replacing("{", with: #"{"appId":"\#(app)","#)
        ])
      #expect(try fixture.run(["load", path]).exitCode == 0)
    }
    for (options, code) in [
      ([], 7), (["--app-id", "a"], 0), (["--app-id", "b"], 7), (["--app-id", "c"], 7),
      (["--expect-app", "a"], 0),
    ] as [([String], Int32)] {
      let result = try fixture.run(["status", "--check"] + options)
      #expect(result.exitCode == code, "\(options): \(result.output)")
    }
    // Without sources, a failed file can be one of the application.
    let gone = "\(fixture.folder.path)/receipt-gone.jsonl"
    #expect(try fixture.run(["load", gone]).exitCode == 5)
    let failed = try fixture.run(["status", "--check", "--app-id", "a"])
    #expect(failed.exitCode == 7 && failed.output.hasSuffix("failed      \(gone)\n"))
  }

  @Test(arguments: ["receipts=26h", "26", "receipt=", "26w", "=26h", "-1h", "receipt=1.5h"])
  func `a wrong age is a usage error`(age: String) throws {
    let result = try fixture.run(["status", "--max-age=\(age)"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--max-age") || result.errors.contains("max-age"))
  }
}
