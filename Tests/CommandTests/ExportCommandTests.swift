import Foundation
import TestSupport
import Testing

/// The command `export`: the bytes of a view's rows, and what it refuses.
@Suite(.serialized, .needsServer, .ownDatabase) struct ExportCommandTests {
  private let fixture: CommandFixture

  /// Each character that COPY's text form or a spreadsheet treats in its own way.
  private static let hostile = "=a\\b\\n \"q\" 'x', \n\t\r{\u{1}\u{2}한글}"

  init() throws {
    fixture = try CommandFixture()
    let name = String(decoding: try JSONEncoder().encode(Self.hostile), as: UTF8.self)
    try fixture.folder.write(
      "item.jsonl",
      lines: [
        #"{"gamebaseProductId":"vip","marketItemId":"vip","itemSeq":1,"price":9.99,"currency":"USD","#
          + #""itemName":\#(name),"isActive":true,"storeCode":"GG","eventTime":1751328000000}"#
      ])
    try fixture.folder.write(
      "receipt.jsonl",
      lines: (0..<3).map { day in
        #"{"userId":"u","paymentSeq":"p\#(day)","price":90071992547409.93,"currency":"USD","#
          + #""gamebaseProductId":"vip","storeCode":"GG","isTestPurchase":false,"#
          + #""purchaseTime":\#(1_751_328_000_000 + day * 86_400_000)}"#
      })
    let load = try fixture.run([
      "load", "--app-id", "game-1", "\(fixture.folder.path)/item.jsonl",
      "\(fixture.folder.path)/receipt.jsonl",
    ])
    try #require(load.exitCode == 0, "\(load.errors)")
  }

  private func export(_ arguments: [String]) throws -> String {
    let result = try fixture.run(["export"] + arguments)
    try #require(result.exitCode == 0, "\(result.errors)")
    return result.output
  }

  @Test func `JSON lines keep every character, and every digit of an amount`() throws {
    let items = try export(["current_item", "--format", "jsonl"])
    #expect(items.hasSuffix("}\n") && items.filter { $0 == "\n" }.count == 1)
    let item = try #require(
      JSONSerialization.jsonObject(with: Data(items.utf8)) as? [String: Any])
    let names = item.values.compactMap { $0 as? String }
    // The loader stores control characters as the characters of the replacement.
    #expect(
      names.contains { $0.hasPrefix("=a\\b\\n \"q\" 'x', ") && $0.hasSuffix("한글}") }, "\(names)")
    let days = try export(["revenue_by_day", "--format", "jsonl"])
    #expect(days.contains(#""amount":90071992547409.93"#), "\(days)")
  }

  @Test func `CSV has the columns, quotes texts, and can hide formulas`() throws {
    let days = try export(["report.revenue_by_day"]).split(separator: "\n")
    #expect(days[0].hasPrefix("day,app_id,"))
    #expect(days[1...].filter { $0.contains("90071992547409.93") }.count == 3, "\(days)")
    let plain = try export(["current_item"])
    #expect(plain.contains(#""=a\b\n ""q"" 'x'"#), "\(plain)")
    let escaped = try export(["current_item", "--escape-formulas"])
    #expect(escaped.contains(#""'=a\b\n ""q"" 'x'"#), "\(escaped)")
  }

  @Test func `a file has the bytes of standard output`() throws {
    let path = "\(fixture.folder.path)/days.csv"
    #expect(try export(["revenue_by_day", "--output", path]).isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == export(["revenue_by_day"]))
  }

  @Test func `days select rows of the view's column of days`() throws {
    let rows = try export([
      "revenue_by_day", "--since", "2025-07-02", "--until", "2025-07-02", "--format", "jsonl",
    ])
    let days = rows.split(separator: "\n")
    #expect(!days.isEmpty && days.allSatisfy { $0.contains(#""day":"2025-07-02""#) }, "\(rows)")
    let months = try export(["payer_concentration", "--until", "2025-06-30"])
    #expect(months.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (["revenue_by_dy"], "nearest: revenue_by_day"),
    (["player;drop table x"], #"no view player;drop table x"#),
    (["app", "--since", "2025-07-01"], "report.app has no column of days"),
    (["revenue_by_day", "--since", "2025-02-30"], "--since must be a day"),
    (["revenue_by_day", "--output", "days.csv.gz"], "--output does not compress"),
    (["revenue_by_day", "--format", "jsonl", "--escape-formulas"], "--escape-formulas is for CSV"),
  ])
  func `a wrong command line ends with 64`(arguments: [String], message: String) throws {
    let result = try fixture.run(["export"] + arguments)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `a file that cannot be written ends with 74 and keeps the old one`() throws {
    let path = "\(fixture.folder.path)/missing/days.csv"
    let result = try fixture.run(["export", "revenue_by_day", "--output", path])
    #expect(result.exitCode == 74)
    let full = try fixture.run(["export", "revenue_by_day", "--output", "/dev/full"])
    #expect(full.exitCode == 74, "\(full.errors)")
  }
}
