import Foundation
import Testing

@testable import RecordPipeline

/// Files that may still be written are left to a later run.
struct FileAgeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, seconds: Double) throws {
    let path = try folder.write(name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
  }

  @Test func `a file is postponed until it has the age, and one from the future as well`() throws {
    try write("receipt-1.jsonl", seconds: 940)
    try write("receipt-2.jsonl", seconds: 941)
    try write("receipt-3.jsonl", seconds: 1005)
    var found = try InputDiscovery().inputs([folder.path])
    found.postpone(youngerThan: 60, now: 1000)
    #expect(found.inputs.map(\.path) == ["\(folder.path)/receipt-1.jsonl"])
    #expect(
      found.postponed.map(\.reason) == [
        "was written 59 s ago, and --min-age is 60 s",
        "was written in 5 s by its clock, and --min-age is 60 s",
      ])
  }

  @Test func `failures keep their places between the files that stay`() throws {
    try write("receipt-1.jsonl", seconds: 999)
    try write("receipt-2.jsonl", seconds: 0)
    try write("receipt-levelup.jsonl", seconds: 0)
    var found = try InputDiscovery().inputs([
      folder.path, "\(folder.path)/receipt-1.jsonl", "\(folder.path)/none*",
    ])
    #expect(found.failures.map(\.place) == [2, 3])
    found.postpone(youngerThan: 10, now: 1000)
    #expect(found.inputs.map(\.path) == ["\(folder.path)/receipt-2.jsonl"])
    #expect(found.failures.map(\.place) == [1, 1])
  }

  @Test func `missing files and pipes have no age`() throws {
    #expect(mkfifo("\(folder.path)/receipt-pipe.jsonl", 0o600) == 0)
    var found = try InputDiscovery().inputs([
      "\(folder.path)/receipt-pipe.jsonl", "\(folder.path)/receipt-gone.jsonl",
    ])
    found.postpone(youngerThan: .max, now: 1000)
    #expect(found.inputs.count == 2 && found.postponed.isEmpty)
  }
}
