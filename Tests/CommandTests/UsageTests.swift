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

  @Test func `the same options generate the same data`() throws {
    func generate(_ name: String, _ seed: String) throws -> [String] {
      let output = "\(folder.path)/\(name)"
      let result = try program.run([
        "generate", output, "--count", "500", "--days", "3", "--seed", seed, "--until",
        "2025-03-02",
      ])
      #expect(result.exitCode == 0)
      let sums = try Command("/bin/sh").run([
        "-c", "cd '\(output)' && find . -type f | sort | xargs sha256sum",
      ])
      return sums.output.split(separator: "\n").map { String($0) }
    }
    let first = try generate("a", "1")
    // Three days of five streams.
    #expect(first.count == 15)
    #expect(first.contains { $0.hasSuffix("./receipt/receipt-2025-02-28.jsonl") })
    #expect(try generate("b", "1") == first)
    #expect(Set(try generate("c", "2")).isDisjoint(with: first))
  }

  @Test func `generate refuses invalid options`() throws {
    for arguments in [
      ["--stream", "orders"], ["--days", "0"], ["--until", "2025-02-30"], ["--bad-share", "2"],
    ] {
      let result = try program.run(["generate", "\(folder.path)/x"] + arguments)
      #expect(result.exitCode == 64, "\(arguments)")
    }
    #expect(try program.run(["generate", "/proc/x", "--count", "1"]).exitCode == 74)
  }
}

extension Substring {
  fileprivate var trimmedStart: Substring { drop { $0 == " " } }
}
