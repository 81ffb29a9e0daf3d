import Foundation
import RecordPipeline
import TestSupport
import Testing

/// A file that changes while it is read.
struct ChangingFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let buffer: UnsafeMutableRawBufferPointer

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("a", lines: ["one", "two"])
    buffer = .allocate(byteCount: 4096, alignment: 8)
  }

  private func isUnchanged(after change: () throws -> Void) throws -> Bool {
    defer { buffer.deallocate() }
    let file = try InputFile(Input(path: path))
    while try file.read(into: buffer) > 0 {}
    try change()
    do throws(ReadError) {
      try file.checkUnchanged()
      return true
    } catch {
      #expect(error.kind == .changed)
      return false
    }
  }

  private func write(_ text: String, at offset: UInt64) throws {
    guard let handle = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test func `an unmodified file is unchanged`() throws {
    let isUnchanged = try isUnchanged {}
    #expect(isUnchanged)
  }

  @Test func `a file that grows has changed`() throws {
    let isUnchanged = try isUnchanged { try write("three\n", at: 8) }
    #expect(!isUnchanged)
  }

  @Test func `a file that shrinks has changed`() throws {
    let isUnchanged = try isUnchanged { truncate(path, 2) }
    #expect(!isUnchanged)
  }

  @Test func `a file with other bytes of the same length has changed`() throws {
    let isUnchanged = try isUnchanged {
      try write("uno", at: 0)
      // The modification time that a later writer would set.
      let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 2_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, times, 0)
    }
    #expect(!isUnchanged)
  }

  @Test func `a partly read file is not taken as complete`() throws {
    defer { buffer.deallocate() }
    let file = try InputFile(Input(path: path))
    _ = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<3]))
    #expect(throws: ReadError.self) { try file.checkUnchanged() }
    try file.rewind()
    while try file.read(into: buffer) > 0 {}
    try file.checkUnchanged()
  }
}
