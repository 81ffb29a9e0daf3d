import Foundation
import TestSupport
import Testing

/// Messages that the program gives before it connects to a database.
struct UsageTests {
  let program: Command
  let folder: TemporaryFolder
  let receipts: String

  init() throws {
    program = try .gamebaseIngest
    folder = try TemporaryFolder()
    receipts = try folder.write("receipts/receipt.jsonl", lines: [CommandFixture.receipt(1)])
  }

  @Test func `an unreachable server exits with 69`() throws {
    for command in Self.commandsOnADatabase {
      let arguments = command == ["load"] ? ["load", receipts, "--retries", "0"] : command
      let result = try program.run(arguments + ["--database", "host=/nonexistent dbname=games"])
      #expect(result.exitCode == 69, "\(command)")
      #expect(result.errors.contains("cannot connect to the database: "))
      #expect(!result.errors.contains("failed: \n"))
    }
  }

  /// Each command line without its files.
  private static let commandsOnADatabase = [
    ["load"], ["status"], ["migrate"], ["grant"], ["rejects", "list"], ["rejects", "export"],
    ["failures", "dismiss", "x"], ["rejects", "replay"],
    ["conflicts", "list"], ["trace", "--stream", "receipt", "p1"], ["undo", "1"],
    ["forget-user", "u", "--dry-run"], ["retention", "--keep", "12"],
  ]

  @Test func `unusable connection options exit with 78 in every command, without a retry`()
    throws
  {
    for command in Self.commandsOnADatabase {
      let arguments = command == ["load"] ? ["load", receipts] : command
      let result = try program.run(arguments + ["--database", "service=none-such"])
      #expect(result.exitCode == 78, "\(command): \(result.errors)")
      #expect(result.errors.contains("definition of service \"none-such\" not found. Correct "))
      #expect(!result.errors.contains("retry"))
    }
  }

  @Test(arguments: [
    "", "migrate", "grant", "load", "validate", "status", "rejects", "rejects list", "generate",
    "failures", "failures dismiss",
    "local",
    "local start", "local stop", "local destroy",
  ])
  func `every command has a help text`(command: String) throws {
    let words = command.split(separator: " ").map { String($0) }
    let result = try program.run(words + ["--help"])
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("OVERVIEW: "))
    #expect(result.output.contains("USAGE: gamebase-ingest"))
  }

  @Test func `the help names every exit code, and --version prints a version`() throws {
    let help = try program.run(["--help"]).output
    for code in ["0", "3", "4", "5", "6", "7", "64", "69", "70", "74", "75", "78", "130", "143"] {
      #expect(help.split(separator: "\n").contains { $0.trimmedStart.hasPrefix("\(code)  ") })
    }
    let version = try program.run(["--version"])
    #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}

extension Substring {
  fileprivate var trimmedStart: Substring { drop { $0 == " " } }
}
