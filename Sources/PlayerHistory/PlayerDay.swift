/// A day of a player with any row that has a time of its own, sandbox receipts included.
package struct PlayerDay: Hashable, Sendable {
  package var day: Day
  package var isObserved = false
  package var levelUpCount: Int64 = 0
  package var paidCount: Int64 = 0
  package var isNewPayer = false
  /// nil while no level is known.
  package var levelAtEnd: Int32?
  /// The periods in which it is the first day with an observation, with a level-up, with a snapshot.
  package var firstObserved: Periods = []
  package var firstLevelUp: Periods = []
  package var firstSnapshot: Periods = []

  package init(day: Day) { self.day = day }
}

/// Collects the days of one player, whose rows come in time order.
struct DayPass {
  private(set) var days: [PlayerDay] = []
  /// The last day of each kind.
  private var last: (observed: Day?, levelUp: Day?, snapshot: Day?)

  /// - Parameter level: the player's level after the event.
  mutating func note(_ event: LevelEvent, on day: Day, level: Int32?) {
    let row = enter(day, level, isObserved: true)
    if event.kind == .levelUp {
      days[row].levelUpCount += 1
      days[row].firstLevelUp.formUnion(.begun(on: day, after: last.levelUp))
      last.levelUp = day
    } else {
      days[row].firstSnapshot.formUnion(.begun(on: day, after: last.snapshot))
      last.snapshot = day
    }
  }

  mutating func note(_ purchase: PurchaseRow, isObserved: Bool) {
    let row = enter(purchase.purchasedOn, purchase.level.level, isObserved: isObserved)
    if purchase.receipt.isPaid { days[row].paidCount += 1 }
    if purchase.firsts.paid.contains(.ever) { days[row].isNewPayer = true }
  }

  /// Returns the place of a day's row, which is the last one.
  private mutating func enter(_ day: Day, _ level: Int32?, isObserved: Bool) -> Int {
    if days.last?.day != day { days.append(PlayerDay(day: day)) }
    let row = days.count - 1
    days[row].levelAtEnd = level
    if isObserved {
      days[row].isObserved = true
      days[row].firstObserved.formUnion(.begun(on: day, after: last.observed))
      last.observed = day
    }
    return row
  }
}
