/// Splits a number of things into whole shares that add up to it.
enum Apportionment {
  /// Shares in proportion to weights; all 0 if every weight is 0.
  static func shares(of total: Int, by weights: [UInt64]) -> [Int] {
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return Array(repeating: 0, count: weights.count) }
    var given = 0
    var passed: UInt64 = 0
    return weights.map { weight in
      passed += weight
      let product = UInt64(total).multipliedFullWidth(by: passed)
      let reached = Int(sum.dividingFullWidth(product).quotient)
      defer { given = reached }
      return reached - given
    }
  }

  /// Shares in proportion to weights, none above its limit; the other shares take what is left.
  ///
  /// They add up to `total` if the limits of positive weights leave room for it.
  static func shares(of total: Int, by weights: [UInt64], limits: [Int]) -> [Int] {
    var result = Array(repeating: 0, count: weights.count)
    var open = weights
    var rest = total
    while true {
      let shares = shares(of: rest, by: open)
      let full = shares.indices.filter { shares[$0] > limits[$0] }
      if full.isEmpty { return zip(result, shares).map { $0 + $1 } }
      for index in full {
        result[index] = limits[index]
        rest -= limits[index]
        open[index] = 0
      }
    }
  }
}
