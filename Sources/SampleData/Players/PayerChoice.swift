/// Decides which users pay, in the order in which they come.
///
/// The share of payers follows from the receipts: there are about fifty for a payer. Users who
/// stay longer are more often payers, and only they become dolphins and whales. These are counted
/// and not drawn, so that also a small game has its share of them.
struct PayerChoice: Sendable {
  private let seed: UInt64
  /// Payers of 65536 users, before the lifetime is taken into account.
  private let share: UInt64
  private var payers = 0
  private var dolphins = 0
  private var whales = 0

  init(receipts: Int, users: Int, seed: UInt64) {
    self.seed = seed
    let payers = UInt64(receipts / 50)
    share = max(65_536 * 3 / 100, min(65_536, payers * 65_536 / UInt64(users)))
  }

  /// The class of the next user, who stays for a lifetime in days.
  mutating func payerClass(of user: UInt32, lifetime: Int) -> PayerClass {
    if user == 0 { return .minnow }
    let tenths: UInt64 =
      switch lifetime {
      case 0: 3
      case ..<7: 8
      case ..<30: 18
      default: 30
      }
    let rank = SeededRandom.mix(seed, Salt.payer, UInt64(user)) >> 48
    guard rank < share * tenths / 10 else { return .none }
    payers += 1
    if lifetime >= 30, whales * 100 < payers {
      whales += 1
      return .whale
    }
    if lifetime >= 7, dolphins * 100 < payers * 9 {
      dolphins += 1
      return .dolphin
    }
    return .minnow
  }
}
