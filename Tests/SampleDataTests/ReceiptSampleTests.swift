import Foundation
import SampleData
import Testing

struct ReceiptSampleTests {
  private static let clean = SampleOptions(seed: 11, count: 8000, badShare: 0, repeatShare: 0)
  private static let file = SampleFile(.receipt, clean)

  private func facts() throws -> [Facts] {
    try Self.file.lines.map { try Facts($0, of: .receipt) }
  }

  @Test func `good lines hold the mandatory fields and are valid`() throws {
    for line in Self.file.lines {
      #expect(throws: Never.self) { try Facts(line, of: .receipt) }
    }
  }

  @Test func `keys are unique, ascend and begin with the UTC day of the purchase`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var last = ""
    for facts in try facts() {
      let key = try #require(facts.fields["paymentSeq"])
      let date = Date(timeIntervalSince1970: Double(facts.time) / 1000)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      #expect(key.hasPrefix(String(year * 10_000 + month * 100 + day)))
      #expect(key.utf8.count == 16)
      #expect(key > last)
      last = key
    }
  }

  @Test func `a line has 460 to 520 bytes on average`() {
    let mean = Self.file.bytes.count / Self.file.lines.count
    #expect((460...520).contains(mean))
  }

  @Test func `each writer has its share of the lines`() throws {
    let objects = try facts().map(\.object)
    func share(_ matches: ([String: Any]) -> Bool) -> Double {
      Double(objects.count(where: matches)) / Double(objects.count)
    }
    #expect((0.035...0.065).contains(share { $0["accessToken"] != nil }))
    #expect((0.02...0.2).contains(share { $0["isPromotion"] != nil }))
    #expect((0.001...0.08).contains(share { $0["bIsPromotion"] != nil }))
    #expect((0.005...0.04).contains(share { $0["purchaseType"] != nil }))
    #expect((0.1...0.45).contains(share { $0["sandboxPayment"] != nil }))
  }

  @Test func `sandbox purchases are about 3 percent, promotions about 1`() throws {
    let facts = try facts()
    let sandbox = facts.count { $0.fields["sandbox"] == "true" }
    let promotion = facts.count { $0.fields["promotion"] == "true" }
    #expect((180...300).contains(sandbox))
    #expect((45...120).contains(promotion))
  }

  @Test func `only subscriptions expire, and only they name a first payment`() throws {
    for facts in try facts() {
      let isSubscription = facts.fields["productType"] != "CONSUMABLE"
      #expect((facts.fields["expiry"] != nil) == isSubscription)
      #expect(facts.fields["originalPaymentId"] == nil || isSubscription)
      #expect((facts.expiry ?? .max) > facts.time)
      // Nothing but a trial is free.
      #expect(facts.minorUnits > 0 || isSubscription)
    }
  }

  @Test func `prices are printed as each platform prints them`() {
    let text = String(decoding: Self.file.bytes, as: UTF8.self)
    // Apple's writer, Android's, and one whole amount by each.
    for print in [
      #""price":4.989999771118164,"#, #""price":4.99,"#, #""price":1200,"#, #""price":1200.0,"#,
    ] {
      let isThere = text.contains(print)
      #expect(isThere, "\(print)")
    }
  }

  @Test func `payloads hold JSON text, Korean and emoji`() throws {
    let payloads = try facts().compactMap { $0.fields["payload"] }
    for part in [#"{"orderId":"#, "여름", "🎁", #"first \"buy\"\n"#] {
      #expect(payloads.contains { $0.contains(part) })
    }
  }

  @Test func `users and applications come from the options`() throws {
    var options = Self.clean
    options.count = 1000
    options.users = 3
    options.appIDs = ["First", #"Sec"ond"#]
    let facts = try SampleFile(.receipt, options).lines.map { try Facts($0, of: .receipt) }
    let users = Set(facts.map { $0.fields["userId"] })
    #expect((1...3).contains(users.count))
    #expect(Set(facts.compactMap { $0.fields["appId"] }).isSubset(of: ["First", #"Sec"ond"#]))
    options.appIDs = []
    let bytes = SampleFile(.receipt, options).bytes
    let hasAppID = String(decoding: bytes, as: UTF8.self).contains("appId")
    #expect(!hasAppID)
  }
}
