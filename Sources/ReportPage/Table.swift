/// Rows as a table; a number stands at the right.
struct Table {
  private let caption: String
  private let headings: [String]
  /// The class of each column: its alignment, and whether its texts may break.
  private let styles: [String]
  private let rows: [[String]]

  /// The rows behind a line; more make a page that no mail takes.
  private static let largestRowCount = 200
  /// The longest text that breaks into no lines.
  private static let shortLength = 20
  /// The column of percentages that have a bar.
  private static let barHeading = "Part"

  /// - Returns: nil without a row.
  init?(_ rows: Rows, caption: String, isReversed: Bool = false) {
    guard !rows.indices.isEmpty else { return nil }
    self.caption = caption
    headings = rows.names
    let texts = rows.indices.map { row in rows.names.indices.map { rows.shown(row, $0) } }
    self.rows = isReversed ? texts.reversed() : texts
    styles = rows.names.indices.map { column in
      if rows.names[column] == Self.barHeading { return "part" }
      let isShare = texts.allSatisfy { $0[column].hasSuffix(" %") || $0[column] == Rows.none }
      if rows.isNumber[column] || isShare { return "n" }
      return texts.allSatisfy { $0[column].count <= Self.shortLength } ? "short" : ""
    }
  }

  /// The first rows, and others behind a line that opens them.
  func html(first count: Int) -> HTML {
    guard rows.count > count else { return html(rows) }
    let hidden = rows.dropFirst(count).prefix(Self.largestRowCount)
    let rest = rows.count - count
    return """
      \(html(rows.prefix(count)))\
      <details class="more"><summary>and \(String(rest)) more\
      \(hidden.count < rest ? ", the first \(hidden.count) of them here" : "")</summary>
      \(html(hidden))</details>

      """
  }

  /// All rows, behind a line that opens them.
  var behindLine: HTML {
    "<details><summary>\(caption): the figures</summary>\n\(html(rows))</details>\n"
  }

  private func html(_ rows: some Sequence<[String]>) -> HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="\(caption)">
    <table>
    <caption class="hidden">\(caption)</caption>
    <thead><tr>\(headings.indices.map { "<th scope=\"col\"\(style($0))>\(headings[$0])</th>" })</tr></thead>
    <tbody>
    \(rows.map { row($0) })</tbody>
    </table>
    </div>

    """
  }

  private func row(_ cells: [String]) -> HTML {
    "<tr>\(cells.indices.map { cell($0, cells[$0]) })</tr>\n"
  }

  private func cell(_ column: Int, _ text: String) -> HTML {
    if column == 0 { return "<th scope=\"row\"\(style(0))>\(text)</th>" }
    guard styles[column] == "part" else { return "<td\(style(column))>\(text)</td>" }
    return """
      <td class="part"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="s1" width="\(text.replacing(" %", with: ""))" height="10"/></svg><span>\(text)</span></td>
      """
  }

  private func style(_ column: Int) -> HTML? {
    styles[column].isEmpty ? nil : " class=\"\(styles[column])\""
  }
}

/// A matrix whose cells are shaded by their value.
struct Heat {
  struct Cell {
    let text: String
    let value: Double?
    let shade: Int?
    /// NULL in the query: the day of the cell has not come.
    let state: String?
  }

  private let caption: String
  private let corner: [String]
  private let sizes: [String]
  let names: [String]
  let columns: [String]
  private(set) var cells: [[Cell?]]

  init(_ rows: Rows, caption: String) {
    self.caption = caption
    corner = Array(rows.names.prefix(2))
    let places = rows.indices.filter { $0 == 0 || rows[$0, 0] != rows[$0 - 1, 0] }
    names = places.map { rows.shown($0, 0) }
    sizes = places.map { rows.shown($0, 1) }
    let keys = Set(rows.indices.compactMap { rows.value($0, 2) }).sorted()
    columns = keys.map { rows.names[2].replacing("#", with: String(Int($0))) }
    cells = places.map { _ in keys.map { _ in nil } }
    var place = -1
    for row in rows.indices {
      if places.contains(row) { place += 1 }
      guard let key = rows.value(row, 2), let column = keys.firstIndex(of: key) else { continue }
      cells[place][column] = Cell(
        text: rows.shown(row, 3), value: rows.value(row, 3),
        shade: rows.value(row, 4).map { Int($0) },
        state: rows[row, 5])
    }
  }

  var html: HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="\(caption)">
    <table class="heat">
    <caption>\(caption)</caption>
    <thead><tr>\((corner + columns).map { "<th scope=\"col\">\($0)</th>" })</tr></thead>
    <tbody>
    \(names.indices.map { row($0) })</tbody>
    </table>
    </div>

    """
  }

  private func row(_ place: Int) -> HTML {
    """
    <tr><th scope="row">\(names[place])</th><td>\(sizes[place])</td>\
    \(cells[place].map { Self.html(of: $0) })</tr>

    """
  }

  private static func html(of cell: Cell?) -> HTML {
    guard let cell, let state = cell.state else {
      return "<td class=\"none\">\(Rows.none)<span class=\"hidden\"> not yet</span></td>"
    }
    guard let shade = cell.shade else { return "<td>\(state)</td>" }
    return state == "final"
      ? "<td class=\"h\(String(shade))\">\(cell.text)</td>"
      : """
      <td class="h\(String(shade)) partial">\(cell.text)<span aria-hidden="true">*</span>\
      <span class="hidden"> \(state), from a part of the cohort</span></td>
      """
  }
}
