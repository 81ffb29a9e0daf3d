/// The state of a player after a fold, from which later rows continue.
///
/// The next rows must lie after `newestAt`, or have no time of their own. Any other change, such as
/// a late or a deleted row, needs a fold over all rows of the player.
package struct PlayerState: Equatable, Sendable {
  /// The time of the newest row that has one; nil without such a row.
  package var newestAt: Instant?
  package var observed: ObservedSpan?
  package var payments = Payments()
  /// The event that counts of each character, by character.
  package var characters: [LevelEvent] = []
  /// The newest snapshot of each character in each channel.
  package var snapshots: [LevelEvent] = []
  /// Ascending by level.
  package var firstLevels: [FirstLevel] = []
  package var lastLevelUpAt: Instant?
  /// The groups of the paid purchases, ascending.
  package var paidGroups: [PaidGroup] = []
  /// True if the first receipt of a subscription names an original that is none of the receipts.
  package var awaitsOriginal = false
  /// The day of `newestAt`.
  package var lastDay: PlayerDay?
  package var firstDays = FirstDays()

  package init() {}
}

/// The counts of a player's receipts, and the times of the paid ones.
package struct Payments: Equatable, Sendable {
  package var receiptCount: Int64 = 0
  package var subscriptionCount: Int64 = 0
  package var paidCount: Int64 = 0
  /// nil without a paid purchase, like the day and the last time.
  package var firstPaidAt: Instant?
  package var firstPaidOn: Day?
  package var lastPaidAt: Instant?

  package init() {}

  /// Adds a receipt that lies after the counted ones.
  mutating func add(_ receipt: Receipt, _ calendar: CalendarDays) {
    receiptCount += 1
    if receipt.isSubscription { subscriptionCount += 1 }
    guard receipt.isPaid else { return }
    paidCount += 1
    if firstPaidAt == nil {
      firstPaidAt = receipt.purchasedAt
      firstPaidOn = calendar.span(of: receipt.purchasedAt).day
    }
    lastPaidAt = receipt.purchasedAt
  }
}

/// A currency, level and attribution of a player's paid purchases, as one number.
///
/// The number holds three bytes of the currency, two bits of the attribution and the level.
package struct PaidGroup: Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// - Parameter currency: three bytes.
  init(currency: some Sequence<UInt8>, at level: LevelAtInstant) {
    var number: Int64 = 0
    for byte in currency { number = number << 8 | Int64(byte) }
    let attribution: Int64 =
      switch level.attribution {
      case .none: 0
      case .exact: 1
      case .highestOfSeveral: 2
      }
    let bits = UInt32(bitPattern: level.level ?? 0)
    rawValue = (number << 2 | attribution) << 32 | Int64(bits)
  }

  var currency: Int64 { rawValue >> 34 }
}

/// The reason why the figures of a player cannot be computed; it has no value of a row.
package enum PlayerFault: Error, Equatable {
  /// A receipt has no figures, or figures have no receipt.
  case unmatchedPurchases
  case repeatedPurchase
  case repeatedDay
  case repeatedCharacter
  case repeatedPeriod
  case repeatedChange
  /// A test asked for it.
  case planted

  /// One clause for messages.
  package var reason: String {
    switch self {
    case .unmatchedPurchases: "the figures are not one for each receipt"
    case .repeatedPurchase: "two receipts have the same payment"
    case .repeatedDay: "two rows have the same day"
    case .repeatedCharacter: "two rows have the same character"
    case .repeatedPeriod: "two subscription periods have the same receipt"
    case .repeatedChange: "a character has two changes at the same time"
    case .planted: "a test asked for it"
    }
  }
}

extension PlayerFigures {
  /// Throws when the reports could not store the figures, because two of their rows would have one key.
  package func check() throws(PlayerFault) {
    guard purchases.count == receipts.count else { throw .unmatchedPurchases }
    // Receipts of one payment have one time, and come by time and payment.
    guard zip(receipts, receipts.dropFirst()).allSatisfy({ $0.paymentSeq != $1.paymentSeq }) else {
      throw .repeatedPurchase
    }
    guard Self.isAscending(days.map(\.day)) else { throw .repeatedDay }
    guard Set(state.characters.map(\.character)).count == state.characters.count else {
      throw .repeatedCharacter
    }
    guard Set(periods.map(\.receipt)).count == periods.count else { throw .repeatedPeriod }
    guard Set(changes.map(\.key)).count == changes.count else {
      throw .repeatedChange
    }
  }

  private static func isAscending(_ days: [Day]) -> Bool {
    zip(days, days.dropFirst()).allSatisfy { $0 < $1 }
  }
}
