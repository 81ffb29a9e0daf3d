import Testing

@testable import RecordPipeline

struct RowRouterTests {
  private func isNew(_ key: [UInt8], _ order: [UInt8], _ router: inout RowRouter) -> Bool {
    key.withUnsafeBytes { key in
      order.withUnsafeBytes { router.isCertainlyNew(key: key, orderKey: $0) }
    }
  }

  private func isNew(_ text: String, _ router: inout RowRouter) -> Bool {
    isNew(Array(text.utf8), Array(text.utf8), &router)
  }

  @Test func `into an empty table everything is new once`() {
    var router = RowRouter(RoutingStart(largestKnownKey: nil, memory: 1 << 20, seed: 1))
    #expect(isNew("b", &router))
    #expect(isNew("a", &router))
    #expect(isNew("c", &router))
    #expect(!isNew("a", &router))
    #expect(!isNew("b", &router))
  }

  @Test func `what is not above the largest stored key may be known`() {
    var router = RowRouter(
      RoutingStart(largestKnownKey: Array("m5".utf8), memory: 1 << 20, seed: 1))
    for text in ["m5", "m", "m4", "m49", "a", "M9", "", "m4\u{FF}"] {
      #expect(!isNew(text, &router), "\(text)")
    }
    for text in ["m50", "m6", "n", "é", "m5\0"] { #expect(isNew(text, &router), "\(text)") }
    for text in ["m50", "m6", "n", "é", "m5\0"] { #expect(!isNew(text, &router), "\(text)") }
  }

  @Test func `bytes compare without a sign`() {
    var router = RowRouter(RoutingStart(largestKnownKey: [0x7F, 0xFF], memory: 1 << 20, seed: 1))
    #expect(isNew([1], [0x80], &router))
    #expect(!isNew([2], [0x7F, 0xFE, 0xFF], &router))
  }

  @Test(arguments: [nil, 0, 3, 50_000, 200_000] as [UInt32?], [0, 1, 2] as [UInt64])
  func `a key that was stored or sent before is never called new`(
    floor: UInt32?, seed: UInt64
  ) {
    // The smallest table holds some three thousand keys: it fills up again and again.
    let largest = floor.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
    var router = RowRouter(RoutingStart(largestKnownKey: largest, memory: 0, seed: seed))
    var random = Seeded(state: seed)
    var sent: Set<UInt32> = []
    var newCount = 0
    for step in 0..<60_000 {
      // Mostly growing, as times do, with stragglers and repeats.
      let base = UInt32(step)
      let value =
        Bool.random(using: &random)
        ? base + .random(in: 0..<500, using: &random)
        : UInt32.random(in: 0...(base + 100), using: &random)
      let key = withUnsafeBytes(of: value.bigEndian) { Array($0) }
      if isNew(key, key, &router) {
        newCount += 1
        if sent.contains(value) { Issue.record("\(value) was sent before") }
        if let floor, value <= floor { Issue.record("\(value) may be stored") }
      }
      sent.insert(value)
    }
    if (floor ?? 0) < 60_000 { #expect(newCount > 0) }
  }

  @Test func `one order key may belong to many keys, full table or not`() {
    var router = RowRouter(RoutingStart(largestKnownKey: nil, memory: 0, seed: 4))
    var sent: Set<[UInt8]> = []
    for index in 0..<20_000 {
      let key = Array("\(index % 9000)".utf8)
      if isNew(key, [1, 2, 3], &router), !sent.insert(key).inserted {
        Issue.record("\(index) was sent before")
      }
    }
    #expect(sent.count > 1000)
  }

  @Test func `the pipeline sends rows at or below the floor the careful way`() throws {
    let lines = ["p1", "p3", "p2", "p3", "p2a"].map { receipt(["paymentSeq": "\"\($0)\""]) }
    let source = ChunkedSource(lines.joined(separator: "\n"))
    let reading = try Reading(source, as: .receipt, largestKnownKey: Array("p2".utf8))
    #expect(reading.possiblyKnown == ["1", "3", "4"])
    #expect(reading.rows.count == 5)
  }
}
