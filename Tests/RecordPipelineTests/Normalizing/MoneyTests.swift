import RecordPipeline
import Testing

struct MoneyTests {
  private func price(_ text: String, _ currency: String = "USD") throws -> CopyRow {
    try row(receipt(["price": text, "currency": "\"\(currency)\""]))
  }

  private func refusal(_ text: String, _ currency: String = "USD") throws -> Rejection {
    try rejection(receipt(["price": text, "currency": "\"\(currency)\""]))
  }

  @Test(arguments: [
    ("0", "USD", 0), ("0.00", "USD", 0), ("0e9", "USD", 0), ("0E-9", "USD", 0), ("0", "JPY", 0),
    ("4.99", "USD", 499), ("4.9900", "USD", 499), ("499e-2", "USD", 499),
    ("0.0499e+2", "USD", 499), ("1990", "HUF", 199_000), ("3.05", "KWD", 3050),
    ("120", "JPY", 120), ("1.2e2", "KRW", 120), ("1200", "KRW", 1200),
    ("120.000", "JPY", 120), ("1.2345", "CLF", 12345), ("0.01", "USD", 1), ("0.001", "KWD", 1),
    ("131071.99", "USD", 13_107_199), ("16777215", "JPY", 16_777_215),
    ("16383.999", "KWD", 16_383_999), ("1023.9999", "CLF", 10_239_999),
  ])
  func `a price with no more digits than its currency is exact`(
    text: String, currency: String, amount: Int
  ) throws {
    let row = try price(text, currency)
    #expect(row["amount_minor"] == "\(amount)")
    #expect(row["price_repaired"] == "false")
    #expect(row["price_imprecise"] == "false")
    #expect(row["price_raw"] == nil)
    #expect(row["currency"] == currency)
  }

  @Test(arguments: [
    ("4.989999771118164", "USD", 499), ("2.2899999618530273", "EUR", 229),
    ("4.9899999", "USD", 499), ("4.98999977111816406250000", "USD", 499),
    ("3.049999952316284", "KWD", 3050), ("0.99000001", "USD", 99),
    ("119.9999999", "JPY", 120), ("1.0000000001", "USD", 100),
  ])
  func `rounding noise of a 32-bit float is removed, and the row is marked`(
    text: String, currency: String, amount: Int
  ) throws {
    let row = try price(text, currency)
    #expect(row["amount_minor"] == "\(amount)")
    #expect(row["price_repaired"] == "true")
    #expect(row["price_imprecise"] == "false")
    #expect(row["price_raw"] == text)
  }

  @Test(arguments: [
    ("2.295", "USD"), ("4.9899995", "USD"), ("4.985", "USD"), ("120.5", "JPY"), ("1.2345", "KWD"),
    ("0.001", "USD"), ("0.009999", "USD"), ("1e-400", "USD"), ("1e-2147483649", "USD"),
    ("0.00000000000000000001", "JPY"), ("0.4", "JPY"), ("1.00001", "CLF"),
  ])
  func `digits below the minor unit that are not float noise are refused`(
    text: String, currency: String
  ) throws {
    #expect(try refusal(text, currency).code == .priceTooPrecise)
  }

  @Test(arguments: [
    ("16777216", "JPY", 16_777_216), ("131072", "USD", 13_107_200),
    ("131072.00", "USD", 13_107_200),
    ("16384", "KWD", 16_384_000), ("1024", "CLF", 10_240_000),
    ("29999000", "IDR", 2_999_900_000), ("9007199254740993", "JPY", 9_007_199_254_740_993),
  ])
  func `an amount too large for an exact 32-bit float is marked`(
    text: String, currency: String, amount: Int
  ) throws {
    let row = try price(text, currency)
    #expect(row["amount_minor"] == "\(amount)")
    #expect(row["price_imprecise"] == "true")
    #expect(row["price_repaired"] == "false")
    #expect(row["price_raw"] == text)
  }

  @Test func `the largest amount is that of a signed 64-bit integer`() throws {
    #expect(try price("92233720368547758.07")["amount_minor"] == "9223372036854775807")
    #expect(try price("9223372036854775807", "JPY")["amount_minor"] == "9223372036854775807")
    let tooLarge = [
      "92233720368547758.08", "184467440737095516.16", "184467440737095516.15", "1e400",
      "1e2147483648", "1e99999999999999999999", String(repeating: "9", count: 20_000),
    ]
    for text in tooLarge { #expect(try refusal(text).code == .priceOutOfRange) }
    #expect(try refusal("9223372036854775807.5", "JPY").code == .priceOutOfRange)
  }

  @Test func `a number of 20,000 digits is read completely`() throws {
    let zeros = String(repeating: "0", count: 20_000)
    #expect(try price("4.99" + zeros)["amount_minor"] == "499")
    #expect(try price("4.99" + zeros)["price_repaired"] == "false")
    #expect(try price("4.99" + zeros + "1")["price_repaired"] == "true")
    #expect(try price("499\(zeros)e-20002")["amount_minor"] == "499")
    #expect(try price("0.\(zeros)499e20001")["amount_minor"] == "499")
    #expect(try refusal("5\(zeros)").code == .priceOutOfRange)
  }

  @Test(arguments: ["-1", "-1.0", "-1.00000", "-1e0", "-10e-1", #""-1""#, #""-1.0""#])
  func `minus one means no price`(text: String) throws {
    let row = try price(text)
    #expect(row["amount_minor"] == nil)
    #expect(row["price_repaired"] == "false")
    #expect(row["price_raw"] == nil)
  }

  @Test(arguments: ["-0", "-0.0", "-0e5", #""-0.00""#])
  func `minus zero is zero`(text: String) throws {
    #expect(try price(text)["amount_minor"] == "0")
  }

  @Test(arguments: ["-2", "-0.01", "-1.5", "-1e-400", "-1e400", "-1.0000001", "-100", #""-4.99""#])
  func `any other price below zero is refused`(text: String) throws {
    #expect(try refusal(text).code == .negativePrice)
  }

  @Test(arguments: [
    (#""4.99""#, "499"), (#""\u0034.99""#, "499"), (#""499e-2""#, "499"),
    (#""4.989999771118164""#, "499"),
  ])
  func `a price may be a string that is exactly one number`(text: String, amount: String) throws {
    #expect(try price(text)["amount_minor"] == amount)
  }

  @Test(arguments: [
    " 4.99", "4.99 ", "4,99", "+4.99", ".99", "4.", "04.99", "0x10", "NaN", "Infinity", "$4.99",
    "4.99USD", "1e", "1e+", "-", "--1", "1_000", "٤", "4.99\\u0000", " ",
  ])
  func `a string that is not exactly one number is refused`(text: String) throws {
    #expect(try refusal("\"\(text)\"").code == .invalidPrice)
  }

  @Test(arguments: ["true", "false", "[4.99]", "{}"])
  func `a price of another type is refused`(text: String) throws {
    #expect(try refusal(text) == Rejection(.wrongType, field: "price", try refusal(text).reason))
  }

  @Test func `two prices of one line agree when their amounts are equal`() throws {
    let agreeing = receipt(["price": #"4.99,"price":"4.989999771118164""#])
    #expect(try row(agreeing)["amount_minor"] == "499")
    #expect(try rejection(receipt(["price": #"4.99,"price":4.98"#])).code == .ambiguousField)
    #expect(try rejection(receipt(["price": #"-1,"price":4.98"#])).code == .ambiguousField)
  }

  @Test(arguments: [("JPY", 0, 16_777_216), ("USD", 2, 13_107_200), ("KWD", 3, 16_384_000)])
  func `every amount survives conversion to a 32-bit float that is printed as a double`(
    currency: String, digits: Int, limit: Int
  ) throws {
    var random = SplitMix(state: 42)
    let scale = [1.0, 10, 100, 1000][digits]
    let amounts = (0..<20_000).map { _ in Int.random(in: 1..<limit, using: &random) }
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
