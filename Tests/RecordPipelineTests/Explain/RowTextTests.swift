import Testing

@testable import RecordPipeline

/// Printed rows, compared with an independent reader of the same bytes.
struct RowTextTests {
  @Test(arguments: [
    receipt([
      "payload": #""é\u0000\"\n""#, "itemSeq": "-9223372036854775808", "purchaseToken": "\"t\"",
      "sandboxPayment": "false", "promotionPayment": "true", "x": "[1]",
      "purchaseTime": "946684800000", "expiryTime": "4102444800000",
    ]),
    receipt(["purchaseTime": "1709164800001", "price": "-1"]),
  ])
  func `every value prints as the row holds it`(line: String) throws {
    let expected = try row(line)
    var lines = LineEncoder(.receipt, rules: standardRules)
    var buffer = RowBuffer()
    try InputLine.with(bytes: Array(line.utf8)) { line in
      guard case .row = try lines.encode(line, to: &buffer), lines.decoded.problems.isEmpty
      else {
        Issue.record("the line is refused")
        return
      }
      lines.decoded.finish(&buffer, 7, lineNumber: 1)
      let texts = buffer.texts(of: RecordStream.receipt.allColumns)
      for (column, text) in zip(RecordStream.receipt.allColumns, texts) {
        #expect(text == expected[column.name], "\(column.name)")
      }
    }
  }

  @Test(
    arguments: [
      (946_684_800_000, "2000-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (4_102_444_799_001, "2099-12-31T23:59:59.001Z"),
      (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func `a time is written in UTC`(time: Int64, text: String) {
    #expect(instant(time) == text)
  }
}
