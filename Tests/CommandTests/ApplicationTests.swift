import Foundation
import TestSupport
import Testing

/// The applications of a database: outer blanks, and the setting `apps`.
@Suite(.serialized, .needsServer, .ownDatabase) struct ApplicationTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private static let blanks = [
    " ", "\t", "\r", "\n", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{A0}", "\u{1680}", "\u{2003}",
    "\u{2028}", "\u{202F}", "\u{3000}", "\u{FEFF}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{AD}",
    "\u{1}", "\u{7F}",
  ]

  private func receipt(_ number: Int, app: String? = nil) -> String {
    let line = CommandFixture.receipt(number)
    return app.map { line.dropLast() + #","appId":"\#($0)"}"# } ?? line
  }

  private func load(
    _ lines: [String], _ arguments: [String] = [], name: String = "receipt.jsonl"
  ) throws -> Command.Result {
    let path = try fixture.folder.write(name, lines: lines)
    return try fixture.run(["load", path, "--no-refresh"] + arguments)
  }

  private func count(_ table: String) throws -> String? {
    try fixture.database.value("select count(*) from \(table)")
  }

  @Test(arguments: blanks)
  func `blanks at the ends of an application are refused`(blank: String) throws {
    for app in ["Qb2FhTzN\(blank)", "\(blank)Qb2FhTzN"] {
      for arguments in [
        ["load", "--app-id", app, "receipt.jsonl"], ["load", "--expect-app", app, "receipt.jsonl"],
        ["settings", "set", "app-id", app], ["settings", "set", "apps", app],
        ["settings", "set", "apps", "A,\(app),B"],
        ["reference", "load", "push-actions", "x.json", "--app-id", app],
      ] {
        let result = try fixture.run(arguments)
        #expect(result.exitCode == 64, "\(arguments): \(result.output)")
        #expect(result.errors.contains("white space"), "\(arguments): \(result.errors)")
      }
    }
    #expect(try count("ingest.setting") == "0")
  }

  @Test func `blanks within an application are allowed`() throws {
    #expect(try fixture.run(["settings", "set", "app-id", "My Game"]).exitCode == 0)
    #expect(try load([receipt(1)]).exitCode == 0)
    #expect(try fixture.database.value("select app_id from game.receipt") == "My Game")
  }

  @Test func `the application of unnamed lines is one of the listed ones`() throws {
    #expect(try fixture.run(["settings", "set", "apps", "A,B"]).exitCode == 0)
    let unlisted = try fixture.run(["settings", "set", "app-id", "C"])
    #expect(unlisted.exitCode == 64)
    #expect(unlisted.errors.contains("the setting apps does not list C"))
    #expect(try fixture.run(["settings", "set", "app-id", "B"]).exitCode == 0)
    #expect(try fixture.run(["settings", "set", "apps", "A"]).exitCode == 64)
    #expect(try fixture.run(["settings", "set", "apps", "--default"]).exitCode == 0)
  }

  @Test func `an older setting with outer blanks stops a load before any row`() throws {
    try fixture.database.execute(
      "insert into ingest.setting (name, value) values ('app-id', 'Qb2FhTzN ')")
    let result = try load([receipt(1)])
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("settings set app-id"), "\(result.errors)")
    #expect(try load([receipt(1)], ["--app-id", "Qb2FhTzN"]).exitCode == 0)
  }

  @Test(arguments: ["", ",", "A,", ",A", "A,,B", "A,A"])
  func `a list of applications that is not one is refused`(list: String) throws {
    #expect(try fixture.run(["settings", "set", "apps", list]).exitCode == 64)
    #expect(try count("ingest.setting") == "0")
  }

  @Test func `a line of another application fails its file before any row is kept`() throws {
    #expect(try fixture.run(["settings", "set", "apps", "A,B"]).exitCode == 0)
    #expect(try fixture.run(["settings", "show"]).output.contains("A,B"))
    #expect(try load([receipt(1, app: "A"), receipt(2, app: "B")]).exitCode == 0)
    let report = fixture.folder.path + "/report.json"
    let result = try load(
      [receipt(3, app: "A"), receipt(4, app: "B "), receipt(5, app: "C")],
      ["--reload-as", "--report", report], name: "receipt-2.jsonl")
    #expect(result.exitCode == 4)
    #expect(
      result.errors.contains("\"B \"") && result.errors.contains("line 2"), "\(result.errors)")
    #expect(try count("game.receipt") == "2")
    let files = try #require(try fixture.report(at: report)["files"] as? [[String: Any]])
    #expect(files.first?["error_code"] as? String == "other_application")
    let detail = try #require(files.first?["error_detail"] as? [String: String])
    #expect(detail["line"] == "2" && detail["app_id"] == "B ")
    #expect(try count("ingest.failed_file") == "1")
    // The default is any application.
    #expect(try fixture.run(["settings", "set", "apps", "--default"]).exitCode == 0)
    #expect(
      try fixture.run(["load", "\(fixture.folder.path)/receipt-2.jsonl", "--no-refresh"]).exitCode
        == 0)
    #expect(try count("game.receipt") == "5")
  }

  @Test func `the application of the file counts where a line has none`() throws {
    #expect(try fixture.run(["settings", "set", "apps", "A,B"]).exitCode == 0)
    for arguments in [["--app-id", "C"], ["--app-id", "a"], []] {
      let result = try load([receipt(1)], arguments)
      #expect(result.exitCode == 4, "\(arguments)")
      #expect(result.errors.contains("line 1"), "\(result.errors)")
    }
    #expect(try load([receipt(1)], ["--app-id", "A"]).exitCode == 0)
    #expect(try load([receipt(1)], ["--app-id", "C", "--reload-as"]).exitCode == 4)
    #expect(try fixture.run(["settings", "set", "app-id", "B"]).exitCode == 0)
    #expect(try load([receipt(2)], name: "receipt-2.jsonl").exitCode == 0)
    #expect(
      try fixture.database.rows("select app_id from game.receipt order by payment_seq")
        == [["A"], ["B"]])
    // A line that names an application is judged by it alone.
    #expect(
      try load([receipt(3, app: "B")], ["--app-id", "C"], name: "receipt-3.jsonl").exitCode == 0)
  }

  @Test func `small files, archives and large files are held to the list`() throws {
    #expect(try fixture.run(["settings", "set", "apps", "A"]).exitCode == 0)
    let long = String(repeating: " ", count: 70_000)
    try fixture.folder.write("in/receipt-1.jsonl", lines: [receipt(1, app: "A")])
    try fixture.folder.write("in/receipt-2.jsonl", lines: [receipt(2, app: "Z")])
    try fixture.folder.write("in/receipt-3.jsonl", lines: [receipt(3, app: "A")])
    try fixture.folder.write("in/receipt-4.jsonl", lines: [long, receipt(4, app: "Z")])
    let result = try fixture.run(["load", "\(fixture.folder.path)/in", "--no-refresh"])
    #expect(result.exitCode == 4)
    #expect(
      try fixture.database.rows("select payment_seq from game.receipt order by 1") == [
        ["p1"], ["p3"],
      ])
    #expect(try count("ingest.failed_file") == "2")
  }

  @Test func `a receipt in an event is held to the list, also by its own application`() throws {
    #expect(try fixture.run(["settings", "set", "apps", "A"]).exitCode == 0)
    func event(_ receipt: String, app: String) -> String {
      #"{"eventTime":1751328000000,"category":"purchaseUpdated","appId":"\#(app)","userId":"u","data":\#(receipt)}"#
    }
    for (line, code) in [
      (event(receipt(1), app: "A"), 0), (event(receipt(2, app: "Z"), app: "A"), 4),
      (event(receipt(3), app: "Z"), 4), (event(receipt(4, app: "A"), app: "A"), 0),
    ] as [(String, Int32)] {
      let result = try load([line], name: "event.jsonl")
      #expect(result.exitCode == code, "\(line): \(result.errors)")
    }
    #expect(
      try fixture.database.rows("select payment_seq from game.receipt order by 1") == [
        ["p1"], ["p4"],
      ])
  }

  @Test func `a replay is held to the list`() throws {
    let late =
      #"{"userId":"u","paymentSeq":"p9","purchaseTime":1752105600000,"price":1.5,"#
      + #""currency":"USD","appId":"Z"}"#
    #expect(
      try load(
        [receipt(1, app: "A"), late],
        ["--as-of", "2025-07-01T00:00:00Z", "--max-rejects", "unlimited"]
      ).exitCode == 3)
    try fixture.database.execute("update ingest.source_file set as_of = now()")
    #expect(try fixture.run(["settings", "set", "apps", "A"]).exitCode == 0)
    let result = try fixture.run(["rejects", "replay"])
    #expect(result.exitCode == 4, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("\"Z\"") && result.errors.contains("line 2"), "\(result.errors)")
    #expect(try count("game.receipt where app_id = 'Z'") == "0")
    #expect(try fixture.run(["settings", "set", "apps", "A,Z"]).exitCode == 0)
    #expect(try fixture.run(["rejects", "replay"]).exitCode == 0)
    #expect(try count("game.receipt where app_id = 'Z'") == "1")
  }
}
