internal import CProcess
internal import Foundation
internal import Loading
internal import Postgres

/// A table with aligned columns: text is aligned to the left, numbers to the right.
struct TextTable {
  /// A value of a row; nil is shown as a dash.
  typealias Cell = (any CustomStringConvertible)?

  private let header: [String]
  private var rows: [[String]] = []

  init(_ header: [String], _ rows: [[Cell]] = []) {
    self.header = header
    for row in rows { add(row) }
  }

  /// The rows of a query, under the names of the columns.
  ///
  /// - Parameter limit: the most rows that are shown.
  init(_ result: QueryResult, limit: Int = .max) {
    let rows = result.rows.prefix(limit).map { row in
      row.enumerated().map { column, value in
        // To the second; the sessions of the program are in UTC.
        value.map { result.hasTimes(inColumn: column) ? "\($0.prefix(19)) UTC" : $0 }
      }
    }
    self.init(result.columnNames.map { $0.replacing("_", with: " ") }, rows)
  }

  mutating func add(_ row: [Cell]) {
    rows.append(row.map { cell in cell.map { printable("\($0)") } ?? "-" })
  }

  var lines: [String] {
    let columns = header.indices.map { column in
      (
        width: ([header] + rows).map { displayWidth($0[column]) }.max() ?? 0,
        isNumeric: !rows.isEmpty
          && rows.allSatisfy { $0[column].allSatisfy { $0.isNumber || $0 == "-" } }
      )
    }
    return ([header] + rows).map { row in
      let cells = zip(row, columns).map { cell, column in
        let padding = String(repeating: " ", count: column.width - displayWidth(cell))
        return column.isNumeric ? padding + cell : cell + padding
      }
      return cells.joined(separator: "  ").replacing(#/ +$/#, with: "")
    }
  }

  /// - Parameter isApart: true to print a blank line before it.
  func show(isApart: Bool = false) throws {
    for line in (isApart ? [""] : []) + lines { try Terminal.output(line) }
  }
}

/// The width of a text in columns of a terminal, by the C library's table, which terminals use too.
///
/// Without a UTF-8 locale of the C library, every character counts as one.
private func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  let width = text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
  return gbi_knows_widths() == 1 ? width : text.count
}
