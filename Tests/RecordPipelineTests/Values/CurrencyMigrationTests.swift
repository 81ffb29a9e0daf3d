import Foundation
import RecordPipeline
import Testing

/// The currencies are in Swift for loading and in SQL for reports, and both lists must be equal.
struct CurrencyMigrationTests {
  @Test func `the migration inserts the rows of the Swift table`() throws {
    // Code, digits and days; the name and the kind are in the migration alone.
    let inserted = try Self.migrationLines().filter { $0.hasPrefix("  ('") }.map { line in
      let values = line.dropFirst(3).dropLast(2).components(separatedBy: ", ")
      return
        "\(line.dropFirst(4).prefix(3)) \(([4, 2, 1].map { values[values.count - $0] }).joined(separator: " "))"
    }
    let expected = CurrencyTable.all.map(Self.row)
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
    let days = [currency.firstDay, currency.lastDay].map { day in
      let time = day.map { Int64($0.daysSinceEpoch) * NormalizationRules.millisecondsPerDay }
      return time.map { "'\(calendarDay($0))'" } ?? "null"
    }
    return "\(currency.code) \(currency.minorUnit.map(String.init) ?? "null") \(days[0]) \(days[1])"
  }
}
