internal import Foundation

/// A drawing of bars and lines, as the template `plot` writes it.
///
/// The drawing stretches to the width of the page, so it holds no text: labels of the axes are
/// elements beside it and keep their size.
struct Plot {
  static let width = 1000.0
  static let height = 400.0
  private static let widestBar = 90.0

  struct Bar {
    let x: String
    let y: String
    let width: String
    let height: String
    let style: String
    /// Shown when the pointer rests on the bar.
    let title: String
  }

  /// All bars of one style, in a drawing that is too small to point at one of them.
  struct Area {
    let style: String
    let path: String

    init(_ style: String, _ bars: [Bar]) {
      self.style = style
      path = bars.map { "M\($0.x) \($0.y)h\($0.width)v\($0.height)h-\($0.width)z" }.joined()
    }
  }

  struct Line {
    let path: String
    let style: String
    let title: String
  }

  struct Key {
    let style: String
    let name: String

    init(_ series: Series) {
      style = series.style
      name = series.name
    }
  }

  /// The contents of the drawing in words, for a screen reader.
  let description: String
  /// None in a small drawing, which has areas.
  let bars: [Bar]
  let areas: [Area]
  let lines: [Line]
  /// Horizontal lines, from the upper edge.
  let rules: [String]
  /// The horizontal line at zero.
  let zero: String
  /// The labels of the vertical axis, the highest first, evenly spread.
  let ticks: [String]
  /// The labels of the horizontal axis, evenly spread.
  let labels: [String]
  /// True when each bar has its label below it.
  let isEachLabelled: Bool
  /// The keys below the drawing; none for a drawing that shares them with others.
  let keys: [Key]
  /// The keys that drawings of its kind share.
  let sharedKeys: [Key]
  /// True for a drawing of less height, among others of its kind.
  let isSmall: Bool

  /// Stacked bars.
  ///
  /// - Parameters:
  ///   - names: the name of each place on the horizontal axis.
  ///   - faded: places whose values are not final.
  init(
    _ description: String, names: [String], series: [Series], faded: [Bool] = [],
    isWhole: Bool = true, isSmall: Bool = false
  ) {
    let above = names.indices.map { place in
      series.filter { !$0.isBelow }.reduce(0) { $0 + $1.value(at: place) }
    }
    let below = names.indices.map { place in
      -series.filter(\.isBelow).reduce(0) { $0 + $1.value(at: place) }
    }
    let scale = Scale(holding: above + below, isWhole: isWhole)
    let slot = Self.width / Double(max(names.count, 1))
    let width = min(slot * 0.76, Self.widestBar)
    var bars: [Bar] = []
    for place in names.indices {
      var (top, bottom) = (0.0, 0.0)
      for one in series {
        let value = one.value(at: place)
        guard value > 0 else { continue }
        let from = one.isBelow ? bottom : top + value
        if one.isBelow { bottom -= value } else { top += value }
        let y = scale.y(from, height: Self.height)
        let end = scale.y(from - value, height: Self.height)
        let isFaded = place < faded.count && faded[place]
        bars.append(
          Bar(
            x: Numbers.place(slot * (Double(place) + 0.5) - width / 2), y: Numbers.place(y),
            width: Numbers.place(width), height: Numbers.place(end - y),
            style: isFaded ? "\(one.style) faded" : one.style,
            title: "\(names[place]), \(one.name): \(one.shown[place])"))
      }
    }
    self.init(
      description, bars: bars, lines: [], scale: scale, names: names,
      keys: series.count > 1 ? series.map { Key($0) } : [], isSmall: isSmall)
  }

  /// Lines over the same horizontal axis, whose places are all named; a place without a value ends a line.
  init(_ description: String, names: [String], lines series: [Series], isWhole: Bool) {
    let scale = Scale(holding: series.flatMap { $0.values.compactMap(\.self) }, isWhole: isWhole)
    let slot = Self.width / Double(max(names.count - 1, 1))
    let lines = series.map { one in
      var (path, isOpen) = ("", false)
      for (place, value) in one.values.enumerated() {
        guard let value else {
          isOpen = false
          continue
        }
        path += (isOpen ? "L" : "M") + Numbers.place(slot * Double(place)) + " "
        path += Numbers.place(scale.y(value, height: Self.height))
        // A line of one point would be invisible.
        if !isOpen { path += "h0.1" }
        isOpen = true
      }
      return Line(path: path, style: one.style, title: one.name)
    }
    self.init(
      description, bars: [], lines: lines, scale: scale, names: names,
      keys: series.map { Key($0) }, isSmall: false)
  }

  private init(
    _ description: String, bars: [Bar], lines: [Line], scale: Scale, names: [String], keys: [Key],
    isSmall: Bool
  ) {
    self.description = description
    self.bars = isSmall ? [] : bars
    areas =
      isSmall
      ? Dictionary(grouping: bars, by: \.style).sorted { $0.key < $1.key }.map {
        Area($0.key, $0.value)
      }
      : []
    self.lines = lines
    self.keys = isSmall ? [] : keys
    sharedKeys = keys
    self.isSmall = isSmall
    rules = scale.ticks.map { Numbers.place(scale.y($0, height: Self.height)) }
    zero = Numbers.place(scale.y(0, height: Self.height))
    ticks = scale.ticks.map { Numbers.short($0) }
    labels = Self.spread(names, isSmall ? 2 : lines.isEmpty ? 4 : 8)
    isEachLabelled = lines.isEmpty && labels.count == names.count
  }

  /// At most `count` of the names, evenly spread, the first and the last among them.
  private static func spread(_ names: [String], _ count: Int) -> [String] {
    guard names.count > count else { return names }
    return (0..<count).map { names[$0 * (names.count - 1) / (count - 1)] }
  }
}

/// The values of one kind in a plot.
struct Series {
  let name: String
  /// The class of its marks.
  let style: String
  let values: [Double?]
  /// The values as text, for the pointer.
  let shown: [String]
  /// True for bars that hang down from zero.
  var isBelow = false

  init(
    _ name: String, style: String, amounts: [Amount?], digits: Int, isBelow: Bool = false
  ) {
    self.name = name
    self.style = style
    self.isBelow = isBelow
    values = amounts.map { $0?.value }
    shown = amounts.map { Numbers.money($0, digits: digits) }
  }

  init(_ name: String, style: String, counts: [Int], isBelow: Bool = false) {
    self.name = name
    self.style = style
    self.isBelow = isBelow
    values = counts.map { Double($0) }
    shown = counts.map { Numbers.count($0) }
  }

  func value(at place: Int) -> Double { values[place] ?? 0 }
}

/// The vertical axis of a plot: round steps that hold all values and zero.
struct Scale {
  let low: Double
  let high: Double
  let step: Double

  /// - Parameter isWhole: true for counts, whose steps are at least 1.
  init(holding values: [Double], isWhole: Bool = false) {
    let largest = max(values.max() ?? 0, 0)
    let smallest = min(values.min() ?? 0, 0)
    let rough = max(largest - smallest, isWhole ? 4 : 1e-9) / 4
    let size = pow(10, floor(log10(rough)))
    let round = [1, 2, 2.5, 5, 10].first { $0 * size >= rough } ?? 10
    step = isWhole ? max(1, (round * size).rounded(.up)) : round * size
    high = max(step, (largest / step).rounded(.up) * step)
    low = (smallest / step).rounded(.down) * step
  }

  /// Highest first.
  var ticks: [Double] {
    let count = Int(((high - low) / step).rounded())
    return (0...count).map { high - Double($0) * step }
  }

  /// The distance from the upper edge of a drawing of the given height.
  func y(_ value: Double, height: Double) -> Double { (high - value) / (high - low) * height }
}
