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
  package var firsts: DayFirsts = []

  package init(day: Day) { self.day = day }
}

/// The periods in which a day is the first one of its player that counts.
///
/// Users do not add up over days, but firsts do, so a week's users are the sum of its days' firsts.
package struct DayFirsts: OptionSet, Sendable {
  package let rawValue: Int16

  package init(rawValue: Int16) { self.rawValue = rawValue }

  package static let observedOfWeek = DayFirsts(rawValue: 1 << 0)
  package static let observedOfMonth = DayFirsts(rawValue: 1 << 1)
  package static let levelUpOfWeek = DayFirsts(rawValue: 1 << 2)
  package static let levelUpOfMonth = DayFirsts(rawValue: 1 << 3)
  package static let snapshotOfWeek = DayFirsts(rawValue: 1 << 4)
  package static let snapshotOfMonth = DayFirsts(rawValue: 1 << 5)
}

/// Finds the firsts of one player's days, which come in order; the last day may come again.
package struct FirstDays: Equatable, Sendable {
  /// The last day of each kind.
  package private(set) var observedOn: Day?
  package private(set) var levelUpOn: Day?
  package private(set) var snapshotOn: Day?

  package init(observedOn: Day? = nil, levelUpOn: Day? = nil, snapshotOn: Day? = nil) {
    self.observedOn = observedOn
    self.levelUpOn = levelUpOn
    self.snapshotOn = snapshotOn
  }

  mutating func next(_ day: PlayerDay) -> DayFirsts {
    var firsts: DayFirsts = []
    if day.isObserved {
      if observedOn?.week != day.day.week { firsts.insert(.observedOfWeek) }
      if observedOn?.month != day.day.month { firsts.insert(.observedOfMonth) }
      observedOn = day.day
    }
    if day.levelUpCount > 0 {
      if levelUpOn?.week != day.day.week { firsts.insert(.levelUpOfWeek) }
      if levelUpOn?.month != day.day.month { firsts.insert(.levelUpOfMonth) }
      levelUpOn = day.day
    }
    if day.snapshotCount > 0 {
      if snapshotOn?.week != day.day.week { firsts.insert(.snapshotOfWeek) }
      if snapshotOn?.month != day.day.month { firsts.insert(.snapshotOfMonth) }
      snapshotOn = day.day
    }
    return firsts
  }
}

/// Collects the days of one player, whose rows come in time order.
struct DayPass {
  private let calendar: CalendarDays
  private var firstDays: FirstDays
  private var span: CalendarDays.Span?
  private var day: PlayerDay
  private var newestAt: Instant?
  private var hasChanged = false
  private var days: [PlayerDay] = []

  /// Continues the last day of the state.
  init(calendar: CalendarDays, state: PlayerState) {
    self.calendar = calendar
    firstDays = state.firstDays
    newestAt = state.newestAt
    span = state.newestAt.map { calendar.span(of: $0) }
    day = state.lastDay ?? PlayerDay(day: Day(number: 0))
  }

  /// Begins the day of `instant`, unless that day has begun; `levels` are those before the instant.
  mutating func enter(_ instant: Instant, _ levels: inout CharacterLevels) {
    newestAt = instant
    if let span, span.contains(instant) {
      hasChanged = true
      return
    }
    close(&levels)
    let new = calendar.span(of: instant)
    span = new
    day = PlayerDay(day: new.day)
    hasChanged = true
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

  /// Returns the new and changed days, and moves the state on.
  mutating func end(_ levels: inout CharacterLevels, _ state: inout PlayerState) -> [PlayerDay] {
    close(&levels)
    state.newestAt = newestAt
    state.firstDays = firstDays
    if let last = days.last { state.lastDay = last }
    return days
  }

  private mutating func close(_ levels: inout CharacterLevels) {
    guard span != nil, hasChanged else { return }
    day.levelAtEnd = levels.level().level
    // A day that goes on keeps its firsts.
    day.firsts.formUnion(firstDays.next(day))
    days.append(day)
    hasChanged = false
  }
}
