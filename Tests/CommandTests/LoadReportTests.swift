import Foundation
import TestSupport
import Testing

/// Reports of real runs, validated against their JSON schema.
@Suite(.serialized, .needsServer, .ownDatabase) struct LoadReportTests {
  let fixture: CommandFixture
  let inbox: String

  init() throws {
    fixture = try CommandFixture()
    inbox = "\(fixture.folder.path)/inbox"
    try fixture.folder.write(
      "inbox/receipt-1.jsonl",
      lines: (0..<3).map(CommandFixture.receipt)
        + ["{}", #"{"coupon":1,"userId":"u"}"#, "["] + [""])
    try fixture.folder.write(
      "inbox/receipt-2.csv.jsonl", lines: ["userId,paymentSeq", "u1,p1"])
    try fixture.folder.write("inbox/manifest.json", lines: ["{}"])
    try fixture.folder.write("inbox/receipt-levelup.jsonl", lines: ["{}"])
  }

  private var path: String { "\(fixture.folder.path)/report.json" }

  private func report(_ arguments: [String], code: Int32) throws -> [String: Any] {
    let result = try fixture.run(["load"] + arguments + ["--report", path])
    #expect(result.exitCode == code, "\(result.errors)")
    try check(path)
    return try fixture.report(at: path)
  }

  /// Validates a report; with `isValid` false, expects that the schema refuses it.
  private func check(_ path: String, isValid: Bool = true) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let script = #"""
      for python in /usr/bin/python3 python3; do
        "$python" -c 'import jsonschema' 2>/dev/null && exec "$python" "$@"
      done
      echo 'jsonschema is missing; scripts/test installs python3-jsonschema' >&2; exit 9
      """#
    let result = try Command("/bin/sh").run([
      "-c", script, "sh", "\(root.path)/scripts/lib/check_report.py", path,
    ])
    #expect(result.exitCode == (isValid ? 0 : 1), "\(result.errors)")
  }

  private func files(_ report: [String: Any]) throws -> [[String: Any]] {
    try #require(report["files"] as? [[String: Any]])
  }

  @Test func `a run with every kind of file is reported in full`() throws {
    let gone = "\(inbox)/receipt-gone.jsonl"
    let report = try report([inbox, gone], code: 5)
    #expect(report["report_version"] as? Int == 3)
    #expect(report["version"] as? String == "0.9.0")
    #expect(report["load_id"] as? Int == 1)
    #expect(report["error"] is NSNull)
    let database = try #require(report["database"] as? [String: Any])
    #expect(database["name"] as? String == fixture.database.name)
    let skipped = try #require(report["skipped"] as? [[String: Any]])
    #expect(skipped.map { $0["path"] as? String } == ["\(inbox)/manifest.json"])

    let files = try files(report)
    #expect(
      files.map { $0["path"] as? String } == [
        "\(inbox)/receipt-1.jsonl", "\(inbox)/receipt-2.csv.jsonl",
        "\(inbox)/receipt-levelup.jsonl",
        gone,
      ])
    #expect(
      files.map { $0["error_code"] as? String }
        == [nil, "no_good_line", "stream_ambiguous", "path_missing"])
    #expect(files[0]["lines"] as? Int == 7 && files[0]["inserted"] as? Int == 3)
    #expect(
      files[0]["reject_codes"] as? [String: Int] == ["missing_field": 2, "malformed_json": 1])
    #expect(files[0]["new_fields"] as? [String] == ["coupon"])
    #expect(files[0]["bytes"] as? Int ?? 0 > 100)
    #expect(files[0]["read"] is NSNull && files[2]["read"] is NSNull)
    #expect(files[1]["lines"] as? Int == 0 && files[1]["rejected"] as? Int == 0)
    let read = try #require(files[1]["read"] as? [String: Any])
    #expect(read["lines"] as? Int == 2 && read["rejected"] as? Int == 2)
    #expect(read["bytes"] as? Int == 24)
    #expect(read["reject_codes"] as? [String: Int] == ["malformed_json": 2])
    #expect((files[1]["error_detail"] as? [String: String])?["looks_like"] == "csv")

    let totals = try #require(report["totals"] as? [[String: Any]])
    #expect(totals.map { $0["stream"] as? String } == ["receipt", nil])
    #expect(totals[0]["files"] as? Int == 3 && totals[0]["failed"] as? Int == 2)
    #expect(totals[0]["inserted"] as? Int == 3 && totals[0]["rejected"] as? Int == 3)
  }

  @Test func `already loaded files, dry runs and stopped runs are reported`() throws {
    let good = try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(9)])
    let dry = try report([good, "--dry-run"], code: 0)
    #expect(dry["dry_run"] as? Bool == true && dry["load_id"] is NSNull)
    _ = try report([good], code: 0)
    let again = try report([good], code: 0)
    #expect(try files(again)[0]["status"] as? String == "already_loaded")
    let gone = "\(fixture.folder.path)/receipt-gone.jsonl"
    let stopped = try report([gone, good, "--fail-fast"], code: 5)
    #expect(
      try files(stopped).map { $0["error_code"] as? String } == ["path_missing", "not_reached"])
    #expect(try files(stopped)[1]["started_at"] is NSNull)
  }

  @Test func `a wrong command line is reported, whether it parses or not`() throws {
    for (arguments, cause) in [
      (["\(inbox)/manifest.json"], "stream_unknown"),
      (["\(inbox)/receipt-levelup.jsonl"], "stream_ambiguous"),
      ([inbox, "--no-such-option"], "usage"),
      ([inbox, "--max-rejects", "ten"], "usage"), ([], "usage"),
    ] {
      let report = try report(arguments, code: 64)
      #expect(report["exit_code"] as? Int == 64)
      #expect(report["error_code"] as? String == cause, "\(arguments)")
      #expect((report["error"] as? String)?.isEmpty == false)
      #expect(try files(report).isEmpty)
      try FileManager.default.removeItem(atPath: path)
    }
    let before = try fixture.program.run(["load", "--report=\(path)", "--no-such-option"])
    #expect(before.exitCode == 64)
    try check(path)
    #expect(try fixture.program.run(["load", "--help", "--report", "\(path)-2"]).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(path)-2"))
  }

  @Test func `an unreachable server is the error of the run`() throws {
    let result = try fixture.program.run([
      "load", inbox, "--report", path, "--retries", "0", "--database", "host=/nonexistent",
    ])
    #expect(result.exitCode == 69)
    try check(path)
    let report = try fixture.report(at: path)
    #expect(report["error_code"] as? String == "database_unavailable")
    #expect(report["database"] is NSNull)
    #expect(try files(report)[0]["error_code"] as? String == "not_reached")
  }

  @Test func `the schema check refuses an unknown or missing key`()
    throws
  {
    _ = try report([inbox], code: 5)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for (old, new) in [
      (#""report_version" : 3"#, #""report_version" : 3, "novelty" : 1"#),
      (#""filled" : 0,"#, ""), (#""status" : "loaded""#, #""status" : "done""#),
    ] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text)
      try check(try fixture.folder.write("changed.json", lines: [changed]), isValid: false)
    }
  }

  @Test func `standard output holds nothing but the report`() throws {
    let result = try fixture.run(["load", inbox, "--report", "-"])
    #expect(result.exitCode == 5)
    let copy = try fixture.folder.write("copy.json", result.output.utf8)
    try check(copy)
    #expect(result.errors.contains("load 1, exit 5"))
  }

  @Test(arguments: ["/nonexistent/report.json", "/proc/report.json", "inbox"])
  func `the report's path is checked before anything is loaded`(place: String) throws {
    let path = place == "inbox" ? inbox : place
    let result = try fixture.run(["load", inbox, "--report", path])
    #expect(result.exitCode == 74)
    #expect(result.errors.contains("cannot write the report \(path): "))
    #expect(result.errors.contains("; nothing was loaded"))
    #expect(try fixture.database.value("select count(*) from ingest.load") == "0")
  }

  @Test func `a new field is reported once per database, and can fail the load or be ignored`()
    throws
  {
    func load(_ number: Int, _ field: String, _ policy: String) throws -> Command.Result {
      let line = #"{"\#(field)":1,"# + CommandFixture.receipt(number).dropFirst()
      let path = try fixture.folder.write("receipt-\(number).jsonl", lines: [line])
      return try fixture.run(["load", path, "--unknown-fields", policy, "--report", self.path])
    }
    let first = try load(1, "coupon", "warn")
    #expect(first.exitCode == 0)
    #expect(first.output.contains("new fields of receipt, kept in extra: coupon (first in "))
    #expect(try !load(2, "coupon", "warn").output.contains("new fields"))
    let failed = try load(3, "voucher", "fail")
    #expect(failed.exitCode == 5)
    #expect(failed.errors.contains("fields that receipt never had in this database: voucher"))
    try check(path)
    #expect(try files(try fixture.report(at: path))[0]["error_code"] as? String == "unknown_field")
    #expect(try load(4, "coupon", "fail").exitCode == 0)
    #expect(try !load(5, "bonus", "ignore").output.contains("new fields"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "4")
    #expect(try fixture.run(["load", inbox, "--unknown-fields", "maybe"]).exitCode == 64)
  }

  @Test func `a field that another stream has had is new`() throws {
    let levelUp = #"{"coupon":1,"userId":"u","userLevel":1,"levelUpTime":1751328000000}"#
    let receipt = #"{"coupon":1,"# + CommandFixture.receipt(1).dropFirst()
    for (name, line) in [("receipt", receipt), ("levelup", levelUp)] {
      let path = try fixture.folder.write("\(name).jsonl", lines: [line])
      let report = try report([path], code: 0)
      #expect(try files(report).map { $0["new_fields"] as? [String] } == [["coupon"]])
    }
  }

  @Test func `a field new in two files of one run is reported for the first`() throws {
    for number in 1...2 {
      let line = #"{"coupon":1,"# + CommandFixture.receipt(number).dropFirst()
      try fixture.folder.write("two/receipt-\(number).jsonl", lines: [line])
    }
    let report = try report(["\(fixture.folder.path)/two"], code: 0)
    #expect(try files(report).map { $0["new_fields"] as? [String] } == [["coupon"], []])
  }

  /// The output of a `settings` command.
  @discardableResult
  private func settings(_ arguments: String...) throws -> String {
    let result = try fixture.run(["settings"] + arguments)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output
  }

  @Test func `a file loaded earlier under other options is reported with the earlier file`() throws
  {
    let path = try fixture.folder.write(
      "receipt-one.jsonl", lines: [CommandFixture.receipt(1)])
    try settings("set", "app-id", "house")
    _ = try report([path], code: 0)
    let report = try report([path, "--app-id", "other"], code: 5)
    let file = try #require(try files(report).first)
    #expect(file["error_code"] as? String == "same_bytes_other_options")
    #expect((file["error_detail"] as? [String: String])?["path"] == path)
    #expect((file["error"] as? String)?.contains("--app-id house") == true)
    _ = try self.report([path, "--app-id", "other", "--reload-as"], code: 3)
    let unexpected = try self.report(
      [path, "--app-id", "new", "--expect-app", "new", "--reload-as"], code: 3)
    #expect(try files(unexpected).first?["conflicts"] as? Int == 1)
  }

  @Test func `settings show which role set them, and can be reset to the default`() throws {
    #expect(try settings("set", "app-id", "house") == "app-id is house, and was (none)\n")
    #expect(try settings("set", "app-id", "house") == "app-id is house already\n")
    let shown = try settings("show")
    #expect(shown.contains("app-id") && shown.contains("house") && shown.contains(" by "))
    #expect(
      try settings("set", "app-id", "--default")
        == "app-id is (none), and was house\n")
    #expect(try fixture.run(["settings", "set", "nothing", "x"]).exitCode == 64)
    #expect(try fixture.run(["settings", "set", "app-id", " "]).exitCode == 64)
  }
}
