import Loading
import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct RejectTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private static let good = Lines.receipt()
  private static func bad(_ count: Int) -> [String] {
    (0..<count).map { #"{"userId":"u","n":\#($0)}"# }
  }
  private static func good(_ count: Int) -> [String] {
    (0..<count).map { Lines.receipt(["paymentSeq": "\"p\($0)\""]) }
  }

  @Test func `a refused line is kept with its place, its reason and its bytes`() throws {
    let token = "tok-1234"
    let lines = [
      "\u{FEFF}" + Self.good, "", #"{"userId":"u1""#, Lines.receipt(["userId": "\"0\""]) + "\r",
      Lines.receipt(["price": "-5", "purchaseToken": "\"\(token)\""]),
      Lines.receipt(["paymentSeq": nil]), "[1]",
      #"{"purchaseToken":"\#(token)","userId":}"#, "{\"payload\":\"日本",
    ]
    let report = try fixture.load(lines: lines)
    let file = try #require(report.files.first)
    #expect(report.exitCode == 3)
    #expect([file.lines, file.inserted, file.rejected, file.blank] == [9, 1, 7, 1])

    let rejects = try fixture.database.rows(
      """
      select line_number, byte_offset, code, field, stream, source_file_id, resolved_at,
        raw_byte_count from ingest.reject order by reject_id
      """)
    let codes: [(line: Int, code: String, field: String?)] = [
      (3, "malformed_json", nil), (4, "not_logged_in", "userId"), (5, "negative_price", "price"),
      (6, "missing_field", "paymentSeq"), (7, "not_an_object", nil), (8, "malformed_json", nil),
      (9, "malformed_json", nil),
    ]
    let expected: [[String?]] = codes.map { line, code, field in
      let offset = lines[..<(line - 1)].map { $0.utf8.count + 1 }.reduce(0, +)
      // A CR before the line break is not part of the line.
      let size = lines[line - 1].utf8.count - (lines[line - 1].hasSuffix("\r") ? 1 : 0)
      return ["\(line)", "\(offset)", code, field, "receipt", "1", nil, "\(size)"]
    }
    #expect(rejects == expected)

    let raw = try fixture.database.rows(
      "select convert_from(raw, 'UTF8') from ingest.reject order by reject_id"
    ).compactMap { $0[0] }
    #expect(raw.count == 7)
    #expect(raw.first == lines[2])
    #expect(raw.last == lines[8])
    let digest = try #require(
      try fixture.database.value(
        "select encode(sha256($1::bytea), 'hex')", [.bytes(Array(token.utf8))]))
    #expect(raw[2].contains(#""purchaseToken":"sha256:\#(digest)""#))
    for line in raw { #expect(!line.contains(token)) }
    let reasons = try fixture.database.rows("select reason from ingest.reject").compactMap { $0[0] }
    #expect(reasons.allSatisfy { !$0.isEmpty && !$0.contains(token) })
  }

  @Test func `bytes that are not text are kept unchanged`() throws {
    let path = try fixture.folder.write(
      "receipt.jsonl", Array(#"{"userId":""#.utf8) + [0xFF, 0xC3] + Array("\"}\n".utf8))
    #expect(try fixture.load([path]).files.first?.rejected == 1)
    let rows = try fixture.database.rows("select code, encode(raw, 'hex') from ingest.reject")
    #expect(rows.first?[0] == "invalid_utf8")
    #expect(rows.first?[1] == "7b22757365724964223a22ffc3227d")
  }

  @Test func `the first 64 KiB of a long line are kept`() throws {
    let line = #"{"a":""# + String(repeating: "x", count: 100_000) + #""}"#
    #expect(try fixture.load(lines: [line]).files.first?.rejected == 1)
    #expect(
      try fixture.database.rows(
        "select code, octet_length(raw), raw_byte_count from ingest.reject")
        == [["missing_field", "65536", "\(line.utf8.count)"]])
  }

  @Test(arguments: [
    (RejectLimit.standard, 100, 1, false), (.standard, 101, 1, true), (.standard, 100, 0, true),
    (.standard, 1, 0, true), (.count(5), 5, 0, true), (.percentage(100), 5, 0, true),
    (.standard, 101, 9_999, false),
    (.count(2), 2, 1, false), (.count(2), 3, 1, true), (.count(0), 0, 1, false),
    (.count(0), 1, 1, true), (.percentage(50), 2, 2, false), (.percentage(50), 3, 2, true),
    (.unlimited, 200, 0, false),
  ])
  func `more rejects than the limit fail the file`(
    limit: RejectLimit, bad: Int, good: Int, fails: Bool
  ) throws {
    var options = LoadFixture.options
    options.rejectLimit = limit
    let report = try fixture.load(lines: Self.bad(bad) + Self.good(good), options: options)
    let file = try #require(report.files.first)
    guard fails else {
      #expect(report.exitCode == (bad > 0 ? 3 : 0))
      #expect(file.status == .loaded)
      #expect([file.rejected, file.inserted] == [bad, good])
      #expect(try fixture.database.value("select count(*) from ingest.reject") == "\(bad)")
      return
    }
    #expect(report.exitCode == 4)
    #expect(file.status == .failed)
    #expect([file.lines, file.inserted, file.rejected] == [0, 0, 0])
    #expect(file.error?.contains("--max-rejects") == true)
    #expect(try fixture.nothingIsLoaded())
  }

  @Test func `a file above the limit stays recorded as failed until it loads`() throws {
    let lines = Self.bad(1200) + Self.good(3)
    let path = try fixture.folder.write("receipt.jsonl", lines: lines)
    var options = LoadFixture.options
    options.rejectLimit = .standard
    let failed = try fixture.load([path], options: options)
    #expect(failed.exitCode == 4)
    let failure = try fixture.database.rows(
      """
      select load_id, stream, path, encode(sha256, 'hex'), reason, line_count, rejected_count,
        byte_count from ingest.failed_file
      """)
    let size = lines.map { $0.utf8.count + 1 }.reduce(0, +)
    #expect(
      failure == [
        [
          "1", "receipt", path, failed.files[0].sha256, failed.files[0].error, "1203", "1200",
          "\(size)",
        ]
      ])
    #expect(
      try fixture.database.rows(
        """
        select count(*), min(line_number), max(line_number), min(code), max(code),
          bool_and(raw = convert_to('{"userId":"u","n":' || line_number - 1 || '}', 'UTF8'))
          from ingest.failed_reject
        """) == [["1000", "1", "1000", "missing_field", "missing_field", "t"]])

    // A second failure replaces the first.
    _ = try fixture.load([path], options: options)
    #expect(try fixture.database.rows("select load_id from ingest.failed_file") == [["2"]])
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "1000")

    // Loading the same bytes under another name ends the failure too.
    let renamed = try fixture.folder.write("receipt-2.jsonl", lines: lines)
    #expect(try fixture.load([renamed]).exitCode == 3)
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "0")
  }

  @Test func `a failure record ends when the same bytes are already loaded`() throws {
    let lines = Self.good(2)
    let path = "\(fixture.folder.path)/receipt.jsonl"
    #expect(try fixture.load([path]).exitCode == 5)
    _ = try fixture.load(lines: lines, as: "receipt-2.jsonl")
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "1")
    try fixture.folder.write("receipt.jsonl", lines: lines)
    #expect(try fixture.load([path]).files.map(\.status) == [.alreadyLoaded])
    #expect(try fixture.database.value("select count(*) from ingest.failed_file") == "0")
  }

  @Test func `a small file with a limit of zero fails at its first bad line`() throws {
    var options = LoadFixture.options
    options.rejectLimit = .count(0)
    let report = try fixture.load(lines: Self.good(1) + Self.bad(1), options: options)
    #expect(report.exitCode == 4)
    // The file was not read to its end.
    #expect(report.files[0].sha256 == nil)
    #expect(try fixture.database.value("select count(*) from ingest.failed_reject") == "1")
  }
}
