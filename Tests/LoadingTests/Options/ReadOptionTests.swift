import Foundation
import Loading
import RecordPipeline
import TestSupport
import Testing

/// Inputs that need an option, and their time and size limits.
@Suite(.serialized, .needsServer, .ownDatabase) struct ReadOptionTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func options(_ change: (inout ReadOptions) -> Void) -> LoadOptions {
    var options = LoadFixture.options
    change(&options.reading)
    return options
  }

  private func pipe(_ name: String = "receipt-pipe") throws -> String {
    let path = "\(fixture.folder.path)/\(name)"
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  // MARK: - Pipes

  @Test func `a named pipe is read once when the option allows it`() throws {
    let path = try pipe()
    let load = Background { [fixture, options = options { $0.allowsPipes = true }] in
      try fixture.load([path], options: options)
    }
    // Without a writer the load waits and holds no lock.
    let writer = try #require(FileHandle(forWritingAtPath: path))
    try writer.write(contentsOf: Data("\(Lines.receipt())\n".utf8))
    try writer.write(contentsOf: Data(Lines.receipt(["paymentSeq": "\"p2\""]).utf8))
    try writer.close()
    let report = try load.value()
    #expect(report.exitCode == 0)
    #expect(report.files.map(\.inserted) == [2])
  }

  @Test func `a stalled pipe fails after the timeout and releases its locks`() throws {
    let path = try pipe()
    let load = Background {
      [
        fixture,
        options = options {
          $0.allowsPipes = true
          $0.readTimeout = 0.3
        }
      ] in try fixture.load([path], options: options)
    }
    let writer = try #require(FileHandle(forWritingAtPath: path))
    try writer.write(contentsOf: Data("\(Lines.receipt())\n".utf8))
    let report = try load.value()
    #expect(report.exitCode == 5)
    #expect(report.files[0].error == "gave no data for 0.3 s; see --read-timeout")
    try writer.close()
    #expect(try fixture.nothingIsLoaded())
    #expect(
      try fixture.load(lines: [Lines.receipt()]).files.map(\.status) == [.loaded])
  }

  // MARK: - Links

  @Test func `a link found in a folder is refused by name, and a link given by name is followed`()
    throws
  {
    let real = try fixture.folder.write("real/receipt.jsonl", lines: [Lines.receipt()])
    let inbox = try TemporaryFolder()
    let link = "\(inbox.path)/receipt-link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    let loop = "\(inbox.path)/receipt-loop.jsonl"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let gone = "\(inbox.path)/receipt-nowhere.jsonl"
    try FileManager.default.createSymbolicLink(atPath: gone, withDestinationPath: "/nonexistent")

    let refused = try fixture.load([inbox.path])
    #expect(refused.exitCode == 5)
    let isLink =
      "is a symbolic link found in a folder; name it on the command line, or use --follow-symlinks"
    #expect(
      refused.files.map(\.error) == [isLink, "is a loop of symbolic links", isLink])
    #expect(try fixture.nothingIsLoaded())

    let followed = try fixture.load([inbox.path], options: options { $0.followsLinks = true })
    #expect(followed.files.map(\.status) == [.loaded, .failed, .failed])
    #expect(try fixture.load([link]).files.map(\.status) == [.alreadyLoaded])
  }
}
