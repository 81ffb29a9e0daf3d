import Foundation
import TestSupport
import Testing

/// `run`: the work of one night.
@Suite(.serialized, .needsServer, .ownDatabase) struct RunCommandTests {
  let fixture: CommandFixture
  let folder: String

  init() throws {
    fixture = try CommandFixture()
    folder = fixture.folder.path
    // The days are old.
    #expect(try fixture.run(["settings", "set", "max-age", "240000"]).exitCode == 0)
  }

  /// A file of level-ups of one day.
  private func write(_ day: String, count: Int, as name: String? = nil) throws {
    try fixture.folder.write(
      "in/\(name ?? "levelup-\(day).jsonl")",
      lines: (0..<count).map {
        #"{"userId":"u\#($0)","userLevel":1,"levelUpTime":"\#(day)T10:00:00Z"}"#
      })
  }

  private func run(_ arguments: [String]) throws -> Command.Result {
    try fixture.run(["run", "\(folder)/in/levelup-%Y-%m-%d*"] + arguments)
  }

  private func report(_ name: String) throws -> [String: Any] {
    let path = "\(folder)/\(name)"
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let check = try Command("/bin/sh").run([
      "-c",
      #"for p in /usr/bin/python3 python3; do "$p" -c 'import jsonschema' 2>/dev/null && exec "$p" "$@"; done; exit 9"#,
      "sh", "\(root.path)/scripts/lib/check_report.py", path,
    ])
    #expect(check.exitCode == 0, "\(check.errors)")
    return try fixture.report(at: path)
  }

  private static let day = "2025-12-08"

  @Test func `a night writes a valid report`() throws {
    try write(Self.day, count: 20)
    let night = try run(["--date", Self.day, "--report", "\(folder)/report.json"])
    #expect(night.exitCode == 0, "\(night.errors)")
    #expect(try report("report.json")["exit_code"] as? Int == 0)
  }

  @Test func `a target with an application is judged by its own feeds and files`() throws {
    func line(_ app: String) -> String {
      #"{"appId":"\#(app)","userId":"u","userLevel":1,"levelUpTime":"\#(Self.day)T10:00:00Z"}"#
    }
    let config = try fixture.folder.write(
      "c.toml",
      lines: ["[defaults]", "database = \"\(fixture.database.conninfo)\""]
        + ["kr", "jp"].flatMap { target in
          [
            "[targets.\(target)]", "expect-app = \"\(target)\"", "[[targets.\(target).sources]]",
            "paths = \"\(folder)/\(target)/levelup-%Y-%m-%d*\"",
          ]
        })
    func run(_ command: String, _ target: String, _ options: [String] = []) throws -> Command.Result
    {
      try fixture.program.run([command, "--config", config, "--target", target] + options)
    }
    let metrics = "\(folder)/jp.prom"
    try fixture.folder.write("kr/levelup-\(Self.day).jsonl", lines: [line("kr")])
    #expect(try run("run", "kr", ["--date", Self.day]).exitCode == 0)
    // jp has no feed yet; its file is missing.
    #expect(try run("run", "jp", ["--date", Self.day, "--metrics", metrics]).exitCode == 7)
    let success = "gamebase_ingest_last_success_timestamp_seconds{target=\"jp\"} "
    let figures = try String(contentsOfFile: metrics, encoding: .utf8)
    #expect(figures.contains(success + "0\n"))
    #expect(
      figures.contains(#"feed_ok{target="jp",app_id="jp",stream="level_up"} 0"#), "\(figures)")
    #expect(!figures.contains(#"app_id="kr""#))
    let kr = try run("status", "kr", ["--check"])
    #expect(kr.exitCode == 0 && kr.output.hasPrefix("verdict     ok, of kr\n"), "\(kr.output)")
    let jp = try run("status", "jp", ["--check", "--format", "json"])
    #expect(jp.exitCode == 7 && jp.output.contains("levelup-\(Self.day)*"), "\(jp.output)")
    #expect(!jp.output.contains(#""app_id":"kr""#))
    let all = try fixture.run(["status", "--check"])
    #expect(all.exitCode == 7)
    #expect(
      all.output.hasSuffix("missing     \(folder)/jp/levelup-\(Self.day)*\n"), "\(all.output)")
    try fixture.folder.write("jp/levelup-\(Self.day).jsonl", lines: [line("jp")])
    #expect(try run("run", "jp", ["--date", Self.day, "--metrics", metrics]).exitCode == 0)
    let last = try #require(
      try String(contentsOfFile: metrics, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix(success) })
    #expect(last != success + "0")
    // Without the server the last success stays, and the report is of no day.
    let away = try run(
      "run", "jp",
      [
        "--database", "host=/nonexistent", "--retries", "0", "--metrics", metrics, "--report",
        "\(folder)/night-%Y-%m-%d.json",
      ])
    #expect(away.exitCode == 69, "\(away.errors)")
    #expect(try report("night-0000-00-00.json")["exit_code"] as? Int == 69)
    #expect(try String(contentsOfFile: metrics, encoding: .utf8).contains(last + "\n"))
    #expect(try run("status", "jp", ["--check"]).exitCode == 0)
  }

  @Test func `the report of a day with too few files is valid`() throws {
    let late = try fixture.run(
      ["run", "\(folder)/level_up/%Y-%m-%d", "--date", Self.day, "--report", "\(folder)/late.json"])
    #expect(late.exitCode == 7, "\(late.errors)")
    #expect(try report("late.json")["exit_code"] as? Int == 7)
  }

  @Test func `metrics are renamed into place`() throws {
    try write(Self.day, count: 20)
    let result = try run(["--date", Self.day, "--metrics", "\(folder)/m.prom"])
    #expect(result.exitCode == 0, "\(result.errors)")
    let metrics = try String(contentsOfFile: "\(folder)/m.prom", encoding: .utf8)
    #expect(metrics.contains("gamebase_ingest_run_exit_code 0\n"))
    #expect(metrics.contains(#"gamebase_ingest_feed_ok{app_id="",stream="level_up"} 1"#))
  }
}
