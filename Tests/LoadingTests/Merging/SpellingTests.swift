import Foundation
import Loading
import RecordPipeline
import TestSupport
import Testing

/// One receipt in the spellings of all SDKs and server interfaces, from the fixture's first lines.
@Suite(.serialized, .needsServer, .ownDatabase) struct SpellingTests {
  /// The lines of one receipt in `Tests/Fixtures`.
  private static func lines() throws -> [String] {
    var tests = URL(filePath: #filePath)
    for _ in 0..<3 { tests.deleteLastPathComponent() }
    let file = tests.appending(path: "Fixtures/receipt/input.jsonl")
    return try Array(Data(contentsOf: file)).split(separator: 0x0A)
      // The first line has the file's byte-order mark.
      .map { String(decoding: $0.drop { $0 != UInt8(ascii: "{") }, as: UTF8.self) }
      .filter { $0.hasPrefix("{\"case\":\"one receipt: ") }
  }

  @Test func `any spelling may come first, and the others are duplicates of its row`() throws {
    var lines = try Self.lines()
    #expect(lines.count == 6)
    // Columns that record the spelling of the first line are not compared.
    let columns = RecordStream.receipt.columns.map(\.name).filter {
      !["price_raw", "price_repaired", "price_imprecise", "product_type_raw"].contains($0)
    }
    var rows: Set<[String?]> = []
    for _ in lines.indices {
      // All lines in one file, then one file per line.
      for files in [[lines], lines.map { [$0] }] {
        let fixture = try LoadFixture()
        let reports = try files.map {
          try #require(try fixture.load(lines: $0).files.first)
        }
        let counts = reports.reduce(into: [0, 0, 0, 0]) { sum, file in
          let outcomes = [file.inserted, file.duplicates, file.filled, file.conflicts]
          for (index, count) in outcomes.enumerated() { sum[index] += count }
        }
        #expect(counts == [1, lines.count - 1, 0, 0])
        rows.formUnion(
          try fixture.database.rows(
            "select \(columns.joined(separator: ", ")) from game.receipt"))
      }
      lines.append(lines.removeFirst())
    }
    #expect(rows.count == 1)
    #expect(rows.first?.contains("2021-03-25 05:13:45.531+00") == true)
  }
}
