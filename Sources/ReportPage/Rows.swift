internal import Foundation
internal import Postgres

/// The rows of a query, whose names of columns are headings.
struct Rows {
  static let none = "–"

  let names: [String]
  let isNumber: [Bool]
  private let cells: [[String?]]

  init(_ result: QueryResult) {
    names = result.columnNames
    isNumber = names.indices.map { result.hasNumbers(inColumn: $0) }
    let isFlag = names.indices.map { result.hasFlags(inColumn: $0) }
    cells = result.rows.map { row in
      row.indices.map { isFlag[$0] ? row[$0].map { $0 == "t" ? "yes" : "no" } : row[$0] }
    }
  }

  var indices: Range<Int> { cells.indices }

  /// A value as the server wrote it; nil for NULL.
  subscript(row: Int, column: Int) -> String? { cells[row][column] }

  subscript(row: Int, name: String) -> String? {
    names.firstIndex(of: name).flatMap { cells[row][$0] }
  }

  /// The nearest double, for the place of a mark and never for a printed figure.
  func value(_ row: Int, _ column: Int) -> Double? { cells[row][column].flatMap { Double($0) } }

  /// A value with commas between the thousands of a number.
  func shown(_ row: Int, _ column: Int) -> String {
    guard let text = cells[row][column] else { return Self.none }
    return isNumber[column] ? Self.grouped(text) : text
  }

  private static func grouped(_ number: String) -> String {
    let sign = number.hasPrefix("-") ? "-" : ""
    let whole = number.drop { $0 == "-" }.prefix { $0 != "." }
    let places = whole.enumerated().map { place, digit in
      place > 0 && (whole.count - place) % 3 == 0 ? ",\(digit)" : String(digit)
    }
    return sign + places.joined() + number.drop { $0 != "." }
  }
}
