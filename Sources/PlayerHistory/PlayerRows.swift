/// The rows that the reports keep of one player.
///
/// Each is the row of a table of schema `rollup` without the columns that name the player; only the
/// first levels and most marks of firsts have no column, and count in the sums.
package struct PlayerRows: Equatable, Sendable {
  /// nil for a player without any row and without a kept observation.
  package var player: PlayerRow?
  package var firstLevels: [FirstLevel] = []
  package var days: [PlayerDay] = []
  package var purchases: [PurchaseRow] = []
  package var periods: [SubscriptionPeriod] = []
  /// Rows of `rollup.current_game_user`.
  package var snapshots: [LevelEvent] = []
  /// Rows of `rollup.character_change`.
  package var changes: [LevelEvent] = []

  package init() {}
}

/// A row of `rollup.player`.
package struct PlayerRow: Hashable, Sendable {
  package var firstObserved: Observation?
  package var firstObservedOn: Day?
  package var lastObservedAt: Instant?
  package var paidCount: Int64 = 0
  /// nil without a paid purchase, like the day and the last time.
  package var firstPaidAt: Instant?
  package var firstPaidOn: Day?
  package var lastPaidAt: Instant?
  /// The event that gives the current level; nil without any level.
  package var current: LevelEvent?
  package var lastLevelUpAt: Instant?
  package var highestLevel: Int32?

  mutating func add(_ one: Observation) {
    firstObserved = min(firstObserved ?? one, one)
    lastObservedAt = max(lastObservedAt ?? one.at, one.at)
  }
}

/// A row of `rollup.purchase`.
package struct PurchaseRow: Hashable, Sendable {
  package var receipt: Receipt
  package var purchasedOn: Day
  package var level: LevelAtInstant
  package var firsts: PurchaseFirsts
}
