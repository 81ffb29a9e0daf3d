import RecordPipeline
import Testing

struct CurrencyTableTests {
  private let table = CurrencyTable.iso4217

  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Int32 {
    try #require(CalendarDay(year: year, month: month, day: day)).daysSinceEpoch
  }

  private func packed(_ code: String) -> UInt32 {
    code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func verdict(_ code: String, _ day: Int32) -> CurrencyTable.Verdict {
    table.verdict(packedCode: packed(code), day: day)
  }

  private func codes(where condition: (Currency) -> Bool) -> String {
    table.all.filter(condition).map(\.code).joined(separator: " ")
  }

  // MARK: The data

  @Test func `every line of the data parses`() throws {
    let parsed = try CurrencyTable(parsing: CurrencyTable.iso4217Lines)
    #expect(parsed.all.count == CurrencyTable.iso4217Lines.split(separator: "\n").count)
    #expect(parsed.all == table.all)
  }

  @Test func `the table has the 178 codes of list one and 62 ended ones`() {
    #expect(table.all.count { $0.lastDay == nil } == 178)
    #expect(table.all.count { $0.lastDay != nil } == 62)
  }

  @Test func `each code is listed once, in order`() {
    let codes = table.all.map(\.code)
    #expect(codes == Set(codes).sorted())
  }

  @Test func `no two codes have the same name`() {
    #expect(Set(table.all.map(\.name)).count == table.all.count)
  }

  @Test func `the table has no code that ended before 2000`() throws {
    let start = try day(2000, 1, 1)
    #expect(codes { ($0.lastDay?.daysSinceEpoch ?? start) < start } == "")
    #expect(codes { ($0.firstDay?.daysSinceEpoch ?? start) < start } == "")
  }

  @Test func `all columns of a line are read`() throws {
    let euro = try #require(table.all.first { $0.code == "EUR" })
    #expect(euro.name == "Euro")
    #expect(euro.minorUnit == 2)
    #expect(euro.kind == .money)
    #expect(euro.firstDay == nil)
    #expect(euro.lastDay == nil)
    let fuerte = try #require(table.all.first { $0.code == "VEF" })
    #expect(fuerte.name == "Venezuelan Bolívar Fuerte")
    #expect(fuerte.firstDay == CalendarDay(year: 2008, month: 1, day: 1))
    #expect(fuerte.lastDay == CalendarDay(year: 2018, month: 8, day: 31))
  }

  @Test func `funds, metals, units of account, XTS and XXX each have their kind`() {
    #expect(codes { $0.kind == .fund } == "BOV CHC CHE CHW CLF COU ECV MXV USN USS UYI UYW XAD")
    #expect(codes { $0.kind == .metal } == "XAG XAU XPD XPT")
    #expect(codes { $0.kind == .accountUnit } == "XBA XBB XBC XBD XDR XFO XFU XSU XUA")
    #expect(codes { $0.kind == .test } == "XTS")
    #expect(codes { $0.kind == .noCurrency } == "XXX")
  }

  // MARK: Minor units

  @Test func `valid codes have the minor unit of list one`() {
    func valid(with digits: Int?) -> String {
      codes { $0.lastDay == nil && $0.minorUnit == digits }
    }
    #expect(
      valid(with: 0) == "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF")
    #expect(valid(with: 1) == "")
    #expect(valid(with: 3) == "BHD IQD JOD KWD LYD OMR TND")
    #expect(valid(with: 4) == "CLF UYW")
    #expect(valid(with: nil) == "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX")
  }

  @Test func `ended codes have the last minor unit of list one`() {
    func ended(with digits: Int?) -> String {
      codes { $0.lastDay != nil && $0.minorUnit == digits }
    }
    #expect(
      ended(with: 0) == "ADP AON AOR BEF BYB BYR ECS ESP GRD ITL LUF MGF PTE TPE TRL")
    #expect(ended(with: 1) == "")
    #expect(ended(with: 3) == "")
    #expect(ended(with: 4) == "")
    #expect(ended(with: nil) == "ECV TJR XFO XFU")
  }

  /// CLDR, ICU or payment providers give another minor unit for these codes.
  @Test(arguments: [
    "AFN", "COP", "HUF", "IDR", "IRR", "LAK", "MGA", "MMK", "MRU", "PKR", "RSD", "SLE", "TWD",
  ])
  func `the minor unit has ISO's two digits even where other sources differ`(code: String) throws {
    #expect(verdict(code, try day(2026, 11, 21)) == .valid(minorUnit: 2))
  }

  @Test func `minor units have 0, 2, 3 or 4 digits`() throws {
    let today = try day(2026, 11, 21)
    #expect(verdict("JPY", today) == .valid(minorUnit: 0))
    #expect(verdict("USD", today) == .valid(minorUnit: 2))
    #expect(verdict("KWD", today) == .valid(minorUnit: 3))
    #expect(verdict("CLF", today) == .valid(minorUnit: 4))
  }

  @Test(arguments: ["XAU", "XAG", "XPT", "XPD", "XBA", "XBD", "XDR", "XSU", "XUA", "XTS", "XXX"])
  func `a code without a minor unit is refused on any day`(code: String) throws {
    for day in [Int32.min, try day(2000, 1, 1), try day(2026, 11, 21), Int32.max] {
      #expect(verdict(code, day) == .withoutMinorUnit)
    }
  }

  // MARK: Validity

  @Test(arguments: [
    ("HRK", 2022, 12, 31), ("BGN", 2025, 12, 31), ("ANG", 2025, 6, 30), ("ZWL", 2024, 8, 31),
    ("SLL", 2023, 12, 31), ("CUC", 2021, 6, 30), ("DEM", 2002, 3, 31), ("LTL", 2015, 1, 15),
    ("TRL", 2005, 12, 31), ("BYR", 2017, 1, 31), ("VEF", 2018, 8, 31), ("AOR", 2000, 2, 29),
  ])
  func `an ended code is accepted for 400 days after its last day`(
    code: String, year: Int, month: Int, dayOfMonth: Int
  ) throws {
    let last = try day(year, month, dayOfMonth)
    let currency = try #require(table.all.first { $0.code == code })
    let valid = CurrencyTable.Verdict.valid(minorUnit: try #require(currency.minorUnit))
    #expect(verdict(code, last) == valid)
    #expect(verdict(code, last + 400) == valid)
    #expect(verdict(code, last + 401) == .noLongerValid)
    #expect(verdict(code, .max) == .noLongerValid)
  }

  @Test(arguments: [
    ("SLE", 2022, 4, 1), ("ZWG", 2024, 6, 25), ("XCG", 2025, 3, 31), ("XAD", 2025, 5, 12),
    ("VED", 2021, 10, 1), ("VES", 2018, 8, 20), ("MRU", 2018, 1, 1), ("STN", 2018, 1, 1),
    ("BYN", 2016, 7, 1), ("ZMW", 2013, 1, 1), ("SSP", 2011, 7, 18), ("TMT", 2009, 1, 1),
    ("GHS", 2007, 7, 1), ("SDG", 2007, 1, 10), ("RSD", 2006, 10, 25), ("MZN", 2006, 7, 1),
    ("AZN", 2006, 1, 1), ("RON", 2005, 7, 1), ("TRY", 2005, 1, 1), ("SRD", 2004, 1, 1),
    ("AFN", 2002, 10, 7),
  ])
  func `a code is refused before its first day`(
    code: String, year: Int, month: Int, dayOfMonth: Int
  ) throws {
    let first = try day(year, month, dayOfMonth)
    #expect(verdict(code, first - 1) == .notYetValid)
    #expect(verdict(code, first) == .valid(minorUnit: 2))
    #expect(verdict(code, .min) == .notYetValid)
  }

  @Test func `both bounds apply to a code that began and ended since 2000`() throws {
    #expect(verdict("ZWR", try day(2008, 7, 31)) == .notYetValid)
    #expect(verdict("ZWR", try day(2008, 8, 1)) == .valid(minorUnit: 2))
    #expect(verdict("ZWR", try day(2009, 6, 30) + 400) == .valid(minorUnit: 2))
    #expect(verdict("ZWR", try day(2009, 6, 30) + 401) == .noLongerValid)
  }

  @Test func `a code of the nineties is valid on the first day of 2000`() throws {
    #expect(verdict("EUR", try day(2000, 1, 1)) == .valid(minorUnit: 2))
    #expect(verdict("DEM", try day(2000, 1, 1)) == .valid(minorUnit: 2))
    #expect(verdict("EUR", .max) == .valid(minorUnit: 2))
  }

  // MARK: Packed codes

  @Test func `letters are packed big-endian`() {
    #expect(table.verdict(packedCode: 0x455552, day: 0) == .valid(minorUnit: 2))
    #expect(table.verdict(packedCode: 0x525545, day: 0) == .unknown)
  }

  /// The last two would count as AFA and BAM if a letter after Z carried over to the next place.
  private static let otherNumbers: [UInt32] = [
    0, 0x4555, 0x0045_5500, 0x4100_4555, 0x0145_5552, 0x4545_5552, 0x0065_7572, 0x0045_5572,
    0x0040_5552, 0x005B_5552, 0x0045_4052, 0x0045_5540, 0xFFFF_FFFF, 0x0041_455B, 0x0041_5B4D,
  ]

  @Test(arguments: otherNumbers)
  func `a number that is not three upper-case letters is unknown`(packedCode: UInt32) {
    #expect(table.verdict(packedCode: packedCode, day: 0) == .unknown)
  }

  @Test func `of all three-letter codes only the listed ones are known`() {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var known: [String] = []
    for first in letters {
      for second in letters {
        for third in letters {
          let code = String([first, second, third])
          if verdict(code, 0) != .unknown { known.append(code) }
        }
      }
    }
    #expect(known == table.all.map(\.code))
  }

  // MARK: Reading the data

  private static let before = "AAA 2 money        -          -          Before"
  private static let good = "EUR 2 money        -          -          Euro"

  @Test func `the line from which the bad lines are derived parses`() throws {
    let table = try CurrencyTable(parsing: Self.before + "\n" + Self.good)
    #expect(table.all.map(\.name) == ["Before", "Euro"])
  }

  @Test(arguments: [
    "",
    "EUR",
    "EUR 2 money        -          -          ",
    "EUR 2 money        -          -           Euro",
    "EUR 2 money        -          -          Euro ",
    "eur 2 money        -          -          Euro",
    "EU1 2 money        -          -          Euro",
    "EUR 5 money        -          -          Euro",
    "EUR   money        -          -          Euro",
    "EUR 2 coins        -          -          Euro",
    "EUR 2  money       -          -          Euro",
    "EUR 2              -          -          Euro",
    "EUR 2 money                   -          Euro",
    "EUR 2 money        -                     Euro",
    "EUR 2 money        2001-02-29 -          Euro",
    "EUR 2 money        2001-13-01 -          Euro",
    "EUR 2 money        2001-1-01  -          Euro",
    "EUR 2 money        2001-+1-01 -          Euro",
    "EUR 2 money        2001/01/01 -          Euro",
    "EUR 2 money        -          2001-04-31 Euro",
    "EUR 2 money        2001-01-02 2001-01-01 Euro",
    "EUR 2 money        -          -         Euro",
    "EUR-2 money        -          -          Euro",
    "EUR 2-money        -          -          Euro",
    "EUR 2 money       --          -          Euro",
    "EUR 2 money        -         --          Euro",
    "EUR 2 money        -          -         -Euro",
  ])
  func `the error names the line that does not parse`(bad: String) {
    let error = #expect(throws: CurrencyTable.ParseError.self) {
      try CurrencyTable(parsing: Self.before + "\n" + bad)
    }
    #expect(error?.line == 2)
    #expect(error?.text == bad)
  }

  @Test(arguments: ["EUR", "EUQ", "AAA"])
  func `a line out of order is refused`(code: String) {
    let bad = code + Self.good.dropFirst(3)
    let error = #expect(throws: CurrencyTable.ParseError.self) {
      try CurrencyTable(parsing: Self.good + "\n" + bad)
    }
    #expect(error?.line == 2)
    #expect(error?.text == bad)
  }

  @Test func `a custom table parses`() throws {
    let table = try CurrencyTable(
      parsing: """
        AAA 3 fund         2001-03-01 2001-03-01 One Day
        EUR 2 money        -          -          Euro
        """)
    let first = try day(2001, 3, 1)
    #expect(table.all.map(\.code) == ["AAA", "EUR"])
    #expect(table.verdict(packedCode: packed("AAA"), day: first - 1) == .notYetValid)
    #expect(table.verdict(packedCode: packed("AAA"), day: first) == .valid(minorUnit: 3))
    #expect(table.verdict(packedCode: packed("AAA"), day: first + 400) == .valid(minorUnit: 3))
    #expect(table.verdict(packedCode: packed("AAA"), day: first + 401) == .noLongerValid)
    #expect(table.verdict(packedCode: packed("USD"), day: first) == .unknown)
  }
}

struct CalendarDayTests {
  @Test(arguments: [
    (1, 1, 1, -719_162), (1899, 12, 31, -25_568), (1969, 12, 31, -1), (1970, 1, 1, 0),
    (2000, 1, 1, 10_957), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2022, 12, 31, 19_357),
    (2024, 2, 29, 19_782), (2025, 12, 31, 20_453), (2026, 11, 21, 20_778),
    (9999, 12, 31, 2_932_896),
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
