import SampleData
import Testing

/// The payments of subscriptions, half a year of them.
struct SubscriptionTests {
  private static let start: Int64 = 1_735_689_600_000
  private static let end = start + 180 * GameHistory.day
  private static let game = Result {
    try GameHistory(
      SampleOptions(
        seed: 6, count: 15_000, startMilliseconds: start, endMilliseconds: end, users: 4000,
        badShare: 0, repeatShare: 0),
      streams: [.receipt])
  }

  /// The payments of each user who has a subscription, in the order of time.
  private let subscriptions: [[GameLine]]
  private let receiptCount: Int

  init() throws {
    let receipts = try Self.game.get().receipts
    receiptCount = receipts.count
    let payments = receipts.filter { $0.expiry != nil }
    subscriptions = Dictionary(grouping: payments, by: \.user).values.map { payments in
      payments.sorted { $0.time < $1.time }
    }
  }

  /// The pairs of a payment and the next one of the same user.
  private var steps: [(GameLine, GameLine)] { subscriptions.flatMap { zip($0, $0.dropFirst()) } }

  @Test func `a part of the receipts are of subscriptions, and most of these are renewals`() {
    let payments = subscriptions.map(\.count).reduce(0, +)
    #expect((receiptCount / 20...receiptCount / 6).contains(payments), "\(payments)")
    #expect(payments > 2 * subscriptions.count)
  }

  @Test func `a user has one subscription of one product in one store`() {
    for payments in subscriptions {
      for field in ["gamebaseProductId", "storeCode", "marketItemId"] {
        #expect(Set(payments.map { $0.fields[field] }).count == 1)
      }
    }
  }

  @Test func `a period begins where the last one ends, or at a later payment`() throws {
    let lengths: [String: Int64] = [
      "vip_weekly": 7, "vip_monthly": 30, "vip_plus": 30, "vip_yearly": 365, "gems_30d": 30,
      "gems_plus_30d": 30,
    ]
    var trials = 0
    for payments in subscriptions {
      var last: Int64 = 0
      for facts in payments {
        let expiry = try #require(facts.expiry)
        let days = (expiry - max(last, facts.time)) / GameHistory.day
        let isTrial = facts.minorUnits == 0
        trials += isTrial ? 1 : 0
        let product = try #require(facts.fields["gamebaseProductId"])
        #expect(days == (isTrial ? product == "vip_yearly" ? 14 : 7 : lengths[product]))
        #expect(!isTrial || last == 0)
        last = expiry
      }
    }
    #expect(trials > 20)
  }

  @Test func `about half of the trials become paid subscriptions`() throws {
    // Trials whose conversion is still open are left out.
    let trials = subscriptions.filter {
      $0[0].minorUnits == 0 && ($0[0].expiry ?? 0) + 16 * GameHistory.day < Self.end
    }
    let converted = trials.count {
      $0.count > 1 && $0[1].time <= ($0[0].expiry ?? 0) + 16 * GameHistory.day
    }
    #expect(trials.count > 40)
    let share = Double(converted) / Double(trials.count)
    #expect((0.3...0.62).contains(share), "\(converted) of \(trials.count)")
  }

  @Test func `payments come before, at and after the end of a period, and some much later`() throws {
    let gaps = try steps.map { try $1.time - #require($0.expiry) }
    #expect(gaps.count { $0 < 0 } > gaps.count / 4)
    #expect(gaps.count { $0 == 0 } > gaps.count / 8)
    #expect(gaps.count { $0 > 0 && $0 <= 16 * GameHistory.day } > gaps.count / 20)
    let returns = gaps.count { $0 > 16 * GameHistory.day }
    #expect(returns > 5 && returns < gaps.count / 10, "\(returns) of \(gaps.count)")
    #expect(gaps.allSatisfy { $0 < 76 * GameHistory.day })
  }

  @Test func `a part of the subscriptions ends`() throws {
    let ended = try subscriptions.count {
      try #require($0.last?.expiry) + 16 * GameHistory.day < Self.end
    }
    #expect((subscriptions.count / 4...subscriptions.count * 3 / 4).contains(ended))
  }

  /// Google's number without its count of renewals.
  private func order(_ number: String) -> String { number.components(separatedBy: "..")[0] }

  @Test func `the payments of a subscription are linked as the store links them`() throws {
    var linked: [String: Int] = [:]
    for payments in subscriptions {
      let originals = payments.map { $0.fields["originalPaymentId"] }
      let numbers = payments.map { $0.fields["paymentId"] }
      switch (numbers[0], originals[0]) {
      case (nil, nil):
        #expect(numbers.allSatisfy { $0 == nil } && originals.allSatisfy { $0 == nil })
        linked["product", default: 0] += 1
      case (nil, .some):
        #expect(numbers.allSatisfy { $0 == nil })
        linked["original", default: 0] += 1
      case (.some(let first), let original):
        #expect(original == nil || original == first)
        #expect(Set(numbers).count == numbers.count)
        #expect(!first.contains(".."))
        linked[original == nil ? "payment" : "both", default: 0] += 1
      }
      // A user who comes back to Google after the end has a new order.
      let isGoogle = (numbers[0] ?? originals[0])?.hasPrefix("GPA.") == true
      for (index, (facts, next)) in zip(payments, payments.dropFirst()).enumerated() {
        let isReturn = next.time > (try #require(facts.expiry)) + 16 * GameHistory.day
        if let original = originals[index], let nextOriginal = originals[index + 1] {
          #expect((original == nextOriginal) == !(isGoogle && isReturn))
        }
        if isGoogle, let number = numbers[index], let nextNumber = numbers[index + 1] {
          #expect((order(number) == order(nextNumber)) == !isReturn)
          let count = number.components(separatedBy: "..").dropFirst().first.flatMap { Int($0) }
          #expect(
            nextNumber == (isReturn ? order(nextNumber) : "\(order(number))..\((count ?? -1) + 1)"))
        }
      }
    }
    #expect(Set(linked.keys) == ["product", "original", "payment", "both"])
    #expect(linked.values.allSatisfy { $0 > subscriptions.count / 30 }, "\(linked)")
  }
}
