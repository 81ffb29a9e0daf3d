internal import Loading

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

  private func isNumeric(_ column: Int) -> Bool {
    !rows.isEmpty && rows.allSatisfy { $0[column].allSatisfy { $0.isNumber || $0 == "-" } }
  }

  private func trimmedEnd(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
