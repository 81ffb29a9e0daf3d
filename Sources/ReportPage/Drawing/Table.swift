/// The figures behind a chart, as the templates `table` and `list` write them.
struct Table {
  struct Cell {
    let text: String
    /// True in a column of numbers, which is aligned to the right.
    let isNumber: Bool
  }

  struct Row {
    /// The cell that names the row.
    let name: String
    let cells: [Cell]
  }

  let caption: String
  let header: [Cell]
  let rows: [Row]

  /// - Parameter rows: the first text of a row is its name.
  /// - Returns: nil without a row.
  init?(_ caption: String, _ header: [String], _ rows: [[String]]) {
    guard !rows.isEmpty else { return nil }
    self.caption = caption
    let isNumber = header.indices.map { column in
      column > 0 && rows.allSatisfy { Self.isNumber($0[column]) }
    }
    self.header = header.indices.map { Cell(text: header[$0], isNumber: isNumber[$0]) }
    self.rows = rows.map { row in
      Row(
        name: row[0],
        cells: row.indices.dropFirst().map { Cell(text: row[$0], isNumber: isNumber[$0]) })
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || ",. %+-".utf8.contains($0) }
      || text == Numbers.none
  }
}

/// A table whose cells are coloured by their value, as the template `heat` writes it.
struct HeatTable {
  struct Cell {
    let text: String
    /// The class of the colour, `h0` to `h9`, or `immature`.
    let style: String
    /// The meaning of the cell's mark, for a screen reader; nil for a final figure.
    let note: String?
    /// A sign beside the figure; nil for a final figure.
    let mark: String?
  }

  struct Row {
    let name: String
    let size: String
    let cells: [Cell]
  }

  let caption: String
  let header: [String]
  let rows: [Row]
}

extension HeatTable.Cell {
  /// A figure of a cohort on one day.
  ///
  /// - Parameters:
  ///   - share: the place of the value between nothing and the largest, from 0 to 1; nil without a
  ///     figure.
  ///   - isMature: false when days of the cohort are still missing in the figure.
  init(_ text: String, share: Double?, isMature: Bool) {
    guard let share else {
      self.init(text: Numbers.none, style: "immature", note: "not yet", mark: nil)
      return
    }
    let step = max(0, min(9, Int((share * 9.999).rounded(.down))))
    self.init(
      text: text, style: isMature ? "h\(step)" : "h\(step) partial",
      note: isMature ? nil : "so far, from a part of the cohort", mark: isMature ? nil : "*")
  }
}
