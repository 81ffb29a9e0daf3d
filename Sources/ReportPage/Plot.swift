internal import Foundation

/// Bars or lines as SVG.
///
/// The drawing stretches to the width of the page, so it holds no text: labels of the axes are
/// elements beside it and keep their size.
struct Plot {
  private static let width = 1000.0
  static let height = 400.0
  private static let widestBar = 90.0

  /// The contents in words, for a screen reader.
  private let description: String
  private let names: [String]
  private let keys: [String]
  private let scale: Scale
  private let isOfLines: Bool
  private var marks: [HTML] = []

  /// A stacked bar for each row, whose first column is its name.
  ///
  /// - Parameters:
  ///   - above: the columns that stand on zero.
  ///   - below: the columns that hang from it.
  ///   - final: the column whose `no` makes a bar paler.
  init(bars rows: Rows, titled title: String, above: [String], below: [String], final: String?) {
    let series = (above + below).map { name in rows.names.firstIndex(of: name) }
    names = rows.indices.map { rows.shown($0, 0) }
    keys = above + below
    isOfLines = false
    func value(_ row: Int, _ one: Int) -> Double {
      // The amount of a day is too small while a purchase is not converted.
      guard (rows[row, "Without a rate"] ?? "0") == "0" else { return 0 }
      return series[one].flatMap { rows.value(row, $0) } ?? 0
    }
    func sum(_ row: Int, _ range: Range<Int>) -> Double { range.reduce(0) { $0 + value(row, $1) } }
    let tops = rows.indices.map { sum($0, 0..<above.count) }
    let bottoms = rows.indices.map { -sum($0, above.count..<series.count) }
    scale = Scale(holding: tops + bottoms)
    description =
      "\(title): \(names.count) bars from \(names.first ?? "") to \(names.last ?? ""), at most "
      + Scale.label(tops.max() ?? 0)
    let slot = Self.width / Double(max(names.count, 1))
    let width = min(slot * 0.76, Self.widestBar)
    for row in rows.indices {
      let left = Scale.place(slot * (Double(row) + 0.5) - width / 2)
      let isFaded = final.map { rows[row, $0] == "no" } ?? false
      var (top, bottom) = (0.0, 0.0)
      for one in series.indices {
        let value = value(row, one)
        guard value > 0, let column = series[one] else { continue }
        if one < above.count { top += value } else { bottom -= value }
        let start = scale.y(one < above.count ? top : bottom + value)
        let end = scale.y(one < above.count ? top - value : bottom)
        marks.append(
          """
          <rect class="s\(String(one + 1))\(isFaded ? " faded" : "")" x="\(left)" \
          y="\(Scale.place(start))" width="\(Scale.place(width))" \
          height="\(Scale.place(end - start))"><title>\(names[row]), \(keys[one]): \
          \(rows.shown(row, column))</title></rect>
          """)
      }
    }
  }

  /// The final figures of a matrix: a line for each of its newest five rows that has two of them.
  init?(lines heat: Heat, titled title: String) {
    func values(_ row: Int) -> [Double?] {
      heat.cells[row].map { $0?.state == "final" ? $0?.value : nil }
    }
    let rows = heat.names.indices.filter { values($0).compactMap(\.self).count > 1 }.suffix(5)
    guard !rows.isEmpty else { return nil }
    let last = rows.compactMap { values($0).lastIndex { $0 != nil } }.max() ?? 0
    names = Array(heat.columns[0...last])
    keys = rows.map { "from \(heat.names[$0])" }
    isOfLines = true
    scale = Scale(holding: rows.flatMap { values($0).compactMap(\.self) })
    description = "\(title): a line for each of \(keys.joined(separator: ", "))"
    let slot = Self.width / Double(max(last, 1))
    for (number, row) in rows.enumerated() {
      var (path, isOpen) = ("", false)
      for (place, value) in values(row).enumerated() {
        guard let value else {
          isOpen = false
          continue
        }
        path += (isOpen ? "L" : "M") + Scale.place(slot * Double(place)) + " "
        path += Scale.place(scale.y(value))
        // A line of one point would be invisible.
        if !isOpen { path += "h0.1" }
        isOpen = true
      }
      marks.append(
        "<path class=\"line s\(String(number + 1))\" d=\"\(path)\"><title>\(keys[number])</title></path>"
      )
    }
  }

  var html: HTML {
    let labels = spread(isOfLines ? 8 : 4)
    let isEach = !isOfLines && labels.count == names.count
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
      <figcaption>\(keys.count > 1 || isOfLines ? keys.indices.map { key($0) } : [])</figcaption>
      </figure>

      """
  }

  private func rule(_ style: String, _ value: Double) -> HTML {
    "<path class=\"\(style)\" d=\"M0 \(Scale.place(scale.y(value)))h1000\"/>"
  }

  private func key(_ place: Int) -> HTML {
    """
    <span class="key"><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="s\(String(place + 1))" \
    width="10" height="10" rx="2"/></svg>\(keys[place])</span>
    """
  }

  /// At most `count` of the names, evenly spread, the first and the last among them.
  private func spread(_ count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * (names.count - 1) / (count - 1)] }
  }
}

/// The vertical axis: round steps that hold all values and zero.
struct Scale {
  private let low: Double
  private let high: Double
  private let step: Double

  init(holding values: [Double]) {
    let largest = max(values.max() ?? 0, 0)
    let smallest = min(values.min() ?? 0, 0)
    // Only small amounts have decimals; counts have whole steps.
    let isWhole = values.allSatisfy { $0 == $0.rounded() }
    let rough = max(largest - smallest, isWhole ? 4 : 1e-9) / 4
    let size = pow(10, floor(log10(rough)))
    let round = ([1, 2, 2.5, 5, 10].first { $0 * size >= rough } ?? 10) * size
    step = isWhole ? max(1, round.rounded(.up)) : round
    high = max(step, (largest / step).rounded(.up) * step)
    low = (smallest / step).rounded(.down) * step
  }

  /// Highest first.
  var ticks: [Double] {
    (0...Int(((high - low) / step).rounded())).map { high - Double($0) * step }
  }

  /// The distance from the upper edge.
  func y(_ value: Double) -> Double { (high - value) / (high - low) * Plot.height }

  /// A rounded number of at most four figures: 1.5k, 20M.
  static func label(_ value: Double) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    for (size, unit) in units where abs(value) >= size { return plain(value / size) + unit }
    return plain(value)
  }

  /// A coordinate with at most one decimal.
  static func place(_ value: Double) -> String { plain((value * 10).rounded() / 10) }

  private static func plain(_ value: Double) -> String {
    let text = String(format: "%.2f", value).replacing(/\.?0+$/, with: "")
    return text == "-0" ? "0" : text
  }
}
