import Foundation
import TestSupport
import Testing

/// `--format json` of the commands that list.
@Suite(.serialized, .needsServer, .ownDatabase) struct ListFormatTests {
  let fixture: CommandFixture
  let path: String

  init() throws {
    fixture = try CommandFixture()
    path = try fixture.folder.write(
      "receipt.jsonl",
      lines: [
        CommandFixture.receipt(1), CommandFixture.receipt(1).replacing("1.5", with: "2.5"), "{}",
        "{",
        CommandFixture.receipt(1),
      ])
    let failing = try fixture.folder.write("receipt-failing.jsonl", lines: ["{}"])
    try #require(
      try fixture.run(["load", path, "--max-rejects", "unlimited"] + CommandFixture.asOf).exitCode
        == 3)
    try #require(try fixture.run(["load", failing, "--max-rejects", "0"]).exitCode == 4)
  }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let result = try fixture.run(arguments + ["--format", "json"])
    #expect(result.exitCode == 0, "\(result.errors)")
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let document = try #require(parsed as? [String: Any])
    #expect(document["exit_code"] as? Int == 0 && document["version"] is String)
    return document
  }

  private func rows(_ document: [String: Any], _ name: String) throws -> [[String: Any]] {
    try #require(document[name] as? [[String: Any]])
  }

  @Test func `refused lines have numbers, and null for no field`() throws {
    let found = try document("rejects", "list")
    let groups = try rows(found, "groups")
    #expect(groups.map { $0["lines"] as? Int } == [2, 1])
    let lines = try rows(found, "lines")
    #expect(lines.map { $0["status"] as? String } == ["loaded", "loaded", "failed"])
    let broken = try #require(lines.first { $0["code"] as? String == "malformed_json" })
    #expect(broken["field"] is NSNull && broken["line"] as? String == "\(path):4")
    #expect((broken["byte_offset"] as? Int ?? 0) > 0)
  }

  @Test func `conflicts have their key as an array`() throws {
    let conflicts = try rows(try document("conflicts", "list"), "conflicts")
    #expect(conflicts.map { $0["key"] as? [String] } == [["p1"]])
    #expect(conflicts.map { $0["line"] as? String } == ["\(path):2"])
    #expect(try fixture.run(["conflicts", "accept", "--stream", "receipt"]).exitCode == 0)
    let accepted = try rows(try document("conflicts", "list", "--accepted"), "conflicts")
    #expect(accepted.first?["acceptance"] is Int)
    #expect((accepted.first?["accepted_at"] as? String)?.hasSuffix("+00:00") == true)
    #expect(try rows(try document("conflicts", "list"), "groups").isEmpty)
  }

  @Test func `failures have their number and the count of all`() throws {
    let found = try document("failures", "list", "--limit", "0")
    #expect(found["failure_count"] as? Int == 1)
    #expect(try rows(found, "failures").isEmpty)
    #expect(try rows(try document("failures", "list", "--all"), "failures").count == 1)
    #expect(try rows(try document("failures", "list", "--all"), "dismissals").isEmpty)
  }

  @Test func `traces have the line, its records and its possible outcomes`() throws {
    let row = try document("trace", "--stream", "receipt", "p1")
    #expect(try rows(row, "origin").map { $0["line"] as? String } == ["\(path):1"])
    #expect(try rows(row, "conflicts").map { $0["refused"] as? String } == ["250"])
    for name in ["fills", "accepted_values"] { #expect(try rows(row, name).isEmpty) }

    let inserted = try document("trace", "\(path):1")
    #expect(try rows(inserted, "line").map { $0["line_number"] as? Int } == [1])
    #expect(try rows(inserted, "records").map { $0["became"] as? String } == ["inserted"])
    #expect(try rows(inserted, "possible_outcomes").isEmpty)
    let duplicate = try document("trace", "\(path):5")
    #expect(try rows(duplicate, "records").isEmpty)
    #expect(
      try rows(duplicate, "possible_outcomes").map { $0["kind"] as? String } == ["duplicate"])
    #expect(try rows(duplicate, "possible_outcomes").map { $0["line_count"] as? Int } == [1])
  }
}
