import SampleData
import Testing

/// The acquisition, retention and levels of the users of a generated game.
struct PlayingTests {
  let game: GameHistory
  /// The day of each user's first snapshot, and all days with one.
  let firstDays: [String: Int64]
  let playedDays: Set<UserDay>
  let launch: Int64

  init() throws {
    game = try GameHistory.twoMonths.get()
    var firstDays: [String: Int64] = [:]
    for facts in game.snapshots {
      firstDays[facts.user] = min(facts.day, firstDays[facts.user] ?? .max)
    }
    self.firstDays = firstDays
    playedDays = Set(game.snapshots.map { UserDay($0) })
    launch = try #require(firstDays.values.min())
  }

  /// The share of the users that play on exactly the n-th day after their first.
  private func retention(_ day: Int64) -> Double {
    let mature = firstDays.filter { $0.value + day < launch + 60 }
    let kept = mature.count { user, first in
      playedDays.contains(UserDay(user: user, day: first + day))
    }
    return Double(kept) / Double(mature.count)
  }

  @Test func `two in five users play on the next day, one in five after a week, few after a month`()
  {
    #expect((0.36...0.44).contains(retention(1)), "\(retention(1))")
    #expect((0.17...0.23).contains(retention(7)), "\(retention(7))")
    #expect((0.06...0.10).contains(retention(30)), "\(retention(30))")
    #expect(retention(0) == 1)
  }

  @Test func `all users come, most at the launch, and more on weekends than on other days`() {
    #expect(firstDays.count == 3000)
    func newcomers(_ days: Range<Int64>) -> Int {
      firstDays.values.count { days.contains($0 - launch) }
    }
    #expect(newcomers(0..<7) > 3 * newcomers(28..<35))
    // 2025-06-01 was a Sunday; four weeks after the peak.
    let weekends = [27, 34, 41, 48].map { newcomers($0..<$0 + 2) }.reduce(0, +)
    let workdays = [29, 36, 43].map { newcomers($0..<$0 + 4) }.reduce(0, +)
    #expect(Double(weekends) / 8 > 1.08 * Double(workdays) / 12, "\(weekends) \(workdays)")
  }

  @Test func `users level up and buy only on days on which they play`() {
    for facts in game.levelUps { #expect(playedDays.contains(UserDay(facts))) }
    let purchases = game.receipts.filter { $0.expiry == nil }
    #expect(purchases.count > 4000)
    for facts in purchases { #expect(playedDays.contains(UserDay(facts))) }
  }

  @Test func `no user is active before the first day, nor pays for a subscription before it`()
    throws
  {
    for facts in game.levelUps + game.receipts {
      #expect(facts.day >= (try #require(firstDays[facts.user])))
    }
  }

  @Test func `a snapshot shows the level of the last level-up before it`() throws {
    let events =
      (game.levelUps.map { ($0, isLevelUp: true) } + game.snapshots.map { ($0, isLevelUp: false) })
      .sorted { ($0.0.time, $1.isLevelUp ? 1 : 0) < ($1.0.time, $0.isLevelUp ? 1 : 0) }
    var levels: [[String?]: Int] = [:]
    for (facts, isLevelUp) in events {
      let key = [facts.user, facts.fields["characterId"]]
      let level = try #require(facts.fields["level"].flatMap { Int($0) })
      #expect(level == levels[key, default: 1] + (isLevelUp ? 1 : 0))
      levels[key] = level
    }
    #expect(levels.values.contains { $0 >= 30 })
  }

  @Test func `some users have several characters, and a few have none`() {
    var characters: [String: Set<String>] = [:]
    for facts in game.snapshots {
      characters[facts.user, default: []].formUnion([facts.fields["characterId"] ?? ""])
    }
    let several = characters.values.count { $0.count > 1 }
    #expect((100...600).contains(several), "\(several)")
    #expect((100...200).contains(characters.values.count { $0 == [""] }))
  }

  @Test func `fewer users reach each higher level`() {
    var highest: [String: Int] = [:]
    for facts in game.levelUps {
      highest[facts.user] = max(
        highest[facts.user] ?? 1, facts.fields["level"].flatMap { Int($0) } ?? 0)
    }
    let reached = [2, 4, 8, 16, 32].map { level in highest.values.count { $0 >= level } }
    for (lower, higher) in zip(reached, reached.dropFirst()) {
      #expect(lower > higher + 50, "\(reached)")
    }
  }
}
