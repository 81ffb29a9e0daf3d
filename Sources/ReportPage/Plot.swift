internal import Foundation
internal import Postgres

/// Bars or lines as SVG.
///
/// The units of a drawing are places and values. It stretches to the width of the page, so it holds no
/// text: labels of the axes are elements beside it and keep their size.
enum Plot {
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
    let keys = above + below
    let columns = keys.compactMap { rows.columnNames.firstIndex(of: $0) }
    let unconverted = rows.columnNames.firstIndex(of: "Without a rate")
    let flags = rows.columnNames.indices.filter { rows.valueType(ofColumn: $0) == .flag }
    let width = min(0.76, 0.09 * Double(names.count))
    var marks: [HTML] = []
    var ends = [0.0]
    for row in rows.indices {
      let style = flags.contains { rows[row, $0] == "f" } ? " faded" : ""
      // The amount of a day is too small while a purchase is not converted.
      let isKnown = unconverted.flatMap { rows[row, $0] } ?? "0" == "0"
      var (top, bottom) = (0.0, 0.0)
      for (one, column) in columns.enumerated() {
        guard isKnown, let height = rows.value(row, column), height > 0 else { continue }
        if one < above.count { top += height } else { bottom -= height }
        marks.append(
          """
          <rect class="s\(String(one + 1))\(style)" x="\(String(Double(row) + 0.5 - width / 2))" \
          y="\(String(one < above.count ? -top : -bottom - height))" width="\(String(width))" \
          height="\(String(height))"><title>\(names[row]), \(keys[one]): \
          \(rows.shown(row, column))</title></rect>
          """)
      }
      ends += [top, bottom]
    }
    let labels = spread(names, 4)
    return figure(
      "\(title): \(names.count) bars from \(names.first ?? "") to \(names.last ?? ""), at most "
        + label(ends.max() ?? 0), marks, width: names.count, ticks: ticks(holding: ends),
      labels: labels, isEach: labels.count == names.count, keys: keys.count > 1 ? keys : [])
  }

  /// The final figures of a matrix: a line for each of its newest five rows that has two of them.
  static func lines(_ heat: Heat, titled title: String) -> HTML? {
    let rows = heat.names.indices.map { (name: heat.names[$0], values: heat.finalValues($0)) }
      .filter { $0.values.compactMap(\.self).count > 1 }.suffix(5)
    let last = rows.compactMap { $0.values.lastIndex { $0 != nil } }.max()
    guard let last else { return nil }
    let keys = rows.map { "from \($0.name)" }
    let marks = zip(1..., rows).map { number, row -> HTML in
      let points = row.values.enumerated().compactMap { place, value -> String? in
        guard let value else { return nil }
        let isOpen = place > 0 && row.values[place - 1] != nil
        // A line of one point would be invisible.
        return isOpen ? "L\(place) \(0 - value)" : "M\(place) \(0 - value)h0.001"
      }
      return """
        <path class="line s\(String(number))" d="\(points.joined())"><title>from \(row.name)</title></path>
        """
    }
    return figure(
      "\(title): a line for each of \(keys.joined(separator: ", "))", marks, width: max(last, 1),
      ticks: ticks(holding: rows.flatMap { $0.values.compactMap(\.self) }),
      labels: spread(Array(heat.columns[0...last]), 8), isEach: false, keys: keys)
  }

  /// - Parameters:
  ///   - description: the contents in words, for a screen reader.
  ///   - ticks: the values of the vertical axis, highest first.
  ///   - isEach: true when each bar has a label.
  private static func figure(
    _ description: String, _ marks: [HTML], width: Int, ticks: [Double], labels: [String],
    isEach: Bool, keys: [String]
  ) -> HTML {
    let (high, low) = (ticks.first ?? 0, ticks.last ?? 0)
    let rules = ticks.map { tick -> HTML in
      "<path class=\"rule\" d=\"M0 \(String(0 - tick))h\(String(width))\"/>"
    }
    let legend = zip(1..., keys).map { number, key -> HTML in
      """
      <span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="s\(String(number))" \
      width="10" height="10" rx="2"/></svg>\(key)</span>
      """
    }
    return """
      <figure class="plot">
      <div class="frame">
      <div class="ticks" aria-hidden="true">\(ticks.map { "<span>\(label($0))</span>" })</div>
      <svg viewBox="0 \(String(-high)) \(String(width)) \(String(high - low))" preserveAspectRatio="none" \
      role="img" aria-label="\(description)">
      \(rules)
      \(marks)
      <path class="zero" d="M0 0h\(String(width))"/>
      </svg>
      </div>
      <div class="labels\(isEach ? " each" : "")" aria-hidden="true">\
      \(labels.map { "<span>\($0)</span>" })</div>
      <figcaption>\(legend)</figcaption>
      </figure>

      """
  }

  /// Round steps of a vertical axis that hold all values and zero, highest first.
  private static func ticks(holding values: [Double]) -> [Double] {
    let (low, high) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
    // Only small amounts have decimals; counts have whole steps.
    let isWhole = values.allSatisfy { $0 == $0.rounded() }
    let rough = max(high - low, isWhole ? 4 : 1e-9) / 4
    let size = pow(10, floor(log10(rough)))
    let step = ([1, 2, 2.5, 5].first { $0 * size >= rough } ?? 10) * size
    let whole = isWhole ? max(1, step.rounded(.up)) : step
    return stride(
      from: max(1, (high / whole).rounded(.up)), through: (low / whole).rounded(.down), by: -1
    ).map { $0 * whole }
  }

  /// A rounded number of at most four figures: 1.5k, 20M.
  private static func label(_ value: Double) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")]
    let (size, unit) = units.first { abs(value) >= $0.0 } ?? (1, "")
    return String(format: "%.2f", value / size).replacing(/\.?0+$/, with: "") + unit
  }

  /// At most `count` of the names, evenly spread, the first and the last among them.
  private static func spread(_ names: [String], _ count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * (names.count - 1) / (count - 1)] }
  }
}
