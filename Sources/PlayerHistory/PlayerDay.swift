/// A day of a player with any row that has a time of its own, sandbox receipts included.
package struct PlayerDay: Equatable, Sendable {
  package var day: Day
  package var isObserved = false
  package var levelUpCount: Int64 = 0
  package var snapshotCount: Int64 = 0
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
  private let calendar: CalendarDays
  /// The last day of each kind.
  private var last: (observed: Day?, levelUp: Day?, snapshot: Day?)
  private var span: CalendarDays.Span?
  private var day = PlayerDay(day: Day(number: 0))
  private var days: [PlayerDay] = []

  init(calendar: CalendarDays) { self.calendar = calendar }

  /// Begins the day of `instant`, unless that day has begun; `levels` are those before the instant.
  mutating func enter(_ instant: Instant, _ levels: inout CharacterLevels) {
    if let span, span.contains(instant) { return }
    close(&levels)
    let new = calendar.span(of: instant)
    span = new
    day = PlayerDay(day: new.day)
  }

  mutating func note(_ event: LevelEvent) {
    day.isObserved = true
    if event.kind == .levelUp { day.levelUpCount += 1 } else { day.snapshotCount += 1 }
  }

  mutating func note(_ receipt: Receipt, isFirstPaid: Bool, isObservation: Bool) {
    if receipt.isPaid { day.paidCount += 1 }
    if isFirstPaid { day.isNewPayer = true }
    if isObservation { day.isObserved = true }
  }

  /// Returns the days; none follows.
  mutating func end(_ levels: inout CharacterLevels) -> [PlayerDay] {
    close(&levels)
    return days
  }

  private mutating func close(_ levels: inout CharacterLevels) {
    guard span != nil else { return }
    day.levelAtEnd = levels.level().level
    if day.isObserved {
      day.firstObserved = .begun(on: day.day, after: last.observed)
      last.observed = day.day
    }
    if day.levelUpCount > 0 {
      day.firstLevelUp = .begun(on: day.day, after: last.levelUp)
      last.levelUp = day.day
    }
    if day.snapshotCount > 0 {
      day.firstSnapshot = .begun(on: day.day, after: last.snapshot)
      last.snapshot = day.day
    }
    days.append(day)
  }
}
