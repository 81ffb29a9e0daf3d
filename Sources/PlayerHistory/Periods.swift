/// Periods of a day: the day itself, its week, its month, and all time.
///
/// Users do not add up over rows, but firsts do: each user has one first row in each period. So a row
/// tells in which periods it is the first of its player, and a report that counts users adds up
/// firsts.
package struct Periods: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let day = Periods(rawValue: 1 << 0)
  package static let week = Periods(rawValue: 1 << 1)
  package static let month = Periods(rawValue: 1 << 2)
  package static let ever = Periods(rawValue: 1 << 3)

  /// Those of `day` in which `last`, an earlier day or the same one, does not lie; all without it.
  static func begun(on day: Day, after last: Day?) -> Periods {
    guard let last else { return [.day, .week, .month, .ever] }
    guard last != day else { return [] }
    var begun: Periods = .day
    if last < day.week { begun.insert(.week) }
    if last < day.month { begun.insert(.month) }
    return begun
  }
}
