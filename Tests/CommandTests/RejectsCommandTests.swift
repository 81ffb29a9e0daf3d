import Foundation
import TestSupport
import Testing

/// `rejects` and `explain` with the real program, where a case cannot say it.
@Suite(.serialized, .needsServer, .ownDatabase) struct RejectsCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private static let negative =
    #"{"userId":"u","paymentSeq":"n1","purchaseTime":1751328000000,"price":-2,"currency":"USD","#
    + #""purchaseToken":"SECRET"}"#
  /// Not UTF-8, except for the token.
  private static let notUTF8 = Array(#"{"paymentToken":"SECRET","x":"a"#.utf8) + [0xFF, 0x22, 0x7D]

  private func load() throws -> String {
    let lines: [[UInt8]] = [
      Array(CommandFixture.receipt(1).utf8), Array(Self.negative.utf8), Self.notUTF8,
      Array("{}".utf8),
    ]
    let path = try fixture.folder.write(
      "receipt:1%,é'.jsonl", lines.map { $0 + [0x0A] }.joined())
    let result = try fixture.run(
      ["load", path, "--max-rejects", "unlimited"] + CommandFixture.asOf)
    try #require(result.exitCode == 3, "\(result.errors)")
    return path
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

  // MARK: - replay

  @Test func `show tells what a replay did to a line`() throws {
    let path = try load()
    try fixture.database.execute(
      "update ingest.reject set raw = convert_to(replace(convert_from(raw, 'UTF8'), ':-2,', ':2,'), 'UTF8') where code = 'negative_price'"
    )
    #expect(try fixture.run(["rejects", "replay"]).exitCode == 3)
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
}
