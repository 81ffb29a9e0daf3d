import Foundation
import TestSupport
import Testing

/// `rejects` with the real program: list, show, explain, export and replay.
@Suite(.serialized, .needsServer, .ownDatabase) struct RejectsCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private static let negative =
    #"{"userId":"u","paymentSeq":"n1","purchaseTime":1751328000000,"price":-2,"currency":"USD","#
    + #""purchaseToken":"SECRET"}"#
  /// Not UTF-8, except for the token.
  private static let notUTF8 = Array(#"{"paymentToken":"SECRET","x":"a"#.utf8) + [0xFF, 0x22, 0x7D]

  private func load(_ options: [String] = []) throws -> String {
    let lines: [[UInt8]] = [
      Array(CommandFixture.receipt(1).utf8), Array(Self.negative.utf8), Self.notUTF8,
      Array("{}".utf8),
      Array(
        #"{"userId":"other","paymentSeq":"p1","purchaseTime":1751328000000,"price":1.5,"currency":"USD"}"#
          .utf8),
    ]
    let path = try fixture.folder.write(
      "receipt:1%,é'.jsonl", lines.map { $0 + [0x0A] }.joined())
    let result = try fixture.run(
      ["load", path, "--max-rejects", "unlimited"] + CommandFixture.asOf + options)
    try #require(result.exitCode == 3, "\(result.errors)")
    return path
  }

  private func words(_ line: Substring) -> [String] { line.split(separator: " ").map(String.init) }

  // MARK: - list, show

  @Test func `list groups rejects, gives a first example, and filters`() throws {
    let path = try load()
    let all = try fixture.run(["rejects", "list"])
    #expect(all.exitCode == 0)
    let lines = all.output.split(separator: "\n").map(words)
    #expect(lines.contains(["receipt", "missing_field", "paymentSeq", "1", "\(path):4"]))
    #expect(lines.contains(["receipt", "negative_price", "price", "1", "\(path):2"]))
    #expect(lines.contains(["receipt", "invalid_utf8", "-", "1", "\(path):3"]))

    let one = try fixture.run(["rejects", "list", "--code", "negative_price", "--file", "é'.jsonl"])
    #expect(one.output.contains("\(path):2") && !one.output.contains("\(path):3"))
    for nothing in [
      ["--field", "x"], ["--load", "99"], ["--stream", "level_up"], ["--file", "zz"],
    ] {
      let result = try fixture.run(["rejects", "list"] + nothing)
      #expect(result.exitCode == 0 && result.output.contains("no line was refused"), "\(nothing)")
    }
    #expect(try fixture.run(["rejects", "list", "--code", "nonsense"]).exitCode == 64)
    #expect(try fixture.run(["rejects", "list", "--stream", "nonsense"]).exitCode == 64)
  }

  @Test func `show and explain print every field of a line, and no token`() throws {
    let path = try load()
    let shown = try fixture.run(["rejects", "show", "\(path):2"])
    let explained = try fixture.program.run(["explain", "\(path):2"] + CommandFixture.asOf)
    #expect(shown.exitCode == 0 && explained.exitCode == 3)
    for text in [shown.output, explained.output] {
      #expect(text.contains("refused: negative_price: a price must not be negative"))
      #expect(text.contains("purchased_at = 2025-07-01T00:00:00.000Z"))
      #expect(text.contains("purchase_token_sha256 = 0917b13a909191"))
      #expect(!text.contains("SECRET"))
    }
    #expect(shown.output.contains("recorded: negative_price price: "))
    let missing = try fixture.run(["rejects", "show", "\(path):1"])
    #expect(missing.exitCode == 64)
    #expect(missing.errors.contains("no refused line is stored for \(path):1"))
    let accepted = try fixture.program.run(["explain", "\(path):1"] + CommandFixture.asOf)
    #expect(accepted.exitCode == 0 && accepted.output.contains("accepted: the line becomes a row"))
    #expect(try fixture.program.run(["explain", "\(path):99"]).exitCode == 64)
    #expect(try fixture.program.run(["explain", path]).exitCode == 64)
    #expect(try fixture.program.run(["explain", "\(fixture.folder.path):1"]).exitCode == 64)
    #expect(try fixture.program.run(["explain", "\(path)-gone.jsonl:1"]).exitCode == 5)
  }

  // MARK: - export

  private func exported(_ options: [String] = []) throws -> (bytes: [UInt8], errors: String) {
    let path = "\(fixture.folder.path)/out.jsonl"
    let result = try fixture.run(["rejects", "export", "--output", path] + options)
    try #require(result.exitCode == 0, "\(result.errors)")
    return (Array(try Data(contentsOf: URL(fileURLWithPath: path))), result.errors)
  }

  @Test func `export keeps every byte except tokens, and its lines are refused as before`()
    throws
  {
    _ = try load()
    let (bytes, errors) = try exported()
    let lines = bytes.split(separator: 0x0A).map(Array.init)
    #expect(lines.count == 3)
    #expect(lines[1].suffix(5).elementsEqual([0x22, 0x61, 0xFF, 0x22, 0x7D]))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("SECRET"))
    #expect(errors.contains("3 lines exported; load them with --stream receipt"))

    let again = try fixture.run(
      [
        "load", "\(fixture.folder.path)/out.jsonl", "--stream", "receipt", "--max-rejects",
        "unlimited",
      ]
        + CommandFixture.asOf)
    #expect(again.exitCode == 3, "\(again.errors)")
    let codes = try fixture.database.rows(
      "select string_agg(code, ',' order by line_number) from ingest.reject group by source_file_id"
    )
    #expect(codes.count == 2 && Set(codes).count == 1, "\(codes)")
  }

  @Test func `export prints the options that its lines need, quoted for a shell`() throws {
    _ = try load(["--app-id", "it's", "--time-unit", "s"])
    let (_, errors) = try exported()
    #expect(errors.contains(#"--stream receipt --app-id 'it'\''s' --time-unit s"#))
  }

  @Test func `export refuses lines that need different options`() throws {
    _ = try load()
    _ = try load(["--app-id", "x", "--reload-as"])
    let result = try fixture.run(["rejects", "export"])
    #expect(result.exitCode == 64 && result.output.isEmpty)
    #expect(try fixture.run(["rejects", "export", "--load", "2"]).exitCode == 0)
  }

  @Test
  func `export skips rejects of failed files unless they are selected`()
    throws
  {
    _ = try load()
    let failed = try fixture.folder.write(
      "receipt-failed.jsonl", lines: ["{}", #"{"userId":"x"}"#])
    #expect(try fixture.run(["load", failed, "--max-rejects", "0"]).exitCode == 4)
    let (bytes, errors) = try exported(["--stream", "receipt"])
    #expect(bytes.count { $0 == 0x0A } == 3)
    #expect(errors.contains("3 lines exported; load them with --stream receipt"))
    #expect(errors.contains("2 lines of 1 failed files are left out; "))
    let (lines, notes) = try exported(["--failed"])
    #expect(String(decoding: lines, as: UTF8.self) == "{}\n{\"userId\":\"x\"}\n")
    #expect(
      notes == "2 lines exported; load them with the options that their file was loaded with\n")
  }

  @Test func `export writes to a pipe or a link, and leaves no partial file on failure`() throws {
    _ = try load()
    let folder = fixture.folder.path
    let real = try fixture.folder.write("real.jsonl", lines: ["old"])
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.jsonl", withDestinationPath: real)
    #expect(try fixture.run(["rejects", "export", "-o", "\(folder)/link.jsonl"]).exitCode == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: real)).count > 100)

    // A destination that is not a regular file is written to, never replaced.
    mkfifo("\(folder)/pipe", 0o600)
    let reader = try Command("/bin/cat").start(["\(folder)/pipe"])
    #expect(try fixture.run(["rejects", "export", "-o", "\(folder)/pipe"]).exitCode == 0)
    #expect(try reader.wait().output.utf8.count > 100)
    var status = stat()
    #expect(lstat("\(folder)/pipe", &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)

    for place in [folder, "\(folder)/gone/out.jsonl", "/dev/full"] {
      let result = try fixture.run(["rejects", "export", "-o", place])
      #expect(result.exitCode == 74, "\(place)")
      #expect(result.errors.contains("cannot write \(place): "), "\(result.errors)")
    }
    #expect(lstat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!left.contains { $0.contains("part") }, "\(left)")
  }

  @Test func `an exported line keeps its leading byte-order mark`() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let path = try fixture.folder.write(
      "receipt.jsonl",
      Array("\(CommandFixture.receipt(2))\n".utf8) + mark
        + Array("\(CommandFixture.receipt(1))\n".utf8))
    let loading = ["--stream", "receipt", "--max-rejects", "unlimited"] + CommandFixture.asOf
    #expect(try fixture.run(["load", path] + loading).exitCode == 3)
    _ = try exported()
    #expect(try fixture.run(["load", "\(fixture.folder.path)/out.jsonl"] + loading).exitCode == 3)
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")
  }

  // MARK: - replay, conflicts

  @Test func `replay loads lines that pass now, once`() throws {
    let path = try load()
    try fixture.database.execute(
      "update ingest.reject set raw = convert_to(replace(convert_from(raw, 'UTF8'), ':-2,', ':2,'), 'UTF8') where code = 'negative_price'"
    )
    let dry = try fixture.run(["rejects", "replay", "--dry-run"])
    #expect(dry.exitCode == 3)
    #expect(dry.output.contains("dry run: nothing was kept; 1 line would be resolved"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "1")

    let replay = try fixture.run(["rejects", "replay"])
    #expect(replay.exitCode == 3 && replay.output.contains("\n1 line resolved\n"))
    #expect(try fixture.database.value("select count(*) from game.receipt") == "2")
    #expect(try fixture.run(["rejects", "replay", "--code", "negative_price"]).exitCode == 0)
    #expect(try !fixture.run(["rejects", "list"]).output.contains("negative_price"))
    #expect(try fixture.run(["rejects", "list", "--all"]).output.contains("resolved"))
    #expect(
      try fixture.run(["rejects", "show", "\(path):2"]).output
        .contains("resolved: loaded by a replay at "))

    // A replay empties the text of a line that it suppresses.
    try fixture.database.execute(
      "update ingest.reject set raw = '' where resolved_at is not null")
    let suppressed = try fixture.run(["rejects", "show", "\(path):2"]).output
    #expect(suppressed.contains("resolved: suppressed by a replay at "))
    #expect(!suppressed.contains("blank") && !suppressed.contains("only the beginning"))
  }

  @Test(arguments: ["list", "export", "replay"])
  func `an empty path or field is a usage error, not every line`(command: String) throws {
    for option in ["--file", "--field"] {
      let result = try fixture.run(["rejects", command, option, ""])
      #expect(result.exitCode == 64, "\(command) \(option)")
      #expect(result.errors.contains("--file and --field must not be empty"))
    }
  }

  @Test func `replay refuses a line whose fault was masked`() throws {
    let good = CommandFixture.receipt(7).dropLast()
    let lines = [
      Array("\(good),\"purchaseToken\":\"SECRET".utf8) + [0xFF, 0x22, 0x7D],
      Array("\(good),\"paymentToken\":tru}".utf8),
      Array("\(good),\"paymentId\":\"purchaseToken=a\\u0000\"}".utf8),
    ]
    let path = try fixture.folder.write("receipt.jsonl", lines.map { $0 + [0x0A] }.joined())
    _ = try fixture.run(["load", path, "--max-rejects", "unlimited"] + CommandFixture.asOf)
    let replay = try fixture.run(["rejects", "replay"])
    #expect(
      replay.exitCode == 3 && replay.output.contains("\n0 lines resolved\n"), "\(replay.output)")
    #expect(try fixture.database.value("select count(*) from game.receipt") == "0")
  }

  @Test func `conflicts list shows kept and refused values, and no token`() throws {
    let path = try load(["--purchase-token", "store"])
    let result = try fixture.run(["conflicts", "list"])
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n").map(words)
    #expect(lines.contains(["receipt", "user_id", "1", "\(path):5"]))
    #expect(lines.contains(["\(path):5", "receipt", #"["p1"]"#, "user_id", "u", "other"]))
    #expect(
      try fixture.run(["conflicts", "list", "--field", "currency"]).output
        .contains("no conflict is open"))
  }

  // MARK: - A database without the schema

  @Test func `each command reports a missing schema`() throws {
    let bare = try CommandFixture(isMigrated: false)
    for arguments in [
      ["rejects", "list"], ["rejects", "show", "a:1"], ["rejects", "export"],
      ["rejects", "replay"], ["conflicts", "list"],
    ] {
      let result = try bare.run(arguments)
      #expect(result.exitCode == 78, "\(arguments)")
      #expect(
        result.errors.contains("has no schema of gamebase-ingest; run gamebase-ingest migrate"))
      #expect(!result.errors.contains("SQLSTATE"))
    }
  }
}
