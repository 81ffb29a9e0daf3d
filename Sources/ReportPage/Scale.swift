internal import Foundation

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

  /// The distance from the upper edge of a drawing, which is 400 high.
  func y(_ value: Double) -> Double { (high - value) / (high - low) * 400 }

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
