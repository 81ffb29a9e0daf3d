import Foundation
import TestSupport
import Testing

/// `rejects export` with the real program, where a case cannot say it.
@Suite(.serialized, .needsServer, .ownDatabase) struct RejectsCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test func `export writes to a pipe or a link, and leaves no partial file on failure`() throws {
    let folder = fixture.folder.path
    let path = try fixture.folder.write(
      "receipt.jsonl",
      lines: [CommandFixture.receipt(1), CommandFixture.receipt(2).replacing("1.5", with: "-2")])
    #expect(try fixture.run(["load", path] + CommandFixture.asOf).exitCode == 3)
    let real = try fixture.folder.write("real.jsonl", lines: ["old"])
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link.jsonl", withDestinationPath: real)
    #expect(try fixture.run(["rejects", "export", "-o", "\(folder)/link.jsonl"]).exitCode == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: real)).count > 80)

    // A destination that is not a regular file is written to, never replaced.
    mkfifo("\(folder)/pipe", 0o600)
    let reader = try Command("/bin/cat").start(["\(folder)/pipe"])
    #expect(try fixture.run(["rejects", "export", "-o", "\(folder)/pipe"]).exitCode == 0)
    #expect(try reader.wait().output.utf8.count > 80)
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
}
