/// The differences that the first levels of players make to the durations until levels.
///
/// Counts of durations add up over players, so a refresh sends the differences alone.
package struct LevelCounts {
  package struct Duration: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
      case firstObserved
      case previousLevel
    }
    /// The number of the application.
    package let app: Int
    package let level: Int32
    package let kind: Kind
    /// See `DurationBucket`.
    package let bucket: Int32
  }

  package private(set) var durations: [Duration: Int64] = [:]

  package init() {}

  package var count: Int { durations.count }

  /// Counts the difference between a player's levels before and after.
  ///
  /// - Parameter before: nil when everything is counted anew.
  package mutating func count(_ after: PlayerRow?, instead before: PlayerRow?, app: Int) {
    var old = Self.times(of: before)[...]
    var new = Self.times(of: after)[...]
    // Both are in the order of the levels.
    while let level = [old.first?.level, new.first?.level].compactMap(\.self).min() {
      let removed = old.first?.level == level ? old.removeFirst() : nil
      let added = new.first?.level == level ? new.removeFirst() : nil
      if removed == added { continue }
      if let removed { add(removed, -1, app: app) }
      if let added { add(added, 1, app: app) }
    }
  }

  package mutating func removeAll() {
    durations.removeAll(keepingCapacity: true)
  }

  /// A level of a player, with the times that its durations begin with.
  private struct Times: Equatable {
    let level: Int32
    let reachedAt: Instant
    let previousAt: Instant?
    let firstObservedAt: Instant
  }

  private static func times(of row: PlayerRow?) -> [Times] {
    guard let row, let observed = row.observed else { return [] }
    return row.firstLevels.map {
      Times(
        level: $0.level, reachedAt: $0.reachedAt, previousAt: $0.previousAt,
        firstObservedAt: observed.first.at)
    }
  }

  private mutating func add(_ times: Times, _ users: Int64, app: Int) {
    durations[
      Duration(
        app: app, level: times.level, kind: .firstObserved,
        bucket: DurationBucket.number(of: times.reachedAt.seconds(since: times.firstObservedAt))),
      default: 0] += users
    if let previous = times.previousAt {
      durations[
        Duration(
          app: app, level: times.level, kind: .previousLevel,
          bucket: DurationBucket.number(of: times.reachedAt.seconds(since: previous))),
        default: 0] += users
    }
  }
}

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
  package static func all(of levelUps: [(level: Int32, at: Instant)]) -> [FirstLevel] {
    var sorted = levelUps
    let isAscending = zip(levelUps, levelUps.dropFirst()).allSatisfy { $0.level < $1.level }
    if !isAscending { sorted.sort { ($0.level, $0.at) < ($1.level, $1.at) } }
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
