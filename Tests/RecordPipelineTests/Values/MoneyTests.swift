import RecordPipeline
import Testing

/// Prices that a fixture cannot hold: numbers of thousands of digits, and many of them.
struct MoneyTests {
  @Test func `a number of 20,000 digits is read completely`() throws {
    func price(_ text: String) throws -> CopyRow { try row(receipt(["price": text])) }
    let zeros = String(repeating: "0", count: 20_000)
    #expect(try price("4.99" + zeros)["amount_minor"] == "499")
    #expect(try price("4.99" + zeros)["price_repaired"] == "false")
    #expect(try price("4.99" + zeros + "1")["price_repaired"] == "true")
    #expect(try price("499\(zeros)e-20002")["amount_minor"] == "499")
    #expect(try price("0.\(zeros)499e20001")["amount_minor"] == "499")
    for tooLarge in ["5\(zeros)", String(repeating: "9", count: 20_000)] {
      #expect(try rejection(receipt(["price": tooLarge])).code == .priceOutOfRange)
    }
  }

  @Test(arguments: [("JPY", 0, 16_777_216), ("USD", 2, 13_107_200), ("KWD", 3, 16_384_000)])
  func `every amount survives conversion to a 32-bit float that is printed as a double`(
    currency: String, digits: Int, limit: Int
  ) throws {
    var random = SplitMix(state: 42)
    let scale = [1.0, 10, 100, 1000][digits]
    let amounts = (0..<5000).map { _ in Int.random(in: 1..<limit, using: &random) }
    let lines = amounts.map { amount in
      receipt([
        "price": "\(Double(Float(Double(amount) / scale)))", "currency": "\"\(currency)\"",
      ])
    }
    let reading = try Reading(lines.joined(separator: "\n"), as: .receipt)
    #expect(reading.rejects.count == 0)
    #expect(reading.rows.compactMap { $0["amount_minor"] } == amounts.map(String.init))
  }
}
