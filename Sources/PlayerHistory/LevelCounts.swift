/// The differences that the first levels of players make to the figures of levels.
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

  package struct Level: Hashable, Sendable {
    package let app: Int
    package let level: Int32
  }

  package struct Reached: Sendable {
    package var addedAt: Instant?
    package var removedAt: Instant?
  }

  package private(set) var durations: [Duration: Int64] = [:]
  /// The earliest of the first times that are added and removed.
  package private(set) var reached: [Level: Reached] = [:]

  package init() {}

  package var count: Int { durations.count + reached.count }

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
    reached.removeAll(keepingCapacity: true)
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
    let key = Level(app: app, level: times.level)
    var one = reached[key] ?? Reached()
    if users < 0 {
      one.removedAt = min(one.removedAt ?? times.reachedAt, times.reachedAt)
    } else {
      one.addedAt = min(one.addedAt ?? times.reachedAt, times.reachedAt)
    }
    reached[key] = one
  }
}
