import Foundation
import Postgres
import SampleData
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct LoadCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func receipts(_ name: String = "receipt.jsonl", _ extra: [String] = []) throws -> String {
    try fixture.folder.write(name, lines: (0..<3).map(CommandFixture.receipt) + extra)
  }

  @Test func `a good file exits with 0, and a second load has nothing to do`() throws {
    let path = try receipts()
    let first = try fixture.run(["load", path])
    #expect(first.exitCode == 0)
    let width = path.count
    func cell(_ text: String) -> String {
      text + String(repeating: " ", count: width - text.count)
    }
    // The last two lines hold durations.
    let lines = first.output.split(separator: "\n").map { String($0) }
    #expect(lines.last?.wholeMatch(of: /load 1, exit 0, \d+\.\d s/) != nil, "\(first.output)")
    #expect(
      lines.dropLast().last?.hasPrefix(
        "the reports are refreshed: 1 file, 1 player, ") == true)
    #expect(
      lines.dropLast(2).joined(separator: "\n") == """
        \(cell("file"))  stream   status  lines  inserted  filled  duplicates  conflicts  rejected  blank
        \(cell(path))  receipt  loaded      3         3       0           0          0         0      0
        """)
    #expect(first.errors.isEmpty)
    let second = try fixture.run(["load", path])
    #expect(second.exitCode == 0)
    #expect(second.output.contains("receipt  already_loaded      0         0"))
    #expect(try fixture.run(["load", path, "--quiet"]).output.isEmpty)
  }

  @Test func `a missing file exits with 5 and does not stop the others`() throws {
    let good = try receipts()
    let missing = "\(fixture.folder.path)/receipt-gone.jsonl"
    let result = try fixture.run(["load", missing, good])
    #expect(result.exitCode == 5)
    #expect(result.errors.contains("\(missing): does not exist"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
  }

  @Test func `a stray file and an ambiguous one do not stop the other files`() throws {
    _ = try receipts("inbox/receipt.jsonl")
    try fixture.folder.write("inbox/manifest.json", lines: ["{}"])
    let inbox = "\(fixture.folder.path)/inbox"
    let first = try fixture.run(["load", inbox])
    #expect(first.exitCode == 0)
    let skipped =
      "gamebase-ingest: warning: skipped 1 file in \(inbox) with no word that selects a stream: manifest.json\n"
    #expect(first.errors.hasPrefix(skipped))
    #expect(try fixture.run(["load", inbox, "--quiet"]).errors == skipped)
    let mixed = try receipts("inbox/a-receipt-levelup.jsonl")
    let second = try fixture.run(["load", inbox])
    #expect(second.exitCode == 5)
    #expect(second.errors.contains("\(mixed): fits receipt and level_up by the words of a-receipt"))
    #expect(second.output.contains("already_loaded"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
    #expect(
      try fixture.database.value("select exit_code from ingest.load order by load_id desc limit 1")
        == "5")
    // No load starts after a failure that is known beforehand.
    _ = try receipts("inbox/receipt-new.jsonl", [CommandFixture.receipt(9)])
    let third = try fixture.run(["load", inbox, "--fail-fast"])
    #expect(third.exitCode == 5)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
  }

  @Test func `rejects exit with 3, and above the limit with 4`() throws {
    let path = try receipts("receipt.jsonl", ["{}", "[]"])
    let strict = try fixture.run(["load", path, "--max-rejects", "1"])
    #expect(strict.exitCode == 4)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
    let result = try fixture.run(["load", path])
    #expect(result.exitCode == 3)
    #expect(result.errors == "refused lines: gamebase-ingest rejects list --load 2\n")
    let list = try fixture.run(["rejects", "list", "--load", "2"])
    #expect(list.exitCode == 0)
    #expect(list.output.contains("missing_field"))
    #expect(list.output.contains("\(path):5"))
    #expect(
      try fixture.run(["rejects", "list", "--load", "1"]).output.contains("no line was refused"))
    let filtered = try fixture.run([
      "rejects", "list", "--code", "not_an_object", "--file", "t.jsonl",
    ])
    #expect(filtered.output.contains("\(path):5"))
    #expect(!filtered.output.contains("\(path):4"))
    #expect(try fixture.run(["rejects", "list", "--limit", "-1"]).exitCode == 64)
  }

  @Test func `a file without a good line exits with 4 and a suggested option that loads it`()
    throws
  {
    let lines = (0..<3).map { number in
      CommandFixture.receipt(number).replacing("1751328000000", with: "1751328000")
    }
    let path = try fixture.folder.write("receipt.jsonl", lines: lines)
    let guess = "not one line is good (3 of 3 refused): all times look like seconds: --time-unit s"
    for command in [["load"], ["load", "--max-rejects", "100%"], ["load", "--dry-run"]] {
      let result = try fixture.run(command + [path])
      #expect(result.exitCode == 4, "\(command)")
      #expect(result.errors.contains("\(path): \(guess); nothing was loaded"), "\(result.errors)")
    }
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "3")
    let early = try fixture.run(["load", path, "--max-rejects", "0"])
    #expect(early.exitCode == 4)
    #expect(early.errors.contains("None was good: all times look like seconds: --time-unit s"))
    let checked = try fixture.program.run(["validate", path])
    #expect(checked.exitCode == 4)
    #expect(checked.errors == "gamebase-ingest: \(path): \(guess)\n")
    #expect(checked.output.contains("receipt  no good line      3     0         3"))
    let corrected = try fixture.run(["load", path, "--time-unit", "s"])
    #expect(corrected.exitCode == 0)
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
  }

  @Test func `only an unlimited reject limit loads a file without a good line`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: ["a,b", "", "1,2"])
    let refused = try fixture.run(["load", path])
    #expect(refused.exitCode == 4)
    #expect(refused.errors.contains("not one line is good (2 of 3 refused): looks like CSV"))
    #expect(try fixture.run(["load", path, "--max-rejects", "unlimited"]).exitCode == 3)
    #expect(try fixture.database.value("select count(*) from ingest.reject") == "2")
    #expect(
      try fixture.program.run(["validate", path, "--max-rejects", "unlimited"]).exitCode == 3)
  }

  @Test func `a report holds every file under its name`() throws {
    let good = try receipts("receipt-1.jsonl", ["{}", ""])
    let paths = [good, "\(fixture.folder.path)/receipt-gone.jsonl"]
    let path = "\(fixture.folder.path)/report.json"
    let result = try fixture.run(["load"] + paths + ["--report", path, "--quiet"])
    #expect(result.exitCode == 5)
    let report = try fixture.report(at: path)
    #expect(report["exit_code"] as? Int == 5)
    #expect(report["load_id"] as? Int == 1)
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(files.compactMap { $0["path"] as? String } == paths)
    #expect(files.compactMap { $0["status"] as? String } == ["loaded", "failed"])
    let names = [
      "lines", "inserted", "filled", "duplicates", "conflicts", "rejected", "suppressed", "blank",
    ]
    #expect(names.map { files[0][$0] as? Int } == [5, 3, 0, 0, 0, 1, 0, 1])
    #expect(names.map { files[1][$0] as? Int } == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(files[0]["error"] is NSNull)
    #expect(files[1]["error"] as? String == "does not exist")
  }

  @Test func `an unwritable report exits with 74, and the load stays committed`() throws {
    let path = try receipts()
    let result = try fixture.run(["load", path, "--report", "/dev/full"])
    #expect(result.exitCode == 74)
    #expect(result.errors.contains("cannot write the report /dev/full: No space left on device"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
  }

  @Test(arguments: SampleStream.allCases)
  func `validate gives the same verdicts as load`(stream: SampleStream) throws {
    let path = try fixture.folder.write(
      "\(stream.rawValue).jsonl", Sample(stream, count: 800).bytes)
    let report = "\(fixture.folder.path)/report.json"
    let options = CommandFixture.asOf
    let loaded = try fixture.run(["load", path, "--report", report, "--quiet"] + options)
    let validated = try fixture.program.run(["validate", path, "--show", "9999"] + options)
    #expect(loaded.exitCode == 3)
    #expect(validated.exitCode == 3)
    let rejects = try fixture.database.rows(
      """
      select f.path || ':' || line_number || ': ' || code || coalesce(' ' || field, '') || ': '
        || reason from ingest.reject join ingest.source_file f using (source_file_id)
        order by line_number
      """
    ).compactMap { $0[0] }
    let lines = validated.output.split(separator: "\n").map { String($0) }
    #expect(!rejects.isEmpty)
    #expect(Array(lines.dropLast(2)) == rejects)
    let file = try #require((try fixture.report(at: report)["files"] as? [[String: Any]])?.first)
    let rows = ["inserted", "filled", "duplicates", "conflicts"].compactMap { file[$0] as? Int }
    let counts = [
      file["lines"] as? Int, rows.reduce(0, +), file["rejected"] as? Int, file["blank"] as? Int,
    ].map { $0.map { "\($0)" } ?? "" }
    let last = lines.last.map { $0.split(separator: " ").suffix(4).map { String($0) } }
    #expect(last == counts)
  }

  @Test func `standard input is a file without a name`() throws {
    let path = try receipts()
    let report = "\(fixture.folder.path)/report.json"
    let arguments = ["load", "-", "--stream", "receipt", "--report", report]
    let first = try fixture.run(arguments, input: path)
    #expect(first.exitCode == 0, "\(first.errors)")
    let file = try #require((try fixture.report(at: report)["files"] as? [[String: Any]])?.first)
    #expect(file["path"] as? String == "-")
    #expect(file["inserted"] as? Int == 3)
    let second = try fixture.run(arguments, input: path)
    #expect(second.exitCode == 0)
    #expect(second.output.contains("already_loaded"))
    // Only the bytes identify a file, not their origin.
    #expect(try fixture.run(["load", path]).output.contains("already_loaded"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "1")
  }

  @Test func `a closed standard input is an error, not an empty file`() throws {
    var shell = Command("/bin/sh")
    shell.environment = ["PROGRAM": fixture.program.program, "DB": fixture.database.conninfo]
    let result = try shell.run([
      "-c", #""$PROGRAM" load - --stream receipt --database "$DB" <&-"#,
    ])
    #expect(result.exitCode == 5)
    #expect(result.errors.contains("-: cannot be read: "))
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "0")
  }

  @Test func `SIGTERM stops a load with exit code 143 and leaves no partial file`() throws {
    let path = try receipts()
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table ingest.failed_file in access exclusive mode")
    let running = try fixture.program.start(["load", path, "--database", fixture.database.conninfo])
    _ = try fixture.database.processWaitingForLock()
    running.signal(SIGTERM)
    let result = try running.wait()
    holder.rollback()
    #expect(result.exitCode == 143)
    #expect(result.errors.contains("interrupted; the current file was rolled back"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
    #expect(try fixture.database.value("select count(*) from ingest.source_file") == "0")
    #expect(try fixture.run(["load", path]).exitCode == 0)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "3")
  }

  @Test func `SIGKILL during a load leaves no partial file`() throws {
    let path = try receipts()
    let holder = try fixture.database.connect()
    try holder.execute("begin; lock table ingest.failed_file in access exclusive mode")
    let running = try fixture.program.start(["load", path, "--database", fixture.database.conninfo])
    let process = try fixture.database.processWaitingForLock()
    running.signal(SIGKILL)
    #expect(try running.wait().exitCode == 137)
    holder.rollback()
    try fixture.database.wait(
      for: """
        select 1 where not exists (select from pg_stat_activity where pid = \(process))
        """, "the killed loader's session did not end")
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
    #expect(try fixture.run(["load", path]).exitCode == 0)
  }

  @Test func `encoding and time zone variables do not change the stored rows`() throws {
    let text = "{\"payload\":\"日本é\"," + CommandFixture.receipt(1).dropFirst()
    let path = try fixture.folder.write("receipt.jsonl", lines: [text])
    var program = fixture.program
    program.environment = [
      "PGCLIENTENCODING": "LATIN1", "PGTZ": "Asia/Seoul", "PGDATESTYLE": "German",
      "LC_ALL": "de_DE.ISO-8859-1", "TZ": "America/New_York",
    ]
    let result = try program.run(["load", path, "--database", fixture.database.conninfo])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try fixture.database.rows("select payload, purchased_at from game.receipt")
        == [["日本é", "2025-07-01 00:00:00+00"]])
  }
}
