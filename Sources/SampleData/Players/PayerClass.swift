/// How much a user pays.
///
/// A hundredth of the payers are whales, who pay about half of the revenue.
enum PayerClass: Int, CaseIterable, Sendable {
  case none, minnow, dolphin, whale

  /// The share of the purchases, in percent; whales also buy the dearest products.
  var purchasePercent: UInt64 {
    switch self {
    case .none: 0
    case .minnow: 54
    case .dolphin: 27
    case .whale: 19
    }
  }

  /// The days with purchases, of four days played.
  var buyingDaysOfFour: UInt64 {
    switch self {
    case .none: 0
    case .minnow: 1
    case .dolphin: 2
    case .whale: 3
    }
  }

  /// How often the price tiers are chosen, from the cheapest on.
  var tierWeights: [Int] {
    switch self {
    case .none, .minnow: [30, 22, 16, 12, 9, 5, 3, 2, 1, 0]
    case .dolphin: [10, 12, 14, 16, 18, 12, 8, 6, 3, 1]
    case .whale: [1, 2, 3, 6, 12, 14, 16, 18, 16, 12]
    }
  }
}
