import PlayerHistory
import Testing

@Suite struct LevelCountTests {
  private static func row(_ levels: [(Int32, Double)], observed: Double = 0) -> PlayerRow {
    var row = PlayerRow()
    row.observed = ObservedSpan(Observation(at: Player.at(observed), stream: .levelUp))
    row.levels = levels.map(\.0)
    row.reachedAt = levels.map { Player.at($0.1) }
    return row
  }

  /// The counts that are not 0, as words: app, level, kind, hours, users.
  private static func durations(_ counts: LevelCounts) -> [String] {
    counts.durations.filter { $0.value != 0 }.map { duration, users in
      let kind = duration.kind == .firstObserved ? "first" : "previous"
      let hours = [12, 24, 36, 48].first {
        DurationBucket.number(of: Int64($0) * 3_600) == duration.bucket
      }
      return "\(duration.app) \(duration.level) \(kind) \(hours ?? -1) \(users)"
    }.sorted()
  }

  @Test func `each level counts the time since the first observation and the level before`() {
    var counts = LevelCounts()
    counts.count(Self.row([(1, 1), (2, 1.5)]), instead: nil, app: 0)
    counts.count(Self.row([(2, 1)]), instead: nil, app: 0)
    counts.count(Self.row([(2, 1)]), instead: nil, app: 1)
    #expect(
      Self.durations(counts) == [
        "0 1 first 24 1", "0 2 first 24 1", "0 2 first 36 1", "0 2 previous 12 1", "1 2 first 24 1",
      ])
    counts.removeAll()
    #expect(counts.count == 0)
  }

  @Test func `a player who goes on changes the counts of the new level alone`() {
    var counts = LevelCounts()
    counts.count(Self.row([(1, 1), (2, 2)]), instead: Self.row([(1, 1)]), app: 0)
    #expect(Self.durations(counts) == ["0 2 first 48 1", "0 2 previous 24 1"])
  }

  @Test func `equal times count nothing`() {
    var counts = LevelCounts()
    var later = Self.row([(1, 1)])
    later.observed?.add(Observation(at: Player.at(9), stream: .receipt))
    counts.count(later, instead: Self.row([(1, 1)]), app: 0)
    counts.count(nil, instead: nil, app: 0)
    #expect(counts.count == 0)
  }

  @Test func `an earlier first observation moves the times since it`() {
    var counts = LevelCounts()
    counts.count(Self.row([(1, 1)]), instead: Self.row([(1, 1)], observed: 0.5), app: 0)
    #expect(Self.durations(counts) == ["0 1 first 12 -1", "0 1 first 24 1"])
  }

  @Test func `a player who is gone takes the counts along`() {
    var counts = LevelCounts()
    counts.count(nil, instead: Self.row([(1, 1)]), app: 0)
    #expect(Self.durations(counts) == ["0 1 first 24 -1"])
  }
}
