import Foundation
import SHA256
import TestSupport
import Testing

/// Standard input with a name, and files whose bytes the caller knows.
@Suite(.serialized, .needsServer, .ownDatabase) struct StandardInputTests {
  private let fixture: CommandFixture
  private let path: String
  private let sha256: String
  private let byteCount: Int

  init() throws {
    fixture = try CommandFixture()
    path = try fixture.folder.write("piped", lines: [CommandFixture.receipt(1)])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    byteCount = bytes.count
    sha256 = SHA256.digest(of: bytes).map { String(format: "%02x", $0) }.joined()
  }

  private func load(_ arguments: [String], input: String? = nil) throws -> Command.Result {
    try fixture.run(["load"] + arguments + ["--no-refresh"], input: input ?? path)
  }

  @Test func `a name selects the stream, is the path of the ledger, and clears its own failure`()
    throws
  {
    let name = "s3://bucket/a b/receipt-1.jsonl"
    let failed = try load(["-", "--name", name, "--expect-bytes", "5"])
    #expect(failed.exitCode == 5)
    #expect(failed.errors.contains("\(name): has \(byteCount) bytes, and --expect-bytes tells 5"))
    let connection = try TestDatabase.current
    #expect(try connection.value("select path from report.open_failure") == name)
    let result = try load([
      "-", "--name", name, "--expect-bytes", "\(byteCount)", "--expect-sha256", sha256,
    ])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try connection.value("select path from report.open_failure") == nil)
    #expect(try connection.value("select path from ingest.source_file") == name)
  }

  @Test func `other bytes than expected fail, also in a regular file`() throws {
    let other = String(sha256.reversed())
    let named = try load(["-", "--name", "receipt.jsonl", "--expect-sha256", other])
    #expect(named.exitCode == 5)
    #expect(named.errors.contains("does not have the SHA-256 of --expect-sha256"))
    let file = try load([path, "--stream", "receipt", "--expect-sha256", other])
    #expect(file.exitCode == 5)
    #expect(try load([path, "--stream", "receipt", "--expect-sha256", sha256]).exitCode == 0)
  }

  @Test(arguments: [
    (["-", "--name", "unknown.jsonl"], "unknown.jsonl"),
    (["receipt.jsonl", "--name", "receipt.jsonl"], "--name is for standard input"),
    (["-", "--stream", "receipt", "--expect-sha256", "12"], "64 hexadecimal digits"),
  ])
  func `a wrong command line ends with 64`(arguments: [String], message: String) throws {
    let result = try load(arguments)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `expected bytes are those of one file`() throws {
    let folder = "\(fixture.folder.path)/in"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 1...2 {
      try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/receipt-\(number).jsonl")
    }
    let result = try load([folder, "--expect-bytes", "1"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("2 files were found"), "\(result.errors)")
  }
}
