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
    let hasSameTimes =
      before?.levels == after?.levels && before?.reachedAt == after?.reachedAt
    if hasSameTimes, before?.observed?.first.at == after?.observed?.first.at { return }
    add(before, 1, app: app, isRemoved: true)
    add(after, 1, app: app, isRemoved: false)
  }

  package mutating func removeAll() {
    durations.removeAll(keepingCapacity: true)
    reached.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ row: PlayerRow?, _ users: Int64, app: Int, isRemoved: Bool) {
    guard let row, let observed = row.observed else { return }
    let change = isRemoved ? -users : users
    for level in row.firstLevels {
      durations[
        Duration(
          app: app, level: level.level, kind: .firstObserved,
          bucket: DurationBucket.number(of: level.reachedAt.seconds(since: observed.first.at))),
        default: 0] += change
      if let previous = level.previousAt {
        durations[
          Duration(
            app: app, level: level.level, kind: .previousLevel,
            bucket: DurationBucket.number(of: level.reachedAt.seconds(since: previous))),
          default: 0] += change
      }
      let key = Level(app: app, level: level.level)
      var one = reached[key] ?? Reached()
      if isRemoved {
        one.removedAt = min(one.removedAt ?? level.reachedAt, level.reachedAt)
      } else {
        one.addedAt = min(one.addedAt ?? level.reachedAt, level.reachedAt)
      }
      reached[key] = one
    }
  }
}
