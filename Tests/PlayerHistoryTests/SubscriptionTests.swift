import PlayerHistory
import Testing

@Suite struct SubscriptionTests {
  let player = Player()

  @Test func `a renewal up to 16 days after the end is one, a later one is a resubscription`() {
    player.buy("1", 0, until: 30, id: "a")
    player.buy("2", 46, until: 76, id: "b", original: "a")
    player.buy("3", 92 + 1 / 24.0, until: 122, id: "c", original: "a")
    #expect(
      player.periods == [
        "1 of 1: 0 to 30 new", "2 of 1: 46 to 76 renewal", "3 of 1: 92d1h to 122 resubscription",
      ])
    #expect(player.rows.periods.map(\.isRenewed) == [true, false, false])
    #expect(player.rows.periods.map(\.isExpiry) == [false, true, true])
    #expect(player.rows.periods.map(\.cohort?.renewalNumber) == [1, 2, nil])
  }

  @Test func `a period begins after those of its product, and a change of product ends them`() {
    player.buy("1", 0, product: "m", until: 30, id: "a")
    player.buy("2", 20, product: "m", until: 60, id: "b", original: "a")
    player.buy("3", 25, product: "y", until: 390, id: "c", original: "a")
    #expect(
      player.periods == [
        "1 of 1: 0 to 25 new", "2 of 1: 25 to 25 overlapped", "3 of 1: 25 to 390 renewal",
      ])
    #expect(player.rows.periods.map(\.lengthInDays) == [30, 0, 365])
  }

  @Test func `a period waits for the latest end, not for that of the receipt before`() {
    player.buy("1", 0, until: 60, id: "a")
    player.buy("2", 10, until: 30, id: "b", original: "a")
    player.buy("3", 20, until: 90, id: "c", original: "a")
    #expect(
      player.periods == [
        "1 of 1: 0 to 60 new", "2 of 1: 60 to 60 overlapped", "3 of 1: 60 to 90 renewal",
      ])
  }

  @Test(arguments: [(30 + 11 / 24.0, 30), (30.5, 31)])
  func `half a day counts as a day of a period's length`(end: Double, length: Int64) {
    player.buy("1", 0, until: end)
    #expect(player.rows.periods.map(\.lengthInDays) == [length])
  }

  @Test func `a purchase without length moves no end`() {
    player.buy("1", 0, until: 30, id: "a")
    // Its end lies before it.
    player.buy("2", 40, until: 39, id: "b", original: "a")
    player.buy("3", 50, until: 80, id: "c", original: "a")
    #expect(
      player.periods == [
        "1 of 1: 0 to 30 new", "2 of 1: 40 to 40 overlapped", "3 of 1: 50 to 80 resubscription",
      ])
  }

  @Test func `references join chains, whatever comes first`() {
    player.buy("9", 0, until: 30, id: "GPA.1")
    player.buy("8", 30, until: 60, id: "GPA.1..0")
    player.buy("7", 60, until: 90, id: "x", original: "GPA.1..0")
    player.buy("6", 0, product: "p", until: 10)
    player.buy("5", 10, product: "p", until: 20)
    player.buy("4", 0, product: "p", store: "AS", until: 10)
    player.buy("3", 0, product: "q", until: 10, id: "one")
    player.buy("2", 10, product: "q", until: 20, id: "two", original: "one")
    #expect(
      Set(player.periods) == [
        "9 of 7: 0 to 30 new", "8 of 7: 30 to 60 renewal", "7 of 7: 60 to 90 renewal",
        "6 of 5: 0 to 10 new", "5 of 5: 10 to 20 renewal", "4 of 4: 0 to 10 new",
        "3 of 2: 0 to 10 new", "2 of 2: 10 to 20 renewal",
      ])
  }

  private static let beginnings: [(id: String?, original: String?, isContinued: Bool)] = [
    (nil, "gone", true), (nil, "kept", false), ("GPA.1..3", nil, true), ("GPA.2", nil, false),
    ("own", "own", false),
  ]

  @Test(arguments: beginnings)
  func `a chain whose beginning is unknown is continued`(
    id: String?, original: String?, isContinued: Bool
  ) {
    player.buy("0", 0, id: "kept", isSandbox: true)
    player.buy("1", 1, until: 30, id: id, original: original)
    #expect(player.rows.periods.map(\.kind) == [isContinued ? .continued : .new])
    #expect(player.rows.periods.map { $0.cohort == nil } == [isContinued])
  }

  @Test func `the first paid renewal after a trial is a conversion`() {
    player.buy("1", 0, 0, until: 7, id: "a")
    player.buy("2", 7, 0, until: 14, id: "b", original: "a")
    player.buy("3", 14, until: 44, id: "c", original: "a")
    player.buy("4", 44, until: 74, id: "d", original: "a")
    #expect(player.rows.periods.map(\.isConverted) == [false, false, true, false])
    #expect(player.rows.periods.allSatisfy { $0.cohort?.start == .trial })
  }

  @Test func `a renewal is no observation of the user, and a sandbox receipt is none`() {
    player.buy("1", 0, until: 30, id: "a")
    player.buy("2", 30, until: 60, id: "b", original: "a")
    player.buy("3", 40, isSandbox: true)
    let rows = player.rows
    #expect(rows.days.map(\.isObserved) == [true, false, false])
    #expect(rows.player?.lastObservedAt == Player.at(0))
  }

  @Test func `a long path of references is one chain`() {
    let count = 3_000
    for number in 0..<count {
      player.buy(
        String(format(count - number)), Double(number), until: Double(number + 1),
        id: "p\(number)", original: number == 0 ? nil : "p\(number - 1)")
    }
    let rows = player.rows
    #expect(Set(rows.periods.map(\.chain)).count == 1)
    #expect(rows.periods.filter { $0.kind == .renewal }.count == count - 1)
  }

  private func format(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
