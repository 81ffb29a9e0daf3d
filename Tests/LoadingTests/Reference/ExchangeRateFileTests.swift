import Testing

@testable import Loading

struct ExchangeRateFileTests {
  private static let header = "currency,valid_on,rate\n"

  private func file(_ text: String) -> ExchangeRateFile {
    ExchangeRateFile(Array(text.utf8), currencies: ["USD", "KRW", "KWD", "EUR"], base: "EUR")
  }

  @Test func `rates keep every digit, and codes become upper case`() {
    let found = file(
      "\u{FEFF}\"currency\",valid_on,rate\r\nusd,2025-07-31,1385.20\r\n\"KWD\",\"2024-02-29\",\"999999999999.000000000072\"\n"
    )
    #expect(found.problems.isEmpty)
    #expect(
      found.rates == [
        .init(currency: "USD", validOn: "2025-07-31", rate: "1385.20"),
        .init(currency: "KWD", validOn: "2024-02-29", rate: "999999999999.000000000072"),
      ])
  }

  @Test(
    arguments: [
      ("XAU,2025-07-31,1", "currency"), (",2025-07-31,1", "currency"),
      (" USD,2025-07-31,1", "currency"),
      ("USD,2025-07-31,0.0000000000001", "rate"), ("USD,2025-07-31,1000000000000", "rate"),
      ("USD,2025-02-29,1", "valid_on"), ("USD,31.07.2025,1", "valid_on"), ("USD,,1", "valid_on"),
      ("USD,2025-7-31,1", "valid_on"), ("USD,2025-07-31 ,1", "valid_on"),
      ("USD,0000-01-01,1", "valid_on"),
      ("USD,2025-07-31,0", "rate"), ("USD,2025-07-31,0.000", "rate"), ("USD,2025-07-31,-1", "rate"),
      ("USD,2025-07-31,+1", "rate"), ("USD,2025-07-31,1e3", "rate"), ("USD,2025-07-31,NaN", "rate"),
      ("USD,2025-07-31,.5", "rate"), ("USD,2025-07-31,5.", "rate"),
      ("USD,2025-07-31,1.2.3", "rate"),
      ("USD,2025-07-31,", "rate"), ("USD,2025-07-31, 1", "rate"),
      ("USD,2025-07-31,\"1,385\"", "rate"),
      ("USD,2025-07-31,１", "rate"),
      ("USD,2025-07-31,0.\(String(repeating: "0", count: 39))1", "rate"),
      ("USD,2025-07-31", nil), ("USD,2025-07-31,1,1", nil),
      ("EUR,2025-07-31,1.000000000001", "rate"), ("eur,2025-07-31,2", "rate"),
    ] as [(String, String?)])
  func `a wrong value is refused by its line and field`(line: String, field: String?) {
    let found = file(Self.header + "KRW,2025-07-31,1\n\n\(line)\nUSD,2025-07-30,2\n")
    #expect(found.problems.map(\.line) == [4])
    #expect(found.problems.map(\.field) == [field])
    #expect(found.rates.count == 2)
  }

  @Test func `a rate of the base currency is 1`() {
    #expect(file(Self.header + "EUR,2025-07-31,1.00\n").problems.isEmpty)
  }

  @Test func `all wrong values of a file are named`() {
    let found = file(Self.header + "AAA,x,-1\nUSD,2025-07-31,1\n\"USD\",2025-07-31,2\nUSD,\"")
    #expect(
      found.problems.map { String($0.sentence.prefix { $0 != ":" }) }
        == ["line 2, currency", "line 2, valid_on", "line 2, rate", "line 4, valid_on", "line 5"])
    #expect(found.problems[3].reason.contains("line 3"))
  }

  @Test(arguments: [
    "", "\n", "valid_on,currency,rate\nUSD,2025-07-31,1", "currency;valid_on;rate",
    "Currency,valid_on,rate",
    "USD,2025-07-31,1\n", "currency,valid_on,rate\n", "currency,valid_on,rate\r\n\r\n",
  ]) func `a file without the header or without a rate is refused`(text: String) {
    #expect(file(text).problems.map(\.line) == [1])
    #expect(file(text).rates.isEmpty)
  }
}
