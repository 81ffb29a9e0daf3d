/// The players' shares of the purchases.
///
/// They are scaled so that each class of payers makes its part of all purchases, whatever the
/// length of the span and the number of users.
struct PurchaseWeights: Sendable {
  /// The weight of one unit of appetite, by class.
  private let scales: [UInt64]

  /// - Parameter appetites: the sums over all days of the buyers' appetites, by class.
  init(appetites: [UInt64]) {
    scales = PayerClass.allCases.map { payer in
      let sum = appetites[payer.rawValue]
      // With 2^34 for a percent, the sum of all weights is below 2^41.
      return sum == 0 ? 0 : max(1, payer.purchasePercent << 34 / sum)
    }
  }

  /// The share of a player on a day with purchases.
  func weight(of player: ActivePlayer) -> UInt64 {
    scales[player.payer.rawValue] * UInt64(player.appetite)
  }

  /// The share of a day, from the sums of its buyers' appetites by class.
  func weight(ofAppetites appetites: [UInt64]) -> UInt64 {
    zip(scales, appetites).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
