import Testing

@testable import RecordPipeline

struct CurrencyTableTests {
  private let table = CurrencyTable.self

  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Int32 {
    try #require(CalendarDay(year: year, month: month, day: day)).daysSinceEpoch
  }

  /// The digits of the minor unit, or the reason why there are none.
  private func verdict(_ code: String, _ day: Int32) -> String {
    Array(code.utf8).withSlice { text in
      do throws(Rejection) {
        let currency = table.all[try table.place(ofCode: text, day: day)]
        #expect(currency.code == code.uppercased())
        return "\(currency.minorUnit ?? -1)"
      } catch {
        return error.reason
      }
    }
  }

  private func codes(where condition: (Currency) -> Bool) -> String {
    table.all.filter(condition).map(\.code).joined(separator: " ")
  }

  // MARK: The data

  @Test func `the table has the codes of list one, and those that ended since 2000`() throws {
    let codes = table.all.map(\.code)
    #expect(codes == Set(codes).sorted())
    #expect(table.all.count { $0.lastDay == nil } == 178)
    #expect(table.all.count { $0.lastDay != nil } == 62)
    let start = try day(2000, 1, 1)
    #expect(table.all.allSatisfy { ($0.lastDay?.daysSinceEpoch ?? start) >= start })
    #expect(table.all.allSatisfy { ($0.firstDay?.daysSinceEpoch ?? start) >= start })
  }

  /// The codes that are not here are money with two digits; CLDR, ICU or payment providers give some
  /// of them another minor unit, such as AFN, HUF and IDR.
  @Test func `codes have the minor unit of list one`() {
    func unit(_ digits: Int?, hasEnded: Bool) -> String {
      codes { $0.minorUnit == digits && ($0.lastDay != nil) == hasEnded }
    }
    #expect(
      unit(0, hasEnded: false)
        == "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF")
    #expect(unit(3, hasEnded: false) == "BHD IQD JOD KWD LYD OMR TND")
    #expect(unit(4, hasEnded: false) == "CLF UYW")
    #expect(unit(nil, hasEnded: false) == "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX")
    #expect(
      unit(0, hasEnded: true)
        == "ADP AON AOR BEF BYB BYR ECS ESP GRD ITL LUF MGF PTE TPE TRL")
    #expect(unit(nil, hasEnded: true) == "ECV TJR XFO XFU")
    #expect(table.all.allSatisfy { [0, 2, 3, 4, nil].contains($0.minorUnit) })
    #expect(codes { $0.minorUnit ?? 0 > 2 && $0.lastDay != nil } == "")
  }

  /// Known days of codes of all kinds: some that ended, began, or did both.
  @Test(
    arguments: [
      ("HRK", nil, "2022-12-31"), ("BGN", nil, "2025-12-31"), ("ANG", nil, "2025-06-30"),
      ("ZWL", "2009-02-02", "2024-08-31"), ("DEM", nil, "2002-03-31"), ("AOR", nil, "2000-02-29"),
      ("SLE", "2022-04-01", nil), ("ZWG", "2024-06-25", nil), ("XCG", "2025-03-31", nil),
      ("VED", "2021-10-01", nil), ("AFN", "2002-10-07", nil), ("VEF", "2008-01-01", "2018-08-31"),
      ("ZWR", "2008-08-01", "2009-06-30"), ("EUR", nil, nil),
    ] as [(String, String?, String?)])
  func `a code has its first and its last day`(code: String, first: String?, last: String?) throws {
    let currency = try #require(table.all.first { $0.code == code })
    func text(_ day: CalendarDay?) -> String? {
      day.map { calendarDay(Int64($0.daysSinceEpoch) * 86_400_000) }
    }
    #expect(text(currency.firstDay) == first)
    #expect(text(currency.lastDay) == last)
  }

  // MARK: Verdicts

  @Test func `each code is valid from its first day to 400 days after its last`() throws {
    for currency in table.all {
      let first = currency.firstDay?.daysSinceEpoch ?? .min
      let last = currency.lastDay.map { $0.daysSinceEpoch + 400 } ?? .max
      let code = currency.code
      guard let minorUnit = currency.minorUnit else {
        for day in [Int32.min, try day(2000, 1, 1), Int32.max] {
          #expect(verdict(code, day).contains("no minor unit"))
        }
        continue
      }
      #expect(verdict(code, first) == "\(minorUnit)")
      #expect(verdict(code, last) == "\(minorUnit)")
      if first > .min { #expect(verdict(code, first - 1).contains("introduced after")) }
      if last < .max { #expect(verdict(code, last + 1).contains("400 days before")) }
    }
  }

  private static let unknown = "it is not a code of ISO 4217"

  @Test(arguments: ["", "EU", "EURO", "E1R", "E R", "@AA", "[AA", "`AA", "{AA", "\u{C4}R", "EU\0"])
  func `a text that is not three letters is no code`(text: String) {
    #expect(verdict(text, 0) == "it is not a code of three letters")
  }

  @Test func `a code may be written in any case`() {
    #expect(verdict("eur", 0) == "2" && verdict("Jpy", 0) == "0")
  }

  @Test func `of all three-letter codes only the listed ones are known`() {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var known: [String] = []
    for first in letters {
      for second in letters {
        for third in letters {
          let code = String([first, second, third])
          if verdict(code, 0) != Self.unknown { known.append(code) }
        }
      }
    }
    #expect(known == table.all.map(\.code))
  }
}

struct CalendarDayTests {
  @Test(arguments: [
    (1, 1, 1, -719_162), (1969, 12, 31, -1), (1970, 1, 1, 0), (9999, 12, 31, 2_932_896),
  ])
  func `days are counted since 1970`(year: Int, month: Int, day: Int, days: Int32) throws {
    let calendarDay = try #require(CalendarDay(year: year, month: month, day: day))
    #expect(calendarDay.daysSinceEpoch == days)
  }

  @Test func `the days of four centuries are numbered without gaps`() {
    var expected: Int32 = 10_957
    for year in 2000..<2400 {
      for month in 1...12 {
        for day in 1...31 {
          guard let calendarDay = CalendarDay(year: year, month: month, day: day) else { continue }
          #expect(calendarDay.daysSinceEpoch == expected)
          expected += 1
        }
      }
    }
    #expect(expected == 10_957 + 146_097)
  }

  @Test(arguments: [
    (0, 1, 1), (10_000, 1, 1), (2025, 0, 1), (2025, 13, 1), (2025, 1, 0), (2025, 1, 32),
    (2025, 4, 31), (2025, 2, 29), (1900, 2, 29), (2100, 2, 29), (2024, 2, 30),
  ])
  func `dates that do not exist are refused`(year: Int, month: Int, day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }
}
