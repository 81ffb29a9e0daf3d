import Testing

@testable import RecordPipeline

struct PipelineTests {
  @Test(arguments: [[1], [2], [3], [7], [13, 1, 64]])
  func `any split of the bytes gives the same rows, rejects and digest`(sizes: [Int]) throws {
    let text =
      "\u{FEFF}"
      + [
        receipt(), receipt(["paymentSeq": #""é\u0041""#]), "", "{", receipt(["price": "-5"]), " \r",
        receipt(["x": #"["\ud83d\ude00"]"#]),
      ].joined(separator: "\r\n")
    let whole = try Reading(text, as: .receipt)
    let split = try Reading(ChunkedSource(Array(text.utf8), sizes: sizes), as: .receipt)
    #expect(split.rows.map(\.description) == whole.rows.map(\.description))
    #expect(split.rejects.map(\.rejection) == whole.rejects.map(\.rejection))
    #expect(split.rejects.map(\.byteOffset) == whole.rejects.map(\.byteOffset))
    #expect(split.rejects.map(\.raw) == whole.rejects.map(\.raw))
    #expect(split.totals == whole.totals)
    #expect(whole.rows.count == 3 && whole.rejects.count == 2 && whole.totals.blankCount == 2)
  }

  /// After an unbalanced array, simdjson checks whether the next byte is another bracket.
  @Test func `bytes of an earlier read after the last line do not change its outcome`() throws {
    var rules = standardRules
    rules.limits.nesting = 3
    let text = "{}x" + String(repeating: "]", count: 60) + "\n" + "[[[[[x" + "]]]]]]]]"
    for size in 1...text.utf8.count {
      let reading = try Reading(
        ChunkedSource(Array(text.utf8), sizes: [size]), as: .receipt, rules: rules)
      let codes = reading.rejects.map(\.rejection.code)
      #expect(codes == [.malformedJSON, .nestingTooDeep], "\(size)")
    }
  }

  @Test func `batches stay within their size limit and together hold every line once`() throws {
    let padding = String(repeating: "x", count: 1000)
    let lines = (0..<12_000).map { index in
      index % 10 == 9
        ? "bad \(index)" : receipt(["paymentSeq": "\(index % 9000)", "payload": "\"\(padding)\""])
    }
    let pipeline = Pipeline(stream: .receipt, rules: standardRules, sourceFileID: 1)
    var (batches, rows, rejects, largest) = (0, 0, 0, 0)
    let totals = try pipeline.run(
      ChunkedSource(lines.joined(separator: "\n")),
      routing: .init(largestKnownKey: nil, memory: 1 << 20, seed: 2)
    ) { batch in
      batches += 1
      rows += batch.newRows.rowCount + batch.possiblyKnownRows.rowCount
      rejects += batch.rejects.count
      largest = max(largest, batch.newRows.count + batch.possiblyKnownRows.count)
      #expect(!batch.isEmpty)
    }
    #expect(batches > 2)
    #expect(rows == 10_800 && rejects == 1200)
    #expect(totals.rowCount == rows && totals.rejectedCount == rejects)
    #expect(largest < 5 * 1024 * 1024)
  }

  @Test func `the first batches of a file are small, so that the server starts early`() throws {
    let padding = String(repeating: "x", count: 1000)
    let lines = (0..<6000).map {
      receipt(["paymentSeq": "\"\($0)\"", "payload": "\"\(padding)\""])
    }
    let pipeline = Pipeline(stream: .receipt, rules: standardRules, sourceFileID: 1)
    var sizes: [Int] = []
    _ = try pipeline.run(
      ChunkedSource(lines.joined(separator: "\n")),
      routing: .init(largestKnownKey: nil, memory: 1 << 20, seed: 2)
    ) { sizes.append(($0.newRows.count + $0.possiblyKnownRows.count) / (256 * 1024)) }
    #expect(sizes.prefix(5) == [1, 2, 4, 8, 8])
  }

  @Test func `ten thousand rejects fill a batch`() throws {
    let pipeline = Pipeline(stream: .receipt, rules: standardRules, sourceFileID: 1)
    var counts: [Int] = []
    _ = try pipeline.run(
      ChunkedSource(String(repeating: "x\n", count: 25_000)),
      routing: .init(largestKnownKey: nil, memory: 0, seed: 2)
    ) { counts.append($0.rejects.count) }
    #expect(counts == [10_000, 10_000, 5000])
  }

  @Test func `an error of the source ends the run`() {
    let error = ReadError(.corrupt, "is corrupt")
    #expect(throws: error) {
      try Reading(ChunkedSource(Array("{}\n".utf8), error: error), as: .receipt)
    }
  }

  @Test func `an empty source gives no batch and the digest of no bytes`() throws {
    let pipeline = Pipeline(stream: .receipt, rules: standardRules, sourceFileID: 1)
    var batches = 0
    let totals = try pipeline.run(
      ChunkedSource(""), routing: .init(largestKnownKey: nil, memory: 0, seed: 2)
    ) { _ in batches += 1 }
    #expect(batches == 0)
    #expect(totals.lineCount == 0 && totals.byteCount == 0)
    #expect(hex(totals.sha256).hasPrefix("e3b0c44298fc1c14"))
  }

  @Test func `a refused line leaves no part of its row`() throws {
    let long = "\"\(String(repeating: "x", count: 400))\""
    let lines = [
      receipt(), receipt(["userId": long, "isPromotion": "5"]), receipt(["paymentSeq": #""p2""#]),
    ]
    let reading = try Reading(lines.joined(separator: "\n"), as: .receipt)
    #expect(reading.rows.compactMap { $0["payment_seq"] } == ["p1", "p2"])
    #expect(reading.rejects.map(\.rejection.code) == [.invalidFlag])
  }

  @Test func `reject reasons describe the rule and never hold the value`() throws {
    let marker = "XMARKERX"
    let lines = [
      "userId", "price", "currency", "purchaseTime", "itemSeq", "isPromotion", "purchaseType",
    ]
    .map { name in
      let changes: KeyValuePairs<String, String?> = [name: "\"\(marker)\\u0000\""]
      return receipt(changes)
    }
    let reading = try Reading(lines.joined(separator: "\n"), as: .receipt)
    #expect(reading.rejects.count == lines.count)
    #expect(reading.rejects.allSatisfy { !$0.rejection.reason.contains(marker) })
  }
}
