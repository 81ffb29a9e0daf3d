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

/// Decides which users pay.
///
/// The share of payers follows from the receipts: there are about fifty for a payer. Users who
/// stay longer are more often payers, and only they become dolphins and whales.
struct PayerChoice: Sendable {
  private let seed: UInt64
  /// Payers of 65536 users, before the lifetime is taken into account.
  private let share: UInt64

  init(receipts: Int, users: Int, seed: UInt64) {
    self.seed = seed
    let payers = UInt64(receipts / 50)
    share = max(65_536 * 3 / 100, min(65_536, payers * 65_536 / UInt64(users)))
  }

  /// The class of a user with a lifetime in days.
  func payerClass(of user: UInt32, lifetime: Int) -> PayerClass {
    if user == 0 { return .minnow }
    let tenths: UInt64 =
      switch lifetime {
      case 0: 3
      case ..<7: 8
      case ..<30: 18
      default: 30
      }
    let bits = SeededRandom.mix(seed, Salt.payer, UInt64(user))
    guard bits & 0xFFFF < share * tenths / 10 else { return .none }
    // An eighth of the payers stay a month, and two thirds a week.
    let rank = bits >> 32 % 1000
    if lifetime >= 30, rank < 29 { return .whale }
    return lifetime >= 7 && rank < 160 ? .dolphin : .minnow
  }
}
