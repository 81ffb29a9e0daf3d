import Testing

@testable import RecordPipeline

struct RowRouterTests {
  /// A router with rows that hold a number and a key.
  private struct Routed: ~Copyable {
    var router: RowRouter
    private(set) var count = 0

    private static let stream = RecordStream(
      name: "test", recordNoun: "rows", table: "test", fileNamePrefixes: [],
      key: [
        .mandatory(.identifier, "order", into: "order"),
        .mandatory(.identifier, "key", into: "key"),
      ], values: [])

    init(_ largestKnownKey: [UInt8]?, memory: Int = 1 << 20, seed: UInt64 = 1) {
      router = RowRouter(
        RoutingStart(largestKnownKey: largestKnownKey, memory: memory, seed: seed), of: Self.stream)
    }

    /// Adds a row, numbered from 0.
    mutating func add(_ key: [UInt8], order: [UInt8]) {
      router.newRows.beginRow(columnCount: 4)
      router.newRows.bytes(order)
      router.newRows.bytes(key)
      router.newRows.bigint(Int64(count))
      router.newRows.uuid(nil)
      router.newRows.endRow()
      count += 1
      router.takeLastRow()
    }

    mutating func add(_ texts: [String]) {
      for text in texts { add(Array(text.utf8), order: Array(text.utf8)) }
    }

    /// The numbers of the new rows and of the others.
    mutating func settled() throws -> (new: [Int], possiblyKnown: [Int]) {
      router.resolvePending()
      let columns = [
        Column(.bytea, name: "order"), Column(.bytea, name: "key"), Column(.bigint, name: "number"),
        Column(.uuid, name: "row_digest"),
      ]
      let numbers = try [
        (router.newRows.bytes, router.newRows.rowCount),
        (router.possiblyKnownRows.bytes, router.possiblyKnownRows.rowCount),
      ].map {
        let read = try CopyRow.rows(Array($0), columns: columns)
        #expect(read.count == $1)
        return try read.map { try #require(Int($0["number"] ?? "")) }
      }
      return (numbers[0], numbers[1])
    }
  }

  @Test func `with an empty table the first row of each key is new`() throws {
    var rows = Routed(nil)
    rows.add(["b", "a", "c", "a", "d", "b", "b", "e"])
    let (new, possiblyKnown) = try rows.settled()
    #expect(new == [0, 1, 2, 4, 7])
    #expect(possiblyKnown == [3, 5, 6])
  }

  @Test func `a row that is not above the largest stored key may be known`() throws {
    var rows = Routed(Array("m5".utf8))
    rows.add(["m5", "m", "m4", "m49", "a", "M9", "", "m4\u{FF}"])
    rows.add(["m50", "m6", "n", "é", "m5\0"])
    rows.add(["m50", "m6", "n", "é", "m5\0"])
    let (new, possiblyKnown) = try rows.settled()
    #expect(new == [8, 9, 10, 11, 12])
    #expect(possiblyKnown == [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17])
  }

  @Test func `order keys are compared as unsigned bytes`() throws {
    var rows = Routed([0x7F, 0xFF])
    rows.add([1], order: [0x80])
    rows.add([2], order: [0x7F, 0xFE, 0xFF])
    #expect(try rows.settled().new == [0])
  }

  @Test(arguments: [nil, 0, 3, 8000, 40_000] as [UInt32?], [0, 1, 2] as [UInt64])
  func `a key stored or sent before is never new, and rows of a key keep their order`(
    floor: UInt32?, seed: UInt64
  ) throws {
    // The smallest table holds about two thousand keys, so it fills up repeatedly.
    let largest = floor.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
    var rows = Routed(largest, memory: 0, seed: seed)
    var random = SplitMix(state: seed)
    var values: [UInt32] = []
    for step in 0..<10_000 {
      // The values mostly ascend, like times; some are late and some repeated.
      let base = UInt32(step)
      let value =
        Bool.random(using: &random)
        ? base + .random(in: 0..<500, using: &random)
        : UInt32.random(in: 0...(base + 100), using: &random)
      values.append(value)
      let key = withUnsafeBytes(of: value.bigEndian) { Array($0) }
      rows.add(key, order: key)
      // A batch may end anywhere.
      if Int.random(in: 0..<700, using: &random) == 0 { rows.router.resolvePending() }
    }
    let (new, possiblyKnown) = try rows.settled()
    #expect(Set(new + possiblyKnown) == Set(0..<10_000))
    #expect(new.count + possiblyKnown.count == 10_000)
    #expect(new == new.sorted())
    // A new row must be the first of its key and above the watermark.
    var first: [UInt32: Int] = [:]
    for (number, value) in values.enumerated() where first[value] == nil { first[value] = number }
    for number in new where first[values[number]] != number {
      Issue.record("\(values[number]) was sent before")
    }
    if let floor {
      for number in new where values[number] <= floor {
        Issue.record("\(values[number]) may be stored")
      }
    }
    var last: [UInt32: Int] = [:]
    for number in possiblyKnown {
      if number < last[values[number]] ?? 0 { Issue.record("\(values[number]) changed its order") }
      last[values[number]] = number
    }
    if (floor ?? 0) < 10_000 { #expect(!new.isEmpty) }
  }

  @Test func `many keys may share an order key, even after the table of keys was full`() throws {
    var rows = Routed(nil, memory: 0, seed: 4)
    for index in 0..<20_000 { rows.add(Array("\(index % 9000)".utf8), order: [1, 2, 3]) }
    let (new, possiblyKnown) = try rows.settled()
    #expect(new == Array(0..<new.count) && new.count > 1000 && new.count <= 9000)
    #expect(possiblyKnown == Array(new.count..<20_000))
  }

  @Test func `the pipeline routes rows at or below the watermark as possibly known`() throws {
    let lines = ["p1", "p3", "p2", "p3", "p2a"].map { receipt(["paymentSeq": "\"\($0)\""]) }
    let source = ChunkedSource(lines.joined(separator: "\n"))
    let reading = try Reading(source, as: .receipt, largestKnownKey: Array("p2".utf8))
    #expect(reading.possiblyKnown == ["1", "3", "4"])
    #expect(reading.rows.count == 5)
  }
}
