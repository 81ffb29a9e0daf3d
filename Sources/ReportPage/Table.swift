internal import Postgres

/// Rows as a table; a number stands at the right.
struct Table {
  private let caption: String
  private let headings: [HTML]
  private let rows: [HTML]

  /// The rows behind a line; more make a page that no mail takes.
  private static let largestRowCount = 200
  /// The longest text that breaks into no lines.
  private static let shortLength = 20

  init(_ result: QueryResult, caption: String, isReversed: Bool = false) {
    let names = result.columnNames
    let texts = result.indices.map { result.shown($0) }
    let styles = names.indices.map { column -> HTML? in
      if names[column] == "Part" { return " class=\"part\"" }
      let texts = texts.map { $0[column] }
      let isShare = texts.allSatisfy { $0.hasSuffix(" %") || $0 == "–" }
      if isShare || result.hasNumbers(inColumn: column) { return " class=\"n\"" }
      return texts.allSatisfy { $0.count <= Self.shortLength } ? " class=\"short\"" : nil
    }
    self.caption = caption
    headings = names.indices.map { "<th scope=\"col\"\(styles[$0])>\(names[$0])</th>" }
    rows = (isReversed ? texts.reversed() : texts).map { texts in
      let cells = texts.indices.dropFirst().map { column in
        names[column] == "Part"
          ? Self.bar(texts[column]) : "<td\(styles[column])>\(texts[column])</td>" as HTML
      }
      return "<tr><th scope=\"row\"\(styles[0])>\(texts[0])</th>\(cells)</tr>\n"
    }
  }

  /// The first rows, and others behind a line that opens them.
  func html(first count: Int) -> HTML {
    guard rows.count > count else { return html(rows[...]) }
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
    "<details><summary>\(caption): the figures</summary>\n\(html(rows[...]))</details>\n"
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
