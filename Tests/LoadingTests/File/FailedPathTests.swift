import Foundation
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// A failure belongs to a file, however its path is written.
@Suite(.serialized, .needsServer, .ownDatabase) struct FailedPathTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private var strict: LoadOptions {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    return options
  }

  /// The ways to write one path: absolute, relative to the current folder, with empty and superfluous
  /// parts, and through a link to the folder.
  private func spellings(of name: String) throws -> [String] {
    let folder = fixture.folder.path
    let link = folder + "-link"
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    return [
      "\(folder)/\(name)",
      String(repeating: "../", count: depth) + folder.dropFirst() + "/\(name)",
      "\(folder)//./\(name)", "\(folder)/../\((folder as NSString).lastPathComponent)/\(name)",
      "\(link)/\(name)",
    ]
  }

  private func openFailures() throws -> String? {
    try fixture.database.value("select count(*) from ingest.failed_file")
  }

  @Test func `a failure under one spelling of a path ends with a load under another`() throws {
    for failing in 0..<5 {
      for loading in 0..<5 {
        let name = "receipt-\(failing)-\(loading).jsonl"
        let paths = try spellings(of: name)
        try fixture.folder.write(name, lines: [Lines.receipt(), "x"])
        #expect(try fixture.load([paths[failing]], options: strict).exitCode == 4)
        #expect(try openFailures() == "1")
        try fixture.folder.write(
          name, lines: [Lines.receipt(["paymentSeq": "\"\(failing)-\(loading)\""])])
        #expect(try fixture.load([paths[loading]], options: strict).exitCode == 0)
        #expect(try openFailures() == "0", "\(paths[failing]), then \(paths[loading])")
      }
    }
    try? FileManager.default.removeItem(atPath: fixture.folder.path + "-link")
  }

  @Test func `small files that share a transaction clear failures of other spellings`() throws {
    let names = (1...3).map { "receipt-\($0).jsonl" }
    for name in names { try fixture.folder.write(name, lines: ["x"]) }
    let relative = try names.map { try spellings(of: $0)[1] }
    _ = try fixture.load(relative, options: strict)
    #expect(try openFailures() == "3")
    for (number, name) in names.enumerated() {
      try fixture.folder.write(name, lines: [Lines.receipt(["paymentSeq": "\"\(number)\""])])
    }
    #expect(try fixture.load([fixture.folder.path], options: strict).exitCode == 0)
    #expect(try openFailures() == "0")
    // A file that is loaded already, and fails meanwhile with other bytes, is settled by its path.
    try fixture.folder.write(names[0], lines: ["y"])
    _ = try fixture.load([relative[0]], options: strict)
    try fixture.folder.write(names[0], lines: [Lines.receipt(["paymentSeq": "\"0\""])])
    #expect(try fixture.load([fixture.folder.path], options: strict).exitCode == 0)
    #expect(try openFailures() == "0")
  }

  @Test func `attempts add up over the spellings of a path`() throws {
    let paths = try spellings(of: "receipt-1.jsonl")
    try fixture.folder.write("receipt-1.jsonl", lines: ["x"])
    for path in [paths[0], paths[1], paths[4]] {
      #expect(try fixture.load([path], options: strict).exitCode == 4)
    }
    #expect(
      try fixture.database.rows(
        """
        select attempt_count, error_code, first_failed_at < failed_at, path from ingest.failed_file
        """) == [["3", "4", "t", paths[4]]])
    try? FileManager.default.removeItem(atPath: fixture.folder.path + "-link")
  }

  @Test func `a file that is missing under two spellings is one failure`() throws {
    for path in try spellings(of: "late/receipt-1.jsonl") {
      #expect(try fixture.load([path]).exitCode == 5)
    }
    #expect(try openFailures() == "1")
    try fixture.folder.write("late/receipt-1.jsonl", lines: [Lines.receipt()])
    #expect(try fixture.load([fixture.folder.path]).exitCode == 0)
    #expect(try openFailures() == "0")
    try? FileManager.default.removeItem(atPath: fixture.folder.path + "-link")
  }

  @Test func `files of one name in two folders fail and load apart`() throws {
    for folder in ["a", "b"] {
      try fixture.folder.write("\(folder)/receipt.jsonl", lines: ["\(folder)"])
      _ = try fixture.load(["\(fixture.folder.path)/\(folder)/receipt.jsonl"], options: strict)
    }
    #expect(try openFailures() == "2")
    try fixture.folder.write("a/receipt.jsonl", lines: [Lines.receipt()])
    #expect(
      try fixture.load(["\(fixture.folder.path)/a/receipt.jsonl"], options: strict).exitCode == 0)
    #expect(
      try fixture.database.value("select path from ingest.failed_file")
        == "\(fixture.folder.path)/b/receipt.jsonl")
  }

  @Test(
    arguments: [
      "s3:///receipt.jsonl", "S3://bucket/receipt-*.jsonl", "s3://user@bucket/receipt.jsonl",
      "gs://bucket/receipt.json",
      "http://host/receipt.jsonl", "https://host/receipt.jsonl", "file:///data/receipt.jsonl",
      "abfss://c@a/receipt.jsonl.gz", "svn+ssh://host/receipt.jsonl",
    ], [nil, "receipt"] as [String?])
  func `a path with a scheme is a usage error that leaves nothing`(path: String, stream: String?)
    throws
  {
    let report = fixture.folder.path + "/report.json"
    let good = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    let result = try Command.gamebaseIngest.run(
      [
        "load", good, path, "--no-refresh", "--report", report, "--database",
        fixture.database.conninfo,
      ]
        + (stream.map { ["--stream", $0] } ?? []))
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(path) && result.errors.contains("local"), "\(result.errors)")
    let json = try String(contentsOfFile: report, encoding: .utf8)
    #expect(json.contains(#""error_code" : "path_not_local""#), "\(json)")
    #expect(try openFailures() == "0")
    #expect(try fixture.nothingIsLoaded())
  }
}
