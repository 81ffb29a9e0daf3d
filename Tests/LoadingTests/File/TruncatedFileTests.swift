import Foundation
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// Files that end in the middle of a line.
@Suite(.serialized, .needsServer, .ownDatabase) struct TruncatedFileTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func codes() throws -> [[String?]] {
    try fixture.database.rows(
      "select code, field, line_number from ingest.reject order by line_number")
  }

  @Test func `a file cut at any byte of its last line says so, unless the rest is whole`() throws {
    let line = Lines.receipt(["paymentSeq": "\"p2\"", "payload": "\"h\u{E4}t\u{1F600}\""])
    let bytes = Array(line.utf8)
    for count in stride(from: 1, through: bytes.count, by: 3) {
      let fixture = self.fixture
      try fixture.database.execute(
        "delete from ingest.reject; delete from ingest.file_app; delete from ingest.source_file; delete from game.receipt"
      )
      let path = try fixture.folder.write(
        "receipt-\(count).jsonl", Array((Lines.receipt() + "\n").utf8) + bytes.prefix(count))
      let report = try fixture.load([path])
      let isWhole = count == bytes.count
      #expect(report.exitCode == (isWhole ? 0 : 3))
      #expect(try codes() == (isWhole ? [] : [["truncated_line", nil, "2"]]), "\(count)")
    }
  }

  @Test func `only a last line without a line feed is taken for a truncated one`() throws {
    let cut = String(Lines.receipt().dropLast(4))
    _ = try fixture.folder.write("receipt-1.jsonl", "\(Lines.receipt())\n\(cut)\n".utf8)
    _ = try fixture.folder.write("receipt-2.jsonl", "\(cut)\r\n\(Lines.receipt())".utf8)
    _ = try fixture.folder.write("receipt-3.jsonl", "\(Lines.receipt())\n[1]".utf8)
    _ = try fixture.folder.write("receipt-4.jsonl", "\(Lines.receipt())\n{}".utf8)
    _ = try fixture.load([fixture.folder.path])
    #expect(
      try codes().map { $0[0] }.sorted { ($0 ?? "") < ($1 ?? "") }
        == ["malformed_json", "malformed_json", "missing_field", "not_an_object"])
  }

  @Test func `the summary and the report say that a file looks truncated`() throws {
    let path = try fixture.folder.write(
      "receipt.jsonl", "\(Lines.receipt())\n\(Lines.receipt().dropLast(4))".utf8)
    let report = fixture.folder.path + "/report.json"
    let result = try Command.gamebaseIngest.run([
      "load", path, "--no-refresh", "--report", report, "--database", fixture.database.conninfo,
    ])
    #expect(result.exitCode == 3)
    #expect(result.output.contains("\(path) looks truncated"), "\(result.output)")
    #expect(result.output.contains("load the whole one"), "\(result.output)")
    let json = try String(contentsOfFile: report, encoding: .utf8)
    #expect(json.contains(#""looks_truncated" : true"#), "\(json)")
    let checked = try Command.gamebaseIngest.run(["validate", path])
    #expect((checked.output + checked.errors).contains("looks truncated"), "\(checked.output)")
  }

  @Test func `a file whose only line is cut fails, and the message says that it looks truncated`()
    throws
  {
    let path = try fixture.folder.write("receipt.jsonl", Lines.receipt().dropLast(4).utf8)
    var options = LoadFixture.options
    options.rejectLimit = .standard
    let report = try fixture.load([path], options: options)
    #expect(report.exitCode == 4)
    #expect(report.files.first?.error?.contains("looks truncated") == true)
    #expect(report.files.first?.errorDetail?["looks_like"] == "truncated")
  }

  @Test func `a truncated line is refused again by a replay, and keeps no token`() throws {
    _ = try fixture.folder.write(
      "receipt.jsonl",
      "\(Lines.receipt())\n{\"purchaseToken\":\"SECRETTOKEN\",\"userId\":\"u1\",".utf8)
    _ = try fixture.load([fixture.folder.path])
    let report = try RejectReplay(
      RejectFilter(), options: LoadFixture.options, target: fixture.database.target
    ).replay()
    #expect(report.files.map(\.refused) == [1])
    #expect(try codes() == [["truncated_line", nil, "2"]])
    #expect(
      try fixture.database.value(
        "select position('SECRET' in encode(raw, 'escape')) from ingest.reject") == "0")
  }

  @Test func `the whole file that comes later loads the rest`() throws {
    let lines = (1...3).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }.joined(separator: "\n")
    _ = try fixture.load([try fixture.folder.write("receipt.jsonl", lines.dropLast(9).utf8)])
    let report = try fixture.load([try fixture.folder.write("receipt.jsonl", lines.utf8)])
    #expect(report.exitCode == 0)
    #expect(report.files.first?.duplicates == 2 && report.files.first?.inserted == 1)
  }
}
