import Foundation
import Loading
import Postgres
import TestSupport
import Testing

/// `reference load exchange-rates` on a server.
@Suite(.serialized, .needsServer, .ownDatabase) struct ExchangeRateLoadTests {
  let fixture: LoadFixture

  init() throws {
    fixture = try LoadFixture()
    try setBaseCurrency("KRW")
  }

  private func setBaseCurrency(_ code: String?) throws {
    _ = try SettingChange(.baseCurrency, to: code, connection: try fixture.database.connect())
      .apply()
  }

  private func loaded(
    new: Int, replaced: Int, unchanged: Int, unconverted: [UnconvertedCurrency] = []
  ) -> ExchangeRateLoad.Outcome {
    .loaded(
      ExchangeRateLoad.Rates(
        new: new, replaced: replaced, unchanged: unchanged, unconverted: unconverted))
  }

  private func load(_ lines: String...) throws -> ExchangeRateLoad.Outcome {
    let path = try fixture.folder.write("rates.csv", lines: ["currency,valid_on,rate"] + lines)
    return try ExchangeRateLoad(path, connection: try fixture.database.connect()).run()
  }

  private func rates() throws -> [[String?]] {
    try fixture.database.rows(
      "select currency, valid_on, trim_scale(rate) from game.exchange_rate order by 1, 2")
  }

  @Test func `a second load replaces the rates of its days and leaves the others`() throws {
    #expect(
      try load("USD,2025-07-30,1385.20", "USD,2025-07-31,1390", "JPY,2025-07-31,9.3")
        == loaded(new: 3, replaced: 0, unchanged: 0))
    #expect(
      try load("USD,2025-07-31,1390.0", "JPY,2025-07-31,9.31", "USD,2025-08-01,1")
        == loaded(new: 1, replaced: 1, unchanged: 1))
    #expect(
      try rates() == [
        ["JPY", "2025-07-31", "9.31"], ["USD", "2025-07-30", "1385.2"],
        ["USD", "2025-07-31", "1390"], ["USD", "2025-08-01", "1"],
      ])
  }

  @Test func `a rate belongs to the base currency of its load`() throws {
    _ = try load("USD,2025-07-30,1385.20", "JPY,2025-07-30,9.3")
    try setBaseCurrency("EUR")
    #expect(
      try load("USD,2025-07-30,0.8") == loaded(new: 1, replaced: 0, unchanged: 0))
    try setBaseCurrency("KRW")
    #expect(
      try fixture.database.rows(
        "select base_currency, currency, trim_scale(rate) from game.exchange_rate order by 1, 2")
        == [["EUR", "USD", "0.8"], ["KRW", "JPY", "9.3"], ["KRW", "USD", "1385.2"]])
    #expect(
      try fixture.database.rows(
        "select currency, trim_scale(rate) from rollup.day_rate where day = '2025-07-31' order by 1"
      )
        == [["JPY", "9.3"], ["USD", "1385.2"]])
  }

  @Test func `a load tells the currencies, days and amounts without a rate`() throws {
    func receipt(_ seq: Int, _ currency: String, _ price: String, day: Int) -> String {
      """
      {"paymentSeq":"\(seq)","userId":"u","purchaseTime":\(1_751_328_000_000 + day * 86_400_000),\
      "currency":"\(currency)","price":"\(price)"}
      """
    }
    _ = try fixture.load([
      try fixture.folder.write(
        "receipt.jsonl",
        lines: [
          receipt(1, "USD", "4.99", day: 0), receipt(2, "USD", "5.01", day: 1),
          receipt(3, "USD", "1", day: 9), receipt(4, "JPY", "120", day: 0),
          receipt(5, "KRW", "1000", day: 0), receipt(6, "USD", "0", day: 0),
        ])
    ])
    #expect(
      try load("EUR,2025-07-01,1500")
        == loaded(
          new: 1, replaced: 0, unchanged: 0,
          unconverted: [
            UnconvertedCurrency(
              currency: "JPY", amount: "120", purchases: 1, firstDay: "2025-07-01",
              lastDay: "2025-07-01"),
            UnconvertedCurrency(
              currency: "USD", amount: "11.00", purchases: 3, firstDay: "2025-07-01",
              lastDay: "2025-07-10"),
          ]))
    #expect(
      try load("USD,2025-07-01,1385.2", "JPY,2025-07-01,9.3")
        == loaded(
          new: 2, replaced: 0, unchanged: 0,
          unconverted: [
            UnconvertedCurrency(
              currency: "USD", amount: "1.00", purchases: 1, firstDay: "2025-07-10",
              lastDay: "2025-07-10")
          ]))
  }

  @Test func `rates without a base currency are refused`() throws {
    try setBaseCurrency(nil)
    let error = #expect(throws: LoadError.self) { try load("USD,2025-07-30,1385.20") }
    #expect(error?.exitCode == .configuration)
    #expect(error?.message.contains("settings set base-currency") == true)
    #expect(try rates().isEmpty)
  }

  @Test func `one wrong line refuses the whole file`() throws {
    guard case .refused(let problems) = try load("USD,2025-07-30,1", "XAU,2025-07-30,1") else {
      Issue.record("the file was loaded")
      return
    }
    #expect(problems.map(\.line) == [3])
    #expect(try rates().isEmpty)
  }

  @Test func `more rates than fit into one statement are loaded`() throws {
    let days = (0..<10_050).map { number in
      let day = Date(timeIntervalSince1970: Double(number) * 86_400)
      return "USD,\(day.formatted(.iso8601.year().month().day())),1.\(number)"
    }
    let path = try fixture.folder.write("rates.csv", lines: ["currency,valid_on,rate"] + days)
    let load = ExchangeRateLoad(path, connection: try fixture.database.connect())
    #expect(try load.run() == loaded(new: 10_050, replaced: 0, unchanged: 0))
    #expect(try load.run() == loaded(new: 0, replaced: 0, unchanged: 10_050))
    #expect(
      try fixture.database.value(
        "select trim_scale(rate) from game.exchange_rate where valid_on = '1970-01-03'")
        == "1.2")
  }

  @Test(arguments: ["nowhere.csv", "."])
  func `a file that cannot be read fails with exit code 5`(name: String) throws {
    let error = #expect(throws: LoadError.self) {
      try ExchangeRateLoad(
        "\(fixture.folder.path)/\(name)", connection: try fixture.database.connect()
      ).run()
    }
    #expect(error?.exitCode == .fileFailed)
    #expect(error?.message.contains("no rate was changed") == true)
  }

  @Test(arguments: ["0", "-1", "'NaN'", "'Infinity'", "1000000000000"])
  func `the table refuses a rate that is no positive number`(rate: String) throws {
    let error = #expect(throws: PostgresError.self) {
      try fixture.database.execute(
        "insert into game.exchange_rate values ('KRW', 'USD', '2025-07-31', \(rate))")
    }
    // Numbers with more digits than the column has fail before the check.
    #expect(["23514", "22003"].contains(error?.sqlState?.rawValue))
  }
}
