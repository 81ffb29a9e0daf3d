import Foundation
import Testing

@testable import RecordPipeline

struct InputFileTests {
  private func kind(_ path: String) -> InputFault? {
    do { _ = try InputFile(Input(path: path)) } catch { return error.kind }
    return nil
  }

  @Test func `a file that does not exist is missing`() throws {
    #expect(kind(try TemporaryFolder().path + "/none.jsonl") == .missing)
  }

  @Test func `a folder, a pipe and a device are refused without waiting`() throws {
    let folder = try TemporaryFolder()
    #expect(kind(folder.path) == .notAFile)
    #expect(kind("/dev/null") == .notAFile)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(kind(pipe) == .notAFile)
  }

  @Test func `a cycle of links is refused`() throws {
    let path = try TemporaryFolder().path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createSymbolicLink(
      atPath: path + "/a", withDestinationPath: path + "/a")
    #expect(kind(path + "/a") == .notAFile)
  }

  @Test func `a file that is read completely and does not change is accepted`() throws {
    let folder = try TemporaryFolder()
    let file = try InputFile(Input(path: folder.write("a", Array("abc".utf8))))
    #expect(file.size == 3)
    #expect(try contents(of: file, bufferSize: 2) == Array("abc".utf8))
    try file.checkUnchanged()
    try file.rewind()
    #expect(try contents(of: file) == Array("abc".utf8))
    try file.checkUnchanged()
  }

  @Test func `a file that grows, shrinks or is read only in part is reported as changed`() throws {
    let folder = try TemporaryFolder()
    for text in ["abcd", "ab", "abc"] {
      let path = try folder.write("a", Array("abc".utf8))
      let file = try InputFile(Input(path: path))
      if text != "abc" {
        _ = try contents(of: file)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(text.utf8.count))
      }
      let error = #expect(throws: ReadError.self) { try file.checkUnchanged() }
      #expect(error?.kind == .changed)
    }
  }
}
