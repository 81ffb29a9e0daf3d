import PlayerHistory
import Testing

/// One player with 50,000 of each: the work grows with n log n, so these end in a moment.
@Suite struct SizeTests {
  let player = Player()
  static let count = 50_000

  @Test func `characters whose levels rise and fall, with a purchase after each`() {
    for number in 0..<Self.count {
      let day = Double(number) / 24
      player.level(day, Int32(number % 1_000), "c\(number)")
      player.buy("p\(number)", day)
    }
    let rows = player.rows
    #expect(rows.purchases.last?.level.level == 999)
  }

  @Test func `one character whose level falls each time`() {
    for number in 0..<Self.count {
      player.level(Double(number) / 24, Int32(Self.count - number), "c")
      player.level(Double(number) / 24, 7, "d")
    }
    player.buy("p", Double(Self.count) / 24)
    let rows = player.rows
    #expect(rows.firstLevels.count == Self.count)
    #expect(rows.purchases.last?.level.level == 7)
  }

  @Test func `subscriptions of as many products, in one chain and in as many`() {
    for number in 0..<Self.count {
      let day = Double(number) / 24
      player.buy(
        "p\(number)", day, product: "m\(number)", until: day + 1, id: "i\(number)",
        original: number % 2 == 0 ? "i0" : nil)
    }
    let rows = player.rows
    #expect(rows.periods.count == Self.count)
    #expect(Set(rows.periods.map(\.chain)).count == Self.count / 2 + 1)
  }

  @Test func `currencies, prices and products of as many purchases at one instant`() {
    for number in 0..<Self.count {
      // A currency has three bytes.
      let digits = String(number, radix: 36)
      let currency = String(repeating: "0", count: max(0, 3 - digits.count)) + digits.suffix(3)
      player.buy(
        "p\(number)", 1, Int64.max - Int64(number), currency, product: "m\(number)")
    }
    let rows = player.rows
    #expect(rows.days.map(\.paidCount) == [Int64(Self.count)])
    #expect(rows.purchases.filter { $0.firsts.inCurrency.contains(.ever) }.count == 36 * 36 * 36)
  }
}
