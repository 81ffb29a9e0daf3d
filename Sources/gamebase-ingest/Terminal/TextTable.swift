internal import ArgumentParser
internal import CProcess
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// A table with aligned columns: text is aligned to the left, numbers to the right.
struct TextTable {
  private let header: [String]
  private var rows: [[String]] = []

  init(_ header: [String]) { self.header = header }

  mutating func add(_ row: [String]) { rows.append(row.map { printable($0) }) }

  var lines: [String] {
    let widths = header.indices.map { column in
      ([header] + rows).map { displayWidth($0[column]) }.max() ?? 0
    }
    return ([header] + rows).map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - displayWidth(row[column]))
        return isNumeric(column) ? padding + row[column] : row[column] + padding
      }
      return trimmedEnd(cells.joined(separator: "  "))
    }
  }

  func show() throws {
    for line in lines { try Terminal.output(line) }
  }

  private func isNumeric(_ column: Int) -> Bool {
    !rows.isEmpty && rows.allSatisfy { $0[column].allSatisfy { $0.isNumber || $0 == "-" } }
  }

  private func trimmedEnd(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// The width of a text in columns of a terminal.
///
/// Most Chinese, Japanese and Korean characters and most emoji take two columns, combining marks
/// none, all others one. The widths come from the C library's table, which terminals use too. If
/// the C library has no UTF-8 locale, every character counts as one.
func displayWidth(_ text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  let width = text.unicodeScalars.reduce(0) { width, scalar in
    let columns = gbi_display_width(scalar.value)
    return width + Int(columns < 0 ? 1 : columns)
  }
  return gbi_knows_widths() == 1 ? width : text.count
}

extension TextTable {
  /// The rows of a query, under the names of the columns.
  ///
  /// - Parameter limit: the most rows that are shown.
  init(_ result: QueryResult, limit: Int = .max) {
    self.init(result.columnNames.map { $0.replacing("_", with: " ") })
    for row in result.rows.prefix(limit) {
      add(
        row.enumerated().map { column, value in
          guard let value else { return "-" }
          // To the second; the sessions of the program are in UTC.
          return result.hasTimes(inColumn: column) ? "\(value.prefix(19)) UTC" : value
        })
    }
  }
}

/// Prints the rows of a query as a table.
func printTable(_ result: QueryResult) throws { try TextTable(result).show() }

/// Prints a blank line and the rows of a query as a table.
///
/// - Parameter empty: the line to print when there are no rows.
func show(_ result: QueryResult, empty: String) throws {
  try Terminal.output("")
  if result.rowCount > 0 { try printTable(result) } else { try Terminal.output(empty) }
}

/// Prints a blank line and the verdict of each feed as a table.
func show(_ feeds: [FeedHealth]) throws {
  try Terminal.output("")
  var table = TextTable([
    "application", "stream", "verdict", "implausible days", "open conflicts", "reason",
  ])
  for feed in feeds {
    table.add([
      name(feed.appID), feed.stream ?? "-", feed.verdict, String(feed.implausibleDayCount),
      String(feed.openConflictCount), feed.reason,
    ])
  }
  try table.show()
}

/// The empty application is that of lines without one.
private func name(_ app: String?) -> String {
  switch app {
  case nil: "-"
  case "": "(none)"
  case .some(let app): app
  }
}

extension Rejection {
  /// `code [field]: reason`, safe to print.
  var sentence: String {
    "\(code.rawValue)\(field.map { " \(printable($0))" } ?? ""): \(printable(reason))"
  }
}
