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
      let hours = (0..<1_000).first {
        DurationBucket.number(of: Int64($0) * 3_600) == duration.bucket
      }
      return "\(duration.app) \(duration.level) \(kind) \(hours ?? -1) \(users)"
    }.sorted()
  }

  /// The first times of a level of the application with number 0.
  private static func reached(_ level: Int32, _ counts: LevelCounts) -> LevelCounts.Reached? {
    counts.reached.first { $0.key.app == 0 && $0.key.level == level }?.value
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
    let reached = Self.reached(2, counts)
    #expect(reached?.addedAt == Player.at(1) && reached?.removedAt == nil)
    counts.removeAll()
    #expect(counts.count == 0)
  }

  @Test func `a player who goes on changes the counts of the new level alone`() {
    var counts = LevelCounts()
    counts.count(Self.row([(1, 1), (2, 2)]), instead: Self.row([(1, 1)]), app: 0)
    #expect(Self.durations(counts) == ["0 2 first 48 1", "0 2 previous 24 1"])
    #expect(Self.reached(1, counts) == nil)
    let new = Self.reached(2, counts)
    #expect(new?.addedAt == Player.at(2) && new?.removedAt == nil)
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
    let reached = Self.reached(1, counts)
    #expect(reached?.addedAt == nil && reached?.removedAt == Player.at(1))
  }
}
