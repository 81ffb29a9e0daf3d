internal import Postgres

/// Rows as a table; a number stands at the right.
struct Table {
  private let caption: String
  private let headings: [HTML]
  private let rows: [HTML]

  /// The rows that are shown at once.
  private static let shownRowCount = 24
  /// The rows behind a line; more make a page that no mail takes.
  private static let largestRowCount = 200
  /// The longest text that breaks into no lines.
  private static let shortLength = 20

  init(_ result: QueryResult, caption: String, isReversed: Bool = false) {
    self.caption = caption
    let names = result.columnNames
    let texts = result.indices.map { row in names.indices.map { result.shown(row, $0) } }
    let styles = names.indices.map { column -> HTML? in
      if names[column] == "Part" { return " class=\"part\"" }
      let texts = texts.map { $0[column] }
      let isShare = texts.allSatisfy { $0.hasSuffix(" %") || $0 == "–" }
      if isShare || result.valueType(ofColumn: column) == .number { return " class=\"n\"" }
      return texts.allSatisfy { $0.count <= Self.shortLength } ? " class=\"short\"" : nil
    }
    headings = zip(names, styles).map { "<th scope=\"col\"\($1)>\($0)</th>" }
    rows = (isReversed ? texts.reversed() : texts).map { texts in
      let cells = texts.indices.dropFirst().map { column in
        names[column] == "Part"
          ? Self.bar(texts[column]) : "<td\(styles[column])>\(texts[column])</td>" as HTML
      }
      return "<tr><th scope=\"row\"\(styles[0])>\(texts[0])</th>\(cells)</tr>\n"
    }
  }

  /// The first rows, and others behind a line that opens them.
  var html: HTML {
    let hidden = rows.dropFirst(Self.shownRowCount).prefix(Self.largestRowCount)
    if hidden.isEmpty { return html(rows[...]) }
    let rest = rows.count - Self.shownRowCount
    return """
      \(html(rows.prefix(Self.shownRowCount)))\
      <details class="more"><summary>and \(String(rest)) more\
      \(hidden.count < rest ? ", the first \(hidden.count) of them here" : "")</summary>
      \(html(hidden))</details>

      """
  }

  /// All rows, behind a line that opens them; nil: there is none.
  var behindLine: HTML? {
    if rows.isEmpty { return nil }
    return "<details><summary>\(caption): the figures</summary>\n\(html(rows[...]))</details>\n"
  }

  private func html(_ rows: ArraySlice<HTML>) -> HTML {
    Self.html(
      of: Array(rows), headings, label: caption,
      caption: "<caption class=\"hidden\">\(caption)</caption>")
  }

  /// A table that scrolls by itself where it is wider than the page.
  static func html(
    of rows: [HTML], _ headings: [HTML], label: String, style: HTML? = nil, caption: HTML
  ) -> HTML {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="\(label)">
    <table\(style)>
    \(caption)
    <thead><tr>\(headings)</tr></thead>
    <tbody>
    \(rows)</tbody>
    </table>
    </div>

    """
  }

  /// A percentage with a bar.
  private static func bar(_ text: String) -> HTML {
    """
    <td class="part"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">\
    <rect class="s1" width="\(text.replacing(" %", with: ""))" height="10"/></svg><span>\(text)</span></td>
    """
  }
}

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

/// The rows of a query as the page shows them; the names of their columns are headings.
extension QueryResult {
  var indices: Range<Int> { 0..<rowCount }

  /// The nearest double, for the place of a mark and never for a printed figure.
  func value(_ row: Int, _ column: Int) -> Double? { self[row, column].flatMap { Double($0) } }

  /// A value for readers: commas between the thousands of a number, yes or no, a dash for NULL.
  func shown(_ row: Int, _ column: Int) -> String {
    guard let text = self[row, column] else { return "–" }
    if valueType(ofColumn: column) == .flag { return text == "t" ? "yes" : "no" }
    guard valueType(ofColumn: column) == .number else { return text }
    let whole = text.prefix { $0 != "." }
    let places = whole.enumerated().map { place, digit in
      let follow = whole.count - place
      return follow % 3 == 0 && place > 0 && whole.prefix(place) != "-" ? ",\(digit)" : "\(digit)"
    }
    return places.joined() + text.dropFirst(whole.count)
  }
}
