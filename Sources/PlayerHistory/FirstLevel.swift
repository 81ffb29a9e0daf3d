/// The bucket of a duration, for percentiles that need no sorting.
///
/// A duration in whole seconds falls into the bucket of all durations with the same four highest
/// bits; below 16 s each second is a bucket of its own. So a bucket is at most 1/8 of its durations
/// wide, and its middle at most 6.3 % off. Buckets are counted, so any order of work gives the same
/// percentiles.
package enum DurationBucket {
  /// The number of the bucket of `seconds`, which is not negative; longer durations have larger
  /// numbers, without gaps.
  package static func number(of seconds: Int64) -> Int32 {
    let lowBits = max(0, 63 - seconds.leadingZeroBitCount - 3)
    return Int32(truncatingIfNeeded: Int64(8 * lowBits) + seconds >> lowBits)
  }
}

/// The first time at which a player reached a level, with any character.
package struct FirstLevel: Equatable, Sendable {
  package var level: Int32
  package var reachedAt: Instant
  /// The first time of the highest lower level that was reached no later; nil without one.
  package var previousAt: Instant?
}

extension FirstLevel {
  /// The first time of each level, ascending by level, from level-ups in any order.
  ///
  /// Takes n log n steps: the highest lower level reached no later is the nearest element to the
  /// left that is not greater, which a stack finds in one pass.
  static func all(of levelUps: some Sequence<LevelEvent>) -> [FirstLevel] {
    let sorted = levelUps.sorted { ($0.level, $0.at) < ($1.level, $1.at) }
    var found: [FirstLevel] = []
    found.reserveCapacity(sorted.count)
    // Places in `found` whose times ascend, so that a later level needs none but these.
    var reachable: [Int] = []
    for one in sorted where found.last?.level != one.level {
      while let last = reachable.last, found[last].reachedAt > one.at { reachable.removeLast() }
      reachable.append(found.count)
      let previous = reachable.dropLast().last
      found.append(
        FirstLevel(
          level: one.level, reachedAt: one.at, previousAt: previous.map { found[$0].reachedAt }))
    }
    return found
  }
}
