import Foundation
import RecordPipeline
import Testing

/// The fixture of each stream, `Tests/Fixtures/<stream>/`, line by line.
///
/// The member `case` of a line states the case that it tests: the kind of value, named as in
/// docs/data-contract.md, and after a colon the special feature of its value. No stream knows this
/// member. It therefore appears in `extra` or in the raw bytes of a reject, beside the line's
/// outcome.
///
/// `RECORD=1` in the environment rewrites the expected files. Review the difference by hand: an
/// expected value follows from the contract, not from the program's behavior.
struct GoldenTests {
  private static let fixtures: URL = {
    var tests = URL(filePath: #filePath)
    for _ in 0..<3 { tests.deleteLastPathComponent() }
    return tests.appending(path: "Fixtures")
  }()

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `a stream's fixture decodes as recorded`(name: String) throws {
    let stream = try #require(StreamCatalog.stream(named: name))
    let folder = Self.fixtures.appending(path: name)
    let input = try Data(contentsOf: folder.appending(path: "input.jsonl"))
    let reading = try Reading(ChunkedSource(Array(input), sizes: [4096]), as: stream)
    try compare(Self.rows(reading), with: folder.appending(path: "rows.expected"))
    try compare(Self.rejects(reading), with: folder.appending(path: "rejects.expected"))
  }

  @Test(arguments: StreamCatalog.all.map(\.name))
  func `every line of a fixture states its case`(name: String) throws {
    let input = try Data(
      contentsOf: Self.fixtures.appending(path: name).appending(path: "input.jsonl"))
    var unexplained: [String] = []
    for line in Array(input).split(separator: 0x0A) {
      let text = String(decoding: line, as: UTF8.self)
      // Only an object can hold the member.
      if text.contains("{\""), !text.contains("case") { unexplained.append(text) }
    }
    // One line per stream shows that a line without other members has no `extra`.
    #expect(unexplained.count == 1, "\(unexplained)")
  }

  private func compare(_ actual: [String], with file: URL) throws {
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data((actual.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    // The expectation shows only the differences, because whole files would be unreadable.
    for (actual, expected) in zip(actual, expected) { #expect(actual == expected) }
    #expect(actual.count == expected.count)
  }

  private static func rows(_ reading: Reading) -> [String] {
    let totals = reading.totals
    return reading.rows.map { row in
      let isKnown = reading.possiblyKnown.contains(row["line_number"] ?? "")
      return "\(isKnown ? "perhaps" : "new") \(row.description)"
    } + reading.embedded.map { "embedded \($0.description)" } + [
      "months " + reading.months.sorted().map(String.init).joined(separator: " "),
      "totals lines=\(totals.lineCount) blank=\(totals.blankCount) "
        + "rejected=\(totals.rejectedCount) bytes=\(totals.byteCount) sha256=\(hex(totals.sha256))",
    ]
  }

  private static func rejects(_ reading: Reading) -> [String] {
    reading.rejects.map { reject in
      let rejection = reject.rejection
      return "line=\(reject.lineNumber) offset=\(reject.byteOffset) bytes=\(reject.rawByteCount) "
        + "code=\(rejection.code.rawValue) field=\(rejection.field ?? "NULL") "
        + "reason=\"\(rejection.reason)\" raw=\"\(escaped(reject.raw))\""
    }
  }

  // MARK: - Every code is reached

  /// For each reject code that needs a line too large for a fixture, such a line.
  private static let largeLines: [RejectCode: String] = [
    .lineTooLong: receipt(["x": "\"\(String(repeating: "x", count: 16 * 1024 * 1024))\""]),
    .textTooLong: receipt(["payload": "\"\(String(repeating: "x", count: 1024 * 1024 + 1))\""]),
  ]

  @Test func `a fixture, or a line too large for one, reaches every reject code`()
    throws
  {
    var reached: Set<String> = []
    for (code, line) in Self.largeLines {
      let actual = try rejection(line).code
      #expect(actual == code)
      reached.insert(actual.rawValue)
    }
    for stream in StreamCatalog.all {
      let file = Self.fixtures.appending(path: "\(stream.name)/rejects.expected")
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /code=([a-z_0-9]+)/) { reached.insert(String(match.1)) }
    }
    #expect(RejectCode.allCases.map(\.rawValue).filter { !reached.contains($0) } == [])
  }

  @Test func `no expected reject shows a secret`() throws {
    for stream in StreamCatalog.all {
      let file = Self.fixtures.appending(path: "\(stream.name)/rejects.expected")
      #expect(try !String(contentsOf: file, encoding: .utf8).contains("SECRET"))
      let rows = Self.fixtures.appending(path: "\(stream.name)/rows.expected")
      #expect(try !String(contentsOf: rows, encoding: .utf8).contains("SECRET"))
    }
  }
}
