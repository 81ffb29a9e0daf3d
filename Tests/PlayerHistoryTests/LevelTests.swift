import Testing

@testable import PlayerHistory

@Suite struct LevelTests {
  let player = Player()

  @Test func `the level at a purchase is the latest one at or before it`() {
    player.buy("1", 1)
    player.level(2, 5, "knight", channel: "asia", characterClass: "k")
    player.buy("2", 2)
    player.level(3, 4, "knight", kind: .snapshot)
    player.buy("3", 3.5)
    let levels = player.rows.purchases.map(\.level)
    #expect(levels.map(\.level) == [nil, 5, 4])
    #expect(levels.map(\.attribution) == [.none, .exact, .exact])
    #expect(player.texts.string(levels[1].channel) == "asia")
    #expect(player.texts.string(levels[1].character) == "knight")
  }

  @Test func `of several characters the highest level counts, also after it fell`() {
    player.level(1, 50, "a")
    player.level(2, 10, "b")
    player.buy("1", 3)
    player.level(4, 1, "a")
    player.buy("2", 5)
    let levels = player.rows.purchases.map(\.level)
    #expect(levels.map(\.level) == [50, 10])
    #expect(levels.map(\.attribution) == [.highestOfSeveral, .highestOfSeveral])
    #expect(levels.allSatisfy { $0.character == .null })
  }

  @Test func `of characters of one level the one with the latest event is the current one`() {
    player.level(1, 7, "a")
    player.level(2, 7, "b")
    #expect(player.texts.string(player.rows.player?.current?.character ?? .null) == "b")
  }

  @Test func `at one instant a character's highest level counts, of equal ones the snapshot`() {
    player.level(1, 7, "a", channel: "l")
    player.level(1, 7, "a", kind: .snapshot, channel: "z")
    player.level(1, 7, "a", kind: .snapshot, channel: "b")
    player.level(1, 7, "a", kind: .snapshot)
    player.level(1, 6, "a", kind: .snapshot, channel: "a")
    for _ in 0..<20 {
      player.history.levels.shuffle()
      #expect(player.texts.string(player.rows.player?.current?.channel ?? .null) == "b")
    }
  }

  @Test func `a row without a time of its own counts only for a character without others`() {
    player.level(5, 3, "a", kind: .loadStart)
    player.level(1, 2, "a")
    player.level(5, 9, "b", kind: .loadStart, file: 2)
    player.level(4, 11, "b", kind: .loadStart, file: 3)
    player.level(4, 8, "b", kind: .loadStart, file: 3)
    let rows = player.rows
    #expect(rows.player?.current?.level == 8)
    #expect(rows.days.map(\.levelAtEnd) == [2])
    #expect(rows.player?.lastObservedAt == Player.at(1))
  }

  @Test func `the previous level is the highest lower one that was reached no later`() {
    for (day, level) in [(1.0, 1), (2, 5), (2, 3), (3, 4), (4, 2), (5, 6), (6, 5)] {
      player.level(day, Int32(level))
    }
    let found = player.rows.firstLevels
    #expect(found.map(\.level) == [1, 2, 3, 4, 5, 6])
    #expect(
      found.map { $0.previousAt.map { $0.microseconds / Player.day } } == [nil, 1, 1, 2, 2, 2])
  }

  @Test func `the level at a day's end is that of the day`() {
    player.level(1.2, 3)
    player.level(1.9, 4)
    player.level(3, 5)
    player.buy("1", 2.5)
    let days = player.rows.days
    #expect(days.map(\.day.number) == [1, 2, 3])
    #expect(days.map(\.levelAtEnd) == [4, 4, 5])
    #expect(days.map(\.levelUpCount) == [2, 0, 1])
  }

  @Test(arguments: 0..<200)
  func `levels equal those of a search among all events`(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      player.level(
        Double(Int.random(in: 0..<15, using: &random)), .random(in: 0...4, using: &random),
        ["a", "b", "c", nil].randomElement(using: &random) ?? nil,
        kind: Bool.random(using: &random) ? .levelUp : .snapshot,
        channel: ["x", "y", nil].randomElement(using: &random) ?? nil)
    }
    for number in 0..<10 { player.buy("\(number)", Double(number) * 1.5) }
    for purchase in player.rows.purchases {
      #expect(purchase.level == searchedLevel(at: purchase.receipt.purchasedAt))
    }
  }

  /// The level by its definition: an independent, slow search.
  private func searchedLevel(at instant: Instant) -> LevelAtInstant {
    func order(_ id: TextID) -> String { player.texts.string(id) ?? "\u{10FFFF}" }
    let known = player.history.levels.filter { $0.at <= instant }
    let characters = Set(known.map(\.character))
    let latest = characters.compactMap { character in
      known.filter { $0.character == character }.min {
        if $0.at != $1.at { return $0.at > $1.at }
        if $0.level != $1.level { return $0.level > $1.level }
        if $0.kind != $1.kind { return $0.kind == .snapshot }
        return order($0.channel) < order($1.channel)
      }
    }
    let best = latest.min {
      if $0.level != $1.level { return $0.level > $1.level }
      if $0.at != $1.at { return $0.at > $1.at }
      return order($0.character) < order($1.character)
    }
    guard let best else { return LevelAtInstant(attribution: .none) }
    guard characters.count == 1 else {
      return LevelAtInstant(attribution: .highestOfSeveral, level: best.level)
    }
    return LevelAtInstant(
      attribution: .exact, level: best.level, character: best.character, channel: best.channel,
      characterClass: best.characterClass)
  }
}

/// A random number generator with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
