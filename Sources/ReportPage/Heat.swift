internal import Postgres

/// A matrix whose cells are shaded by their value.
///
/// The query has a row for each cell, with the columns of `Section.Form.heat`; every row of the matrix
/// has the same columns.
struct Heat {
  let names: [String]
  let columns: [String]
  private let cells: QueryResult

  init(_ cells: QueryResult) {
    self.cells = cells
    let width = cells.indices.prefix { cells.shown($0, 0) == cells.shown(0, 0) }.count
    names = stride(from: 0, to: cells.rowCount, by: max(width, 1)).map { cells.shown($0, 0) }
    columns = (0..<width).map {
      cells.columnNames[2].replacing("#", with: cells.shown($0, 2))
    }
  }

  /// The figures of a row for a chart; nil for those that are not final.
  func finalValues(_ row: Int) -> [Double?] {
    places(row).map { cells[$0, 5] == "final" ? cells.value($0, 3) : nil }
  }

  func html(caption: String) -> HTML {
    let headings = cells.columnNames.prefix(2) + columns
    return Table.html(
      of: names.indices.map { row in
        """
        <tr><th scope="row">\(names[row])</th><td>\(cells.shown(row * columns.count, 1))</td>\
        \(places(row).map { html(of: $0) })</tr>

        """
      }, headings.map { "<th scope=\"col\">\($0)</th>" }, label: caption, style: " class=\"heat\"",
      caption: "<caption>\(caption)</caption>")
  }

  private func places(_ row: Int) -> Range<Int> {
    row * columns.count..<(row + 1) * columns.count
  }

  private func html(of place: Int) -> HTML {
    guard let state = cells[place, 5] else {
      return "<td class=\"none\">–<span class=\"hidden\"> not yet</span></td>"
    }
    guard let shade = cells[place, 4] else { return "<td>\(state)</td>" }
    let text = cells.shown(place, 3)
    return state == "final"
      ? "<td class=\"h\(shade)\">\(text)</td>"
      : """
      <td class="h\(shade) partial">\(text)<span aria-hidden="true">*</span>\
      <span class="hidden"> \(state), from a part of the cohort</span></td>
      """
  }
}
