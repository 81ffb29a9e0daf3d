import Testing

@testable import PlayerHistory

struct PaidGroupTests {
  @Test func `each currency, level and attribution has a number of its own`() {
    var levels = [LevelAtInstant.none]
    for level in [Int32.min, -1, 0, 1, Int32.max] {
      levels.append(LevelAtInstant(attribution: .exact, level: level))
      levels.append(LevelAtInstant(attribution: .highestOfSeveral, level: level))
    }
    let currencies = ["USD", "USE", "KRW", "\0\0\0", "\u{7F}\u{7F}\u{7F}"]
    let groups = currencies.flatMap { currency in
      levels.map { PaidGroup(currency: currency.utf8, at: $0) }
    }
    #expect(Set(groups).count == currencies.count * levels.count)
    #expect(Set(groups.map(\.currency)).count == currencies.count)
  }
}
