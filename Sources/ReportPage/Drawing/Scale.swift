internal import Foundation

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
