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

/// Finds the firsts of one player's days, which come in order.
private struct FirstDays {
  /// The last day of each kind.
  private var observedOn: Day?
  private var levelUpOn: Day?
  private var snapshotOn: Day?

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
  private var firstDays = FirstDays()
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
    day.firsts = firstDays.next(day)
    days.append(day)
  }
}
