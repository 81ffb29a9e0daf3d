import Foundation
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

  /// The payments of each user for one product, in the order of time.
  private let subscriptions: [[GameLine]]
  private let receiptCount: Int

  init() throws {
    let receipts = try Self.game.get().receipts
    receiptCount = receipts.count
    let payments = receipts.filter { $0.expiry != nil }
    subscriptions = Dictionary(grouping: payments) {
      [$0.user, $0.fields["gamebaseProductId"] ?? ""]
    }.values.map { payments in payments.sorted { $0.time < $1.time } }
  }

  /// The pairs of a payment and the next one of the same user and product.
  private var steps: [(GameLine, GameLine)] { subscriptions.flatMap { zip($0, $0.dropFirst()) } }

  /// The payments that follow each other within 16 days after the end.
  private func unbroken() throws -> [[GameLine]] {
    var parts: [[GameLine]] = []
    for payments in subscriptions {
      var end: Int64 = .min
      for payment in payments {
        if end == .min || payment.time > end + 16 * GameHistory.day { parts.append([]) }
        parts[parts.count - 1].append(payment)
        end = try #require(payment.expiry)
      }
    }
    return parts
  }

  @Test func `a part of the receipts are of subscriptions, and most of these are renewals`() throws
  {
    let payments = subscriptions.map(\.count).reduce(0, +)
    #expect((receiptCount / 30...receiptCount / 6).contains(payments), "\(payments)")
    #expect(payments > 2 * (try unbroken().count))
  }

  @Test func `a user has one subscription at a time, in one store`() throws {
    for part in try unbroken() { #expect(Set(part.map { $0.fields["storeCode"] }).count == 1) }
    for payments in Dictionary(grouping: subscriptions.joined(), by: \.user).values {
      let sorted = payments.sorted { $0.time < $1.time }
      for (payment, next) in zip(sorted, sorted.dropFirst())
      where payment.fields["marketItemId"] != next.fields["marketItemId"] {
        #expect(next.time > (try #require(payment.expiry)) + 16 * GameHistory.day)
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

  @Test func `payments come before, at and after the end of a period, and some much later`() throws
  {
    let gaps = try steps.map { try $1.time - #require($0.expiry) }
    #expect(gaps.count { $0 < 0 } > gaps.count / 4)
    #expect(gaps.count { $0 == 0 } > gaps.count / 8)
    #expect(gaps.count { $0 > 0 && $0 <= 16 * GameHistory.day } > gaps.count / 20)
    let returns = gaps.count { $0 > 16 * GameHistory.day }
    #expect(returns > 5 && returns < gaps.count / 10, "\(returns) of \(gaps.count)")
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
    for part in try unbroken() {
      let originals = part.map { $0.fields["originalPaymentId"] }
      let numbers = part.map { $0.fields["paymentId"] }
      // Each payment has the same kinds of numbers, and names the same first payment.
      #expect(Set(originals).count == 1)
      #expect(Set(numbers.map { $0 == nil }).count == 1)
      #expect(numbers[0] == nil || Set(numbers).count == numbers.count)
      let kind = numbers[0] == nil ? "" : "payment"
      linked[kind + (originals[0] == nil ? "" : "original"), default: 0] += 1
      for (count, number) in numbers.enumerated() {
        guard let number, number.hasPrefix("GPA."), let first = numbers[0] else { continue }
        #expect(number == (count == 0 ? first : "\(first)..\(count - 1)"))
        #expect(!first.contains(".."))
        #expect(originals[0] == nil || originals[0] == first)
      }
    }
    #expect(Set(linked.keys) == ["", "original", "payment", "paymentoriginal"])
    #expect(linked.values.allSatisfy { $0 > subscriptions.count / 40 }, "\(linked)")
  }

  @Test func `a user who returns keeps the first payment in Apple's store and not in Google's`()
    throws
  {
    var (kept, renewed) = (0, 0)
    for (payment, next) in steps {
      guard next.time > (try #require(payment.expiry)) + 16 * GameHistory.day,
        let original = payment.fields["originalPaymentId"],
        let second = next.fields["originalPaymentId"]
      else { continue }
      if original == second { kept += 1 } else { renewed += 1 }
      #expect(original != second || !original.hasPrefix("GPA."))
    }
    #expect(kept > 0 && renewed > 0, "\(kept) \(renewed)")
  }
}
