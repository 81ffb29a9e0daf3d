import Foundation
import RecordPipeline
import Testing

/// The currencies are in Swift for loading and in SQL for reports, and both lists must be equal.
struct CurrencyMigrationTests {
  @Test func `the migration inserts the rows of the Swift table`() throws {
    let lines = try Self.migrationLines().filter { $0.hasPrefix("  ('") }
    // Without the comma or semicolon behind it.
    let inserted = lines.map { String($0.dropLast()) }
    let expected = CurrencyTable.iso4217.all.map(Self.row)
    // The expectation shows only the rows that differ, because all 240 would be unreadable.
    let missing = Set(expected).subtracting(inserted).sorted()
    let surplus = Set(inserted).subtracting(expected).sorted()
    let isSameOrder = inserted == expected
    #expect(missing == [])
    #expect(surplus == [])
    #expect(isSameOrder)
    #expect(!expected.isEmpty)
    // The order of `row`.
    #expect(
      try Self.migrationLines().contains(
        "insert into game.currency (currency, name, minor_unit, kind, valid_from, valid_until)"))
  }

  @Test func `the migration allows every currency kind`() throws {
    let kinds = Currency.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let lines = try Self.migrationLines()
    #expect(lines.contains { $0.contains("check (kind in (\(kinds)))") })
  }

  /// The part of the migration that creates and fills the table of currencies.
  private static func migrationLines() throws -> [String] {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let file = root.appending(path: "sql/migrations/20261130000002_create_reference_data.sql")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "create table game.currency ("))
    let insert = try #require(text.range(of: "insert into game.currency"))
    let end = try #require(text.range(of: "');\n", range: insert.upperBound..<text.endIndex))
    return text[start.lowerBound..<end.upperBound].components(separatedBy: "\n")
  }

  private static func row(_ currency: Currency) -> String {
    let columns = [
      quoted(currency.code),
      quoted(currency.name),
      currency.minorUnit.map(String.init) ?? "null",
      quoted(currency.kind.rawValue),
      currency.firstDay.map(date) ?? "null",
      currency.lastDay.map(date) ?? "null",
    ]
    return "  (" + columns.joined(separator: ", ") + ")"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
  }

  private static func date(_ day: CalendarDay) -> String {
    quoted(String(format: "%04d-%02d-%02d", day.year, day.month, day.day))
  }
}
