import Foundation
import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// A file that cannot be read fails alone.
@Suite(.serialized, .needsServer, .ownDatabase) struct FileFaultTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func gzipped(_ name: String, _ lines: [String]) throws -> [UInt8] {
    let path = try fixture.folder.write(name, lines: lines)
    let result = try Command("/bin/sh").run(["-c", "gzip -f '\(path)'"])
    try #require(result.exitCode == 0)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
  }

  private static func lines(_ prefix: String, _ count: Int = 300) -> [String] {
    (0..<count).map { Lines.receipt(["paymentSeq": "\"\(prefix)\($0)\""]) }
  }

  @Test func `missing, truncated and corrupt files fail alone and are named`() throws {
    let whole = try gzipped("receipts/receipt-2.jsonl", Self.lines("b"))
    var corrupt = whole
    corrupt[whole.count - 6] ^= 1
    let paths = [
      try fixture.folder.write("receipts/receipt-1.jsonl", lines: Self.lines("a", 3)),
      "\(fixture.folder.path)/receipts/receipt-gone.jsonl",
      try fixture.folder.write("receipts/receipt-cut.jsonl.gz", whole.dropLast(20)),
      try fixture.folder.write("receipts/receipt-corrupt.jsonl.gz", corrupt),
      try fixture.folder.write("receipts/receipt-empty.jsonl.gz", []),
      fixture.folder.path + "/receipts/receipt-2.jsonl.gz",
    ]
    let report = try fixture.load(paths)
    #expect(report.exitCode == 5)
    #expect(report.files.map(\.path) == paths)
    #expect(
      report.files.map(\.status) == [.loaded, .failed, .failed, .failed, .failed, .loaded])
    #expect(report.files.map { $0.error == nil } == [true, false, false, false, false, true])
    #expect(report.files[1].error == "does not exist")
    #expect(try fixture.factCount() == 303)
    let stories = try fixture.database.rows(
      "select path, reason from ingest.failed_file order by kind desc, failed_file_id")
    #expect(stories == report.files[1...4].map { [$0.path, $0.error] })
  }

  @Test func `a folder, a pipe and an unreadable file are refused by kind`() throws {
    let pipe = "\(fixture.folder.path)/receipt-pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let device = try fixture.load([pipe, "/dev/null"], stream: "receipt")
    #expect(device.exitCode == 5)
    #expect(
      device.files.map(\.error)
        == [
          "is not a regular file but a pipe, which is read as standard input: load - --name NAME < PIPE",
          "is not a regular file but a device",
        ])
  }

  @Test func `with fail-fast the files after the first failure are not reached`() throws {
    let corrupt = "\(fixture.folder.path)/receipt-2.jsonl.gz"
    try Data([0x1F, 0x8B, 8, 0]).write(to: URL(fileURLWithPath: corrupt))
    let paths = [
      try fixture.folder.write("receipt-1.jsonl", lines: Self.lines("a", 2)), corrupt,
      try fixture.folder.write("receipt-3.jsonl", lines: Self.lines("c", 2)),
    ]
    var options = LoadFixture.options
    options.failFast = true
    var report = try fixture.load(paths, options: options)
    #expect(report.exitCode == 5)
    #expect(report.files.map(\.status) == [.loaded, .failed, .failed])
    #expect(report.files[2].error == "not reached: --fail-fast stopped the run at \(paths[1])")
    #expect(try fixture.factCount() == 2)
    report = try fixture.load(paths)
    #expect(report.files.map(\.status) == [.alreadyLoaded, .failed, .loaded])
  }

  @Test func `the worst exit code of a run wins`() throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    let paths = [
      try fixture.folder.write(
        "receipt-1.jsonl", lines: [Lines.receipt(), Lines.receipt(["userId": "\"u2\""])]),
      try fixture.folder.write("receipt-2.jsonl", lines: ["{}"]),
    ]
    #expect(try fixture.load([paths[0]], options: options).exitCode == 3)
    #expect(try fixture.load(paths, options: options).exitCode == 4)
    #expect(
      try fixture.load(paths + ["\(fixture.folder.path)/receipt-gone.jsonl"], options: options)
        .exitCode == 5)
    #expect(
      try fixture.database.rows("select exit_code from ingest.load order by load_id")
        == [["3"], ["4"], ["5"]])
  }
}

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
    let file = try InputFile(path: path)
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
    let file = try InputFile(path: path)
    _ = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<3]))
    #expect(throws: ReadError.self) { try file.checkUnchanged() }
    try file.rewind()
    while try file.read(into: buffer) > 0 {}
    try file.checkUnchanged()
  }
}
