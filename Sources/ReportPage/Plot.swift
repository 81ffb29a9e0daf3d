internal import Foundation
internal import Postgres

/// Bars or lines as SVG.
///
/// The drawing stretches to the width of the page, so it holds no text: labels of the axes are
/// elements beside it and keep their size.
enum Plot {
  private static let width = 1000.0
  private static let widestBar = 90.0

  /// A stacked bar for each row, whose first column is its name.
  ///
  /// A row whose truth value is false is paler.
  ///
  /// - Parameters:
  ///   - above: the columns that stand on zero.
  ///   - below: the columns that hang from it.
  static func bars(
    _ rows: QueryResult, titled title: String, above: [String], below: [String]
  ) -> HTML {
    let names = rows.indices.map { rows.shown($0, 0) }
    let columns = (above + below).compactMap { rows.columnNames.firstIndex(of: $0) }
    let heights = rows.indices.map { row in
      // The amount of a day is too small while a purchase is not converted.
      let isKnown = (rows[row, "Without a rate"] ?? "0") == "0"
      return columns.map { isKnown ? rows.value(row, $0) ?? 0 : 0 }
    }
    let tops = heights.map { $0.prefix(above.count).reduce(0, +) }
    let scale = Scale(holding: tops + heights.map { -$0.dropFirst(above.count).reduce(0, +) })
    let slot = Self.width / Double(max(names.count, 1))
    let width = min(slot * 0.76, widestBar)
    var marks: [HTML] = []
    for row in rows.indices {
      let left = Scale.place(slot * (Double(row) + 0.5) - width / 2)
      let isFaded = rows.shown(row).contains("no")
      var (top, bottom) = (0.0, 0.0)
      for (one, height) in heights[row].enumerated() where height > 0 {
        if one < above.count { top += height } else { bottom -= height }
        let upper = one < above.count ? top : bottom + height
        let (start, end) = (scale.y(upper), scale.y(upper - height))
        marks.append(
          """
          <rect class="s\(String(one + 1))\(isFaded ? " faded" : "")" x="\(left)" \
          y="\(Scale.place(start))" width="\(Scale.place(width))" \
          height="\(Scale.place(end - start))"><title>\(names[row]), \((above + below)[one]): \
          \(rows.shown(row, columns[one]))</title></rect>
          """)
      }
    }
    let labels = spread(names, 4)
    return figure(
      "\(title): \(names.count) bars from \(names.first ?? "") to \(names.last ?? ""), at most "
        + Scale.label(tops.max() ?? 0), scale, marks, labels: labels,
      isEach: labels.count == names.count, keys: columns.count > 1 ? above + below : [])
  }

  /// The final figures of a matrix: a line for each of its newest five rows that has two of them.
  static func lines(_ heat: Heat, titled title: String) -> HTML? {
    let rows = heat.names.indices.filter { heat.finalValues($0).compactMap(\.self).count > 1 }
      .suffix(5)
    let values = rows.map { heat.finalValues($0) }
    guard let last = values.compactMap({ $0.lastIndex { $0 != nil } }).max() else { return nil }
    let keys = rows.map { "from \(heat.names[$0])" }
    let scale = Scale(holding: values.flatMap { $0.compactMap(\.self) })
    let slot = Self.width / Double(max(last, 1))
    let marks = values.enumerated().map { number, values -> HTML in
      var (path, isOpen) = ("", false)
      for (place, value) in values.enumerated() {
        if let value {
          path += (isOpen ? "L" : "M") + Scale.place(slot * Double(place)) + " "
          // A line of one point would be invisible.
          path += Scale.place(scale.y(value)) + (isOpen ? "" : "h0.1")
        }
        isOpen = value != nil
      }
      return """
        <path class="line s\(String(number + 1))" d="\(path)"><title>\(keys[number])</title></path>
        """
    }
    return figure(
      "\(title): a line for each of \(keys.joined(separator: ", "))", scale, marks,
      labels: spread(Array(heat.columns[0...last]), 8), isEach: false, keys: keys)
  }

  /// - Parameters:
  ///   - description: the contents in words, for a screen reader.
  ///   - isEach: true when each bar has a label.
  private static func figure(
    _ description: String, _ scale: Scale, _ marks: [HTML], labels: [String], isEach: Bool,
    keys: [String]
  ) -> HTML {
    func rule(_ style: String, _ value: Double) -> HTML {
      "<path class=\"\(style)\" d=\"M0 \(Scale.place(scale.y(value)))h1000\"/>"
    }
    func key(_ number: Int, _ name: String) -> HTML {
      """
      <span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="s\(String(number))" \
      width="10" height="10" rx="2"/></svg>\(name)</span>
      """
    }
    return """
      <figure class="plot">
      <div class="frame">
      <div class="ticks" aria-hidden="true">\(scale.ticks.map { "<span>\(Scale.label($0))</span>" })</div>
      <svg viewBox="0 0 1000 400" preserveAspectRatio="none" role="img" aria-label="\(description)">
      \(scale.ticks.map { rule("rule", $0) })
      \(marks)
      \(rule("zero", 0))
      </svg>
      </div>
      <div class="labels\(isEach ? " each" : "")" aria-hidden="true">\
      \(labels.map { "<span>\($0)</span>" })</div>
      <figcaption>\(zip(1..., keys).map { key($0, $1) })</figcaption>
      </figure>

      """
  }

  /// At most `count` of the names, evenly spread, the first and the last among them.
  private static func spread(_ names: [String], _ count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * (names.count - 1) / (count - 1)] }
  }
}
