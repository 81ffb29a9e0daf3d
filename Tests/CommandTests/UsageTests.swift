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

  @Test(arguments: ["load", "status", "migrate", "rejects list"])
  func `without a database the message says how to name one`(command: String) throws {
    var arguments = command.split(separator: " ").map { String($0) }
    if command == "load" { arguments.append(receipts) }
    let result = try program.run(arguments)
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        gamebase-ingest: no database is named: give --database CONNINFO, set PGHOST and PGDATABASE \
        (or PGSERVICE), or add --local for a private server on this machine

        """)
  }

  @Test(arguments: [
    (["load", "--no-such-flag"], "unknown option '--no-such-flag'", "load"),
    (["load", "x.jsonl", "--quite"], "unknown option '--quite'. Did you mean '--quiet'?", "load"),
    (["undo"], "name one file, or a run with --load", "undo"),
    (["rejects", "show"], "missing expected argument '<place>'", "rejects show"),
    (["status", "extra"], "unexpected argument 'extra'", "status"),
    (["laod", "x"], "there is no command gamebase-ingest laod; did you mean load?", ""),
    (
      ["rejects", "exprot"],
      "there is no command gamebase-ingest rejects exprot; did you mean export?", "rejects"
    ),
    (["sta\ntus"], "there is no command gamebase-ingest sta\\u{a}tus; did you mean status?", ""),
    (["something"], "there is no command gamebase-ingest something", ""),
    (
      ["rejects", "--database", "x"],
      "gamebase-ingest rejects needs a subcommand before its options: list, show, export or replay, "
        + "as in gamebase-ingest rejects list", "rejects"
    ),
    (
      ["settings", "--database=x"],
      "gamebase-ingest settings needs a subcommand before its options: show, set, expose-field or hide-field, as in "
        + "gamebase-ingest settings show", "settings"
    ),
    (
      ["reference", "load", "--app-id", "x"],
      "gamebase-ingest reference load needs a subcommand before its options: exchange-rates or "
        + "push-actions, as in gamebase-ingest reference load exchange-rates", "reference load"
    ),
    (["--no-such-flag", "load"], "unknown option '--no-such-flag'", ""),
    (["rejects", "list", "--no-such-flag"], "unknown option '--no-such-flag'", "rejects list"),
  ])
  func `a usage error has the form of other messages and names the help command`(
    arguments: [String], message: String, command: String
  ) throws {
    let result = try program.run(arguments)
    #expect(result.exitCode == 64)
    let help = ["gamebase-ingest", command, "--help"].filter { !$0.isEmpty }.joined(separator: " ")
    #expect(result.errors == "gamebase-ingest: \(message)\ngamebase-ingest: see \(help)\n")
    #expect(result.output.isEmpty)
  }

  @Test func `without arguments the program prints its usage and exits with 64`() throws {
    let result = try program.run([])
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("USAGE: gamebase-ingest <subcommand>"))
  }

  @Test func `an input of an unknown stream is refused with the option to add`() throws {
    let other = try folder.write("receipts-not/other.jsonl", lines: ["{}"])
    let nowhere = "--database=host=/nonexistent"
    let unnamed = try folder.write("x/other.jsonl", lines: ["{}"])
    let result = try program.run(["load", receipts, unnamed, nowhere])
    #expect(result.exitCode == 64)
    #expect(
      result.errors == """
        gamebase-ingest: cannot tell which stream \(unnamed) holds: no word of its name or its \
        folders is one of receipt*, levelup*, level_up*, level-up*, gameuser*, game_user*, \
        game-user*, item*, purchasable_item*, purchasable-item*, event*, gamebase_event*, \
        gamebase-event*; add --stream receipt|level_up|game_user|item|event

        """)
    let missing = try program.run(["load", receipts, "\(folder.path)/inbox", nowhere])
    #expect(missing.exitCode == 64)
    #expect(missing.errors == "gamebase-ingest: \(folder.path)/inbox does not exist\n")
    // The folder's name selects the stream like the file's.
    #expect(try program.run(["validate", other]).exitCode == 4)
    let input = try program.run(["load", "-", nowhere])
    #expect(input.exitCode == 64)
    #expect(input.errors.contains("standard input has no name that selects a stream"))
    #expect(try program.run(["load", nowhere]).exitCode == 64)
  }

  @Test func `a file of no stream is skipped, unless --strict-files is set or it is the only one`()
    throws
  {
    let stray = try folder.write("receipts-and/manifest.json", lines: ["{}"])
    let inbox = try TemporaryFolder()
    try inbox.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
    try inbox.write("manifest.json", lines: ["{}"])
    let skipped = "gamebase-ingest: skipped \(inbox.path)/manifest.json: no word of its name"
    let result = try program.run(["validate", inbox.path])
    #expect(result.exitCode == 0)
    #expect(result.errors.hasPrefix(skipped))
    let strict = try program.run(["validate", inbox.path, "--strict-files"])
    #expect(strict.exitCode == 64)
    #expect(strict.errors.hasSuffix("or leave out --strict-files to skip it\n"))
    // Its folder has a stream's word, and it is the only file.
    #expect(try program.run(["validate", stray]).exitCode != 64)
    try FileManager.default.removeItem(atPath: "\(inbox.path)/receipt.jsonl")
    #expect(try program.run(["validate", inbox.path]).exitCode == 64)
    let json = try program.run([
      "validate", inbox.path, receipts, "--format", "json",
    ]).output
    #expect(json.contains(#""skipped":[{"path":"\#(inbox.path)/manifest.json","reason":"no word"#))
    let github = try program.run(["validate", inbox.path, receipts, "--format", "github"]).output
    #expect(github.contains("::warning file=\(inbox.path)/manifest.json::skipped: no word"))
  }

  @Test(arguments: [
    ["--stream", "receipts"], ["--max-rejects", "ten"], ["--max-rejects", "101%"],
    ["--time-unit", "ns"], ["--as-of", "2026-01-01"], ["--observed-at", "yesterday"],
    ["--observed-at", "2099-12-31T00:00:00Z"],
    ["--observed-at", "2026-01-02T00:00:00.001Z", "--as-of", "2026-01-01T00:00:00Z"],
    ["--max-nesting", "0"], ["--max-identifier-bytes", "513"], ["--lock-wait", "-1"],
    ["--no-such-flag"], ["--database", "a", "--local", "b"],
    ["--database", "host=h password=hunter2"], ["--database", "host=h colour=red"],
  ])
  func `a wrong option exits with 64`(arguments: [String]) throws {
    let result = try program.run(["load", receipts] + arguments)
    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(!result.errors.isEmpty)
    #expect(result.output.isEmpty)
    #expect(!result.errors.contains("hunter2"))
  }

  @Test(arguments: [
    ("--jobs", "0", "--jobs must be at least 1"),
    ("--retries", "-1", "--retries must not be negative"),
  ])
  func `a number out of range is reported for its own option only`(
    option: String, value: String, message: String
  ) throws {
    let result = try program.run(["load", receipts, "\(option)=\(value)", "--database", "dbname=x"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    let other = option == "--jobs" ? "--retries" : "--jobs"
    #expect(!result.errors.contains(other), "\(result.errors)")
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
    ["failures", "list"], ["failures", "dismiss", "1"], ["rejects", "replay"],
    ["conflicts", "list"], ["trace", "receipt.jsonl:1"], ["undo", "1"],
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
    "failures", "failures list", "failures dismiss",
    "local",
    "local start", "local stop", "local destroy", "local psql",
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
