import Foundation
import SampleData
import Testing

/// The history that the lines of all streams tell: a game of three months, with enough snapshots that
/// each user has one on most days with play.
struct GameTests {
  private static let options: SampleOptions = {
    var options = SampleOptions(
      seed: 4, lines: [.receipt: 9000, .levelUp: 14_000, .gameUser: 26_000, .item: 3000],
      firstDay: 20_210, days: 91, users: 3000)
    (options.badShare, options.repeatShare, options.apps) = (0, 0, 2)
    return options
  }()
  private static let game: Result<[SampleStream: [Facts]], any Error> = Result {
    try Dictionary(
      uniqueKeysWithValues: options.lines.keys.map { stream in
        (stream, try SampleFile(stream, options).lines.map { try Facts($0, of: stream) })
      })
  }

  private let receipts: [Facts]
  private let levelUps: [Facts]
  private let snapshots: [Facts]
  private let items: [Facts]
  /// The days on which each user was observed.
  private let days: [String: Set<Int>]

  init() throws {
    let game = try Self.game.get()
    (receipts, levelUps) = (game[.receipt] ?? [], game[.levelUp] ?? [])
    (snapshots, items) = (game[.gameUser] ?? [], game[.item] ?? [])
    days = (snapshots + levelUps).reduce(into: [:]) { $0[$1.user, default: []].insert($1.day) }
  }

  /// The share of users who play on the n-th day after their first.
  private func retention(_ day: Int) -> Double {
    let last = Self.options.firstDay + Self.options.days - 1
    let mature = days.values.filter { ($0.min() ?? last) + day <= last }
    return Double(mature.count { $0.contains(($0.min() ?? 0) + day) }) / Double(mature.count)
  }

  @Test func `users come at the launch and after it, and play on fewer and fewer days`() {
    #expect((0.3...0.5).contains(retention(1)), "\(retention(1))")
    #expect((0.1...0.25).contains(retention(7)), "\(retention(7))")
    #expect((0.03...0.12).contains(retention(30)), "\(retention(30))")
    #expect(days.count > 2800)
    let first = days.values.compactMap { $0.min() }.map { $0 - Self.options.firstDay }
    #expect(first.count { $0 < 7 } > 3 * first.count { (28..<35).contains($0) })
  }

  @Test func `a day's times ascend and fill it, with busy evenings and quiet nights in Seoul`() {
    for facts in [receipts, levelUps, snapshots] {
      #expect(zip(facts, facts.dropFirst()).allSatisfy { $0.time <= $1.time })
      let hours = facts.map { $0.time / 3_600_000 % 24 }
      #expect(hours.count { $0 == 12 } > 2 * hours.count { $0 == 19 })
      #expect(Set(hours).count == 24)
    }
  }

  @Test func `a snapshot shows the level of the last level-up before it`() throws {
    let events =
      (levelUps.map { ($0, isLevelUp: 1) } + snapshots.map { ($0, isLevelUp: 0) })
      .sorted { ($0.0.time, $1.isLevelUp) < ($1.0.time, $0.isLevelUp) }
    var levels: [[String?]: Int] = [:]
    for (facts, isLevelUp) in events {
      let key = [facts.user, facts.fields["characterId"]]
      let level = try #require(facts.fields["level"].flatMap { Int($0) })
      #expect(level == levels[key, default: 1] + isLevelUp)
      #expect(level <= 100 || key[1] == nil)
      levels[key] = level
    }
    let reached = [2, 4, 8, 16, 32].map { level in levels.values.count { $0 >= level } }
    for (lower, higher) in zip(reached, reached.dropFirst()) {
      #expect(lower > higher + 50, "\(reached)")
    }
    let characters = Dictionary(grouping: levels.keys) { $0[0] }.values
    #expect((200...1200).contains(characters.count { $0.count > 1 }))
    #expect((100...250).contains(characters.count { $0[0][1] == nil }))
  }

  private func isPaid(_ facts: Facts) -> Bool {
    facts.fields["sandbox"] != "true" && facts.fields["promotion"] != "true"
      && facts.fields["minorUnits"] != "0"
  }

  @Test func `some users pay, most of them again, and few pay most`() {
    let purchases = receipts.filter { $0.fields["expiry"] == nil }
    let played = purchases.count { days[$0.user]?.contains($0.day) == true }
    #expect(played > purchases.count * 3 / 4, "\(played) of \(purchases.count)")
    let payers = Dictionary(grouping: receipts.filter { isPaid($0) }) { $0.user }.values
    #expect((100...400).contains(payers.count), "\(payers.count)")
    #expect(payers.count { $0.count > 1 } > payers.count / 2)
    let ranked = payers.map(\.count).sorted(by: >)
    #expect(ranked.prefix(ranked.count / 10).reduce(0, +) > receipts.count / 4, "\(ranked)")
    let isIn = { (name: String) in self.receipts.count { $0.fields[name] == "true" } }
    #expect((180...360).contains(isIn("sandbox")) && (30...130).contains(isIn("promotion")))
    #expect(receipts.count { $0.fields["sandbox"] == nil } > 2000)
  }

  @Test func `users pay in one currency of many, but for a few purchases`() {
    let users = Dictionary(grouping: receipts) { $0.user }.values
    let main = users.map { receipts in
      Dictionary(grouping: receipts) { $0.fields["currency"] }.values.map(\.count).max() ?? 0
    }
    #expect((0.9...0.995).contains(Double(main.reduce(0, +)) / Double(receipts.count)))
    let all = Set(receipts.compactMap { $0.fields["currency"] })
    #expect(all.isSuperset(of: ["KRW", "JPY", "USD", "EUR", "TWD"]))
  }

  @Test func `keys of receipts ascend and begin with the UTC day of the purchase`() {
    let keys = receipts.compactMap { $0.fields["paymentSeq"] }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    #expect(keys.first?.hasPrefix("20250502") == true && keys.last?.hasPrefix("20250731") == true)
  }

  @Test func `subscriptions have trials, renewals, grace, lapses and returns`() throws {
    let payments = receipts.filter { $0.fields["expiry"] != nil }
    let chains = Dictionary(grouping: payments) {
      [$0.user, $0.fields["marketItemId"], $0.fields["storeCode"]]
    }.values
    let gaps = chains.flatMap { chain in
      zip(chain, chain.dropFirst()).map { $1.time - (Int($0.fields["expiry"] ?? "") ?? 0) }
    }
    #expect((receipts.count / 30...receipts.count / 5).contains(payments.count))
    #expect(gaps.count > chains.count / 3)
    let day = 86_400_000
    #expect(gaps.count { $0 < 0 } > gaps.count / 4 && gaps.count { $0 == 0 } > gaps.count / 8)
    #expect(gaps.contains { (day...16 * day).contains($0) } && gaps.contains { $0 > 17 * day })
    let trials = chains.filter { $0[0].fields["minorUnits"] == "0" }
    #expect(trials.count > 20)
    let converted = trials.count { $0.count > 1 }
    #expect(converted > trials.count / 8 && converted < trials.count * 3 / 4)
    // Receipts name their own payment, the first one, both, or none.
    let links = Set(
      payments.map { [$0.fields["paymentId"] == nil, $0.fields["originalPaymentId"] == nil] })
    #expect(links.count == 4)
    #expect(
      receipts.allSatisfy { $0.fields["originalPaymentId"] == nil || $0.fields["expiry"] != nil })
    #expect(payments.contains { $0.fields["paymentId"]?.hasSuffix("..1") == true })
  }

  @Test func `items have the prices of receipts, some of which change, and are not always sold`() {
    func prices(_ facts: [Facts]) -> [[String?]: Set<String?>] {
      facts.reduce(into: [:]) {
        $0[[$1.fields["marketItemId"], $1.fields["currency"]], default: []]
          .insert($1.fields["minorUnits"])
      }
    }
    let (shown, paid) = (prices(items), prices(receipts.filter { isPaid($0) }))
    let common = shown.filter { paid[$0.key] != nil }
    #expect(common.count > 100)
    #expect(
      common.count { !$0.value.isDisjoint(with: paid[$0.key] ?? []) } > common.count * 19 / 20)
    #expect(shown.values.contains { $0.count == 2 } && shown.values.count { $0.count == 1 } > 200)
    #expect((100...600).contains(items.count { $0.fields["active"] == "false" }))
  }

  @Test func `each writer has its share of the lines, and its spellings`() {
    func share(_ member: String, of facts: [Facts]) -> Double {
      Double(facts.count { $0.text.contains("\"\(member)\":") }) / Double(facts.count)
    }
    #expect((0.03...0.08).contains(share("accessToken", of: receipts)))
    for flag in ["purchaseType", "sandboxPayment", "isTestPurchase", "bIsTestPurchase"] {
      #expect(share(flag, of: receipts) > 0.002, "\(flag)")
    }
    #expect((0.05...0.2).contains(share("characterClassId", of: levelUps)))
    #expect(share("sdkVersion", of: levelUps) > 0.002 && share("appId", of: levelUps) > 0.5)
    #expect(levelUps.contains { $0.text.contains(#""levelUpTime":"2025-"#) })
    #expect(snapshots.contains { $0.text.contains(#""characterId":"""#) })
    let text = String(decoding: SampleFile(.receipt, Self.options).bytes, as: UTF8.self)
    for part in [
      #""price":4.989999771118164,"#, #""price":4.99,"#, #""price":1200,"#, #""price":1200.0,"#,
      #""payload":"{\"orderId\":"#, "여름", #"\ud83c\udf81"#, #"\/"#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
    for user in days.keys { #expect(user.wholeMatch(of: /(AS@)?[0-9A-Z]{16}/) != nil) }
  }
}
