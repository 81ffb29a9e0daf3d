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
