import Foundation
import TestSupport
import Testing

/// Values of options from the environment and from a configuration file.
@Suite(.serialized, .needsServer, .ownDatabase) struct ConfigurationCommandTests {
  let fixture: CommandFixture
  let receipts: String

  init() throws {
    fixture = try CommandFixture()
    receipts = try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1), "x"])
  }

  private func run(
    _ arguments: [String], _ environment: [String: String?] = [:]
  ) throws -> Command.Result {
    var program = fixture.program
    program.environment = environment
    return try program.run(arguments)
  }

  private func config(_ text: String) throws -> String {
    let path = try fixture.folder.write("gamebase-ingest.toml", lines: [text])
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  @Test func `a load takes its options from a file, and the environment goes before it`() throws {
    let file = try config(
      """
      [defaults]
      max-rejects = 0

      [targets.kr]
      database = "\(fixture.database.conninfo)"
      app-id = "kr"
      """)
    #expect(try run(["load", receipts, "--config", file]).exitCode == 4)
    let accepted = ["GAMEBASE_INGEST_MAX_REJECTS": "5", "GAMEBASE_INGEST_CONFIG": file]
    #expect(try run(["load", receipts], accepted).exitCode == 3)
    #expect(try fixture.database.value("select app_id from game.receipt") == "kr")
    #expect(try run(["status", "--config", file]).exitCode == 0)
  }

  @Test func `a value that makes the command line wrong is named with its origin`() throws {
    let file = try config("[defaults]\njobs = 0\n")
    let result = try run(["load", receipts, "--config", file, "--database", "x"])
    #expect(result.exitCode == 64)
    #expect(
      result.errors.hasPrefix(
        "gamebase-ingest: --jobs must be at least 1; --jobs comes from \(file), [defaults]\n"))
    let variable = try run(
      ["load", receipts, "--database", "x"], ["GAMEBASE_INGEST_MAX_REJECTS": "many"])
    #expect(variable.exitCode == 64)
    #expect(variable.errors.contains("; --max-rejects comes from GAMEBASE_INGEST_MAX_REJECTS\n"))
  }

  @Test func `an unknown key exits with 78 and a suggestion, and the report says so`() throws {
    let file = try config("[defaults]\nmax-reject = 0\n")
    let report = "\(fixture.folder.path)/report.json"
    let result = try run(["load", receipts, "--config", file, "--report", report])
    #expect(result.exitCode == 78)
    #expect(
      result.errors
        == "gamebase-ingest: \(file): defaults.max-reject is no key; did you mean max-rejects?\n")
    #expect(try fixture.report(at: report)["exit_code"] as? Int == 78)
  }

  @Test func `a command on a database needs one of several targets`() throws {
    let file = try config("[targets.kr]\ndatabase = 'service=kr'\n[targets.jp]\n")
    let result = try run(["status", "--config", file])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("has several targets: add --target with one of jp, kr"))
    #expect(try run(["status", "--config", file, "--target", "us"]).exitCode == 64)
    #expect(
      try run(["status", "--config", file, "--database", fixture.database.conninfo]).exitCode == 0)
    #expect(try run(["validate", receipts, "--config", file]).exitCode == 3)
  }

  @Test func `a command that deletes takes only its connection from elsewhere`() throws {
    #expect(try fixture.run(["load", receipts]).exitCode == 3)
    let environment = [
      "GAMEBASE_INGEST_DATABASE": fixture.database.conninfo, "GAMEBASE_INGEST_LOAD": "1",
    ]
    let undo = try run(["undo"], environment)
    #expect(undo.exitCode == 64 && undo.errors.contains("name one file, or a run with --load"))
    #expect(try run(["rejects", "list"], environment).exitCode == 0)
    #expect(try run(["undo", "--load", "1"], environment).exitCode == 0)
  }

  @Test func `config show lists values with their origins, and no password`() throws {
    let file = try config(
      "[targets.kr]\ndatabase = 'host=h password=hunter2'\njobs = 3\nquiet = true\n")
    let environment = [
      "GAMEBASE_INGEST_RETRIES": "9", "GAMEBASE_INGEST_RETRYES": "1",
      "GAMEBASE_INGEST_PORT": "tcp://10.0.0.1:80",
    ]
    let result = try run(
      ["config", "show", "load", "--lock-wait", "7", "--config", file], environment)
    #expect(result.exitCode == 0)
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: " ").map { String($0) }
    }
    #expect(rows.contains(["--jobs", "3", "\(file),", "[targets.kr]"]))
    #expect(rows.contains(["--quiet", "true", "\(file),", "[targets.kr]"]))
    #expect(rows.contains(["--retries", "9", "GAMEBASE_INGEST_RETRIES"]))
    #expect(rows.contains(["--lock-wait", "7", "command", "line"]))
    #expect(rows.contains(["--min-files", "1", "default"]))
    #expect(!(result.output + result.errors).contains("hunter2"))
    #expect(
      result.errors.contains(
        "GAMEBASE_INGEST_RETRYES sets no option; did you mean GAMEBASE_INGEST_RETRIES?"))
    #expect(!result.errors.contains("GAMEBASE_INGEST_PORT"))
    let json = try run(["config", "show", "--config", file, "--format", "json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["target"] as? String == "kr")
    // The file cannot be used for a connection, and the message does not show the password either.
    let refused = try run(["status", "--config", file])
    #expect(refused.exitCode == 64 && !refused.errors.contains("hunter2"))
  }

  @Test
  func `messages are JSON objects where that is asked for, also those of a wrong command line`()
    throws
  {
    func events(_ result: Command.Result) throws -> [[String: String]] {
      try result.errors.split(separator: "\n").map {
        try #require(
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
      }
    }
    let json = ["GAMEBASE_INGEST_LOG_FORMAT": "json"]
    let load = try run(["load", receipts, "--database", fixture.database.conninfo], json)
    #expect(load.exitCode == 3)
    let messages = try events(load)
    #expect(messages.allSatisfy { Set($0.keys) == ["time", "level", "message"] })
    #expect(messages.contains { $0["message"]?.hasPrefix("refused lines: ") == true })
    let missing = try run(
      [
        "load", "\(fixture.folder.path)/receipt-gone.jsonl", "--database",
        fixture.database.conninfo, "--quiet", "--log-format=json",
      ])
    #expect(try events(missing).first?["level"] == "error")
    let wrong = try events(try run(["load", "--no-such"], json))
    #expect(wrong.first?["message"] == "unknown option '--no-such'")
  }

  @Test func `the JSON Schema in the documentation is that of the program`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: "docs/gamebase-ingest.schema.json")
    let printed = try run(["config", "schema"]).output
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try printed.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == printed)
  }

  @Test func `the example in the documentation has no error`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
    let blocks = page.matches(of: /```toml\n([\s\S]*?)```/).map { String($0.1) }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let file = try config(block)
      let result = try run(["config", "show", "--config", file])
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }
}
