/// The rows of a player before and after a refresh, and where they differ.
package struct PlayerChange: Sendable {
  package struct Side: Sendable {
    package let rows: PlayerRows
    /// The places of the rows whose share of the sums is not that of the other side.
    package var levels: Range<Int>
    package var days: Range<Int>
    package var purchases: Range<Int>
  }

  package let before: Side
  package let after: Side
  /// True if a subscription period differs; each counts with the others of its chain.
  let hasPeriods: Bool

  package init(from before: PlayerRows, to after: PlayerRows) {
    let (old, new) = (before.player, after.player)
    let hasOtherCohort = old?.firstObservedOn != new?.firstObservedOn
    let levels = changedRanges(
      before.firstLevels, after.firstLevels, isWhole: old?.firstObserved != new?.firstObserved)
    let days = changedRanges(before.days, after.days, isWhole: hasOtherCohort)
    let purchases = changedRanges(
      before.purchases, after.purchases,
      isWhole: hasOtherCohort || old?.firstPaidOn != new?.firstPaidOn)
    self.before = Side(rows: before, levels: levels.0, days: days.0, purchases: purchases.0)
    self.after = Side(rows: after, levels: levels.1, days: days.1, purchases: purchases.1)
    hasPeriods = before.periods != after.periods
  }
}

/// The ranges of two arrays without what both begin and end with; `isWhole` leaves nothing out.
///
/// Most rows of a player are the same: those before the first change, and often those behind the
/// last.
package func changedRanges<Row: Equatable>(
  _ before: [Row], _ after: [Row], isWhole: Bool = false
) -> (Range<Int>, Range<Int>) {
  var (start, end, otherEnd) = (0, before.count, after.count)
  guard !isWhole else { return (start..<end, start..<otherEnd) }
  while start < min(end, otherEnd), before[start] == after[start] { start += 1 }
  while start < min(end, otherEnd), before[end - 1] == after[otherEnd - 1] {
    end -= 1
    otherEnd -= 1
  }
  return (start..<end, start..<otherEnd)
}
