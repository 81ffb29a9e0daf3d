import SampleData
import Testing

/// The distribution of purchases over users, products and currencies.
struct RevenueTests {
  /// The price of the cheapest tier in minor units; all tiers are in about the same proportion.
  private static let cheapest: [String: Double] = [
    "KRW": 1200, "USD": 99, "JPY": 160, "EUR": 99, "TWD": 3000, "IDR": 1_500_000, "THB": 3500,
    "BRL": 590, "GBP": 99, "HUF": 39_900, "VND": 25_000, "KWD": 305,
  ]

  private func isPaid(_ facts: GameLine) -> Bool {
    facts.fields["sandbox"] != "true" && facts.fields["promotion"] != "true"
      && facts.minorUnits > 0
  }

  /// The share of the revenue that the top hundredth of the payers has, rounded up.
  private func topShare(_ receipts: [GameLine]) throws -> Double {
    var revenue: [String: Double] = [:]
    for facts in receipts where isPaid(facts) {
      let unit = try #require(Self.cheapest[facts.fields["currency"] ?? ""])
      revenue[facts.user, default: 0] += Double(facts.minorUnits) / unit
    }
    let ranked = revenue.values.sorted(by: >)
    return ranked.prefix((ranked.count + 99) / 100).reduce(0, +) / ranked.reduce(0, +)
  }

  @Test(arguments: [UInt64(1), 2], [Int64(30), 180])
  func `the top hundredth of the payers pays about half`(seed: UInt64, days: Int64) throws {
    let options = SampleOptions(
      seed: seed, count: 15_000, startMilliseconds: 1_735_689_600_000,
      endMilliseconds: 1_735_689_600_000 + days * GameHistory.day, users: 3000, badShare: 0,
      repeatShare: 0)
    let share = try topShare(try GameHistory(options, streams: [.receipt]).receipts)
    #expect((0.40...0.60).contains(share), "\(share)")
  }

  @Test func `a part of the users pays, and most come back to pay again`() throws {
    let game = try GameHistory.twoMonths.get()
    var counts: [String: Int] = [:]
    for facts in game.receipts where isPaid(facts) { counts[facts.user, default: 0] += 1 }
    #expect((90...300).contains(counts.count), "\(counts.count)")
    #expect(counts.values.count { $0 > 1 } > counts.count / 2)
  }

  @Test func `users pay in one currency, but for a few purchases`() throws {
    var currencies: [String: [String: Int]] = [:]
    let receipts = try GameHistory.twoMonths.get().receipts
    for facts in receipts {
      currencies[facts.user, default: [:]][facts.fields["currency"] ?? "", default: 0] += 1
    }
    let main = currencies.values.map { $0.values.max() ?? 0 }.reduce(0, +)
    #expect((0.9...0.99).contains(Double(main) / Double(receipts.count)))
    let all = Set(receipts.compactMap { $0.fields["currency"] })
    #expect(all.isSuperset(of: ["KRW", "JPY", "USD", "EUR", "KWD"]))
  }
}
