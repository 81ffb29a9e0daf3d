/// The currency codes of ISO 4217 that were valid on any day since 2000-01-01, with minor units and days: HRK is
/// valid on a receipt of 2015, but not on one of 2025.
///
/// The first day is the day on which ISO made the code effective, or else the day on which the
/// money came into use. If neither is known (AYM, CHC, COU, GHP, UYI), it is 1 January of the
/// earliest year that the order of ISO's numeric codes allows. For XSU and XUA it is 1 January of
/// the institution's year.
///
/// The last day is the last day of the month in list three, or the last day as legal tender if
/// that is known to be later (ANG, AZM, LTL, MRO, MZM, ROL, STD, TMM, VEB, ZMK). HRK, ZWL and BGN
/// end on the day before amendments 174, 177 and 180 make them historic.
///
/// The minor unit is the last one of list one, because list three has none; no source states that of ECV and TJR.
///
/// - Source: ISO 4217 lists one and three of 2026-01-01, including amendment 180, the latest on
///   2026-11-21.
package enum CurrencyTable {
  /// The days for which a code is still accepted after its last one, because stores bill late.
  package static let graceDays: Int32 = 400

  /// Digits of the minor unit (`-` without one), and the codes with it that have been valid all the time.
  private static let lasting = """
    - XAG XAU XBA XBB XBC XBD XDR XPD XPT XTS XXX
    0 BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF
    2 AED ALL AMD AOA ARS AUD AWG BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BZD CAD CDF CHF
    2 CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD
    2 HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD
    2 MMK MNT MOP MUR MVR MWK MXN MXV MYR NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR
    2 RUB SAR SBD SCR SEK SGD SHP SOS SVC SYP SZL THB TOP TTD TWD TZS UAH USD USN UYU UZS WST
    2 XCD YER ZAR
    3 BHD IQD JOD KWD LYD OMR TND
    4 CLF
    """

  /// Code, digits, first day (`-` when before 2000-01-01) and last day (`-` while the code is valid).
  private static let dated = """
    ADP 0 -          2003-07-31  AFA 2 -          2003-01-31  AFN 2 2002-10-07 -
    ANG 2 -          2025-06-30  AON 0 -          2000-02-29  AOR 0 -          2000-02-29
    ATS 2 -          2002-03-31  AYM 2 2005-01-01 2005-10-31  AZM 2 -          2006-12-31
    AZN 2 2006-01-01 -           BEF 0 -          2002-03-31  BGL 2 -          2003-11-30
    BGN 2 -          2025-12-31  BYB 0 -          2001-01-31  BYN 2 2016-07-01 -
    BYR 0 2000-01-01 2017-01-31  CHC 2 2004-01-01 2004-11-30  CHE 2 2004-11-01 -
    CHW 2 2004-11-01 -           COU 2 2002-01-01 -           CSD 2 2003-07-03 2006-10-31
    CUC 2 2009-03-01 2021-06-30  CYP 2 -          2008-01-31  DEM 2 -          2002-03-31
    ECS 0 -          2000-09-30  ECV - -          2000-09-30  EEK 2 -          2011-01-31
    ESP 0 -          2002-03-31  FIM 2 -          2002-03-31  FRF 2 -          2002-03-31
    GHC 2 -          2008-01-31  GHP 2 2006-01-01 2007-06-30  GHS 2 2007-07-01 -
    GRD 0 -          2002-03-31  HRK 2 -          2022-12-31  IEP 2 -          2002-03-31
    ITL 0 -          2002-03-31  LTL 2 -          2015-01-15  LUF 0 -          2002-03-31
    LVL 2 -          2014-01-31  MGA 2 2003-07-31 -           MGF 0 -          2004-12-31
    MRO 2 -          2018-06-30  MRU 2 2018-01-01 -           MTL 2 -          2008-01-31
    MZM 2 -          2006-12-31  MZN 2 2006-07-01 -           NLG 2 -          2002-03-31
    PTE 0 -          2002-03-31  ROL 2 -          2006-12-31  RON 2 2005-07-01 -
    RSD 2 2006-10-25 -           RUR 2 -          2004-01-31  SDD 2 -          2007-07-31
    SDG 2 2007-01-10 -           SIT 2 -          2007-01-31  SKK 2 -          2009-01-31
    SLE 2 2022-04-01 -           SLL 2 -          2023-12-31  SRD 2 2004-01-01 -
    SRG 2 -          2003-12-31  SSP 2 2011-07-18 -           STD 2 -          2018-06-30
    STN 2 2018-01-01 -           TJR - -          2001-04-30  TJS 2 2000-10-26 -
    TMM 2 -          2009-12-31  TMT 2 2009-01-01 -           TPE 0 -          2002-11-30
    TRL 0 -          2005-12-31  TRY 2 2005-01-01 -           USS 2 -          2014-03-31
    UYI 0 2006-01-01 -           UYW 4 2018-08-29 -           VEB 2 -          2008-06-30
    VED 2 2021-10-01 -           VEF 2 2008-01-01 2018-08-31  VES 2 2018-08-20 -
    XAD 2 2025-05-12 -           XCG 2 2025-03-31 -           XFO - -          2006-10-31
    XFU - -          2013-11-30  XSU - 2009-01-01 -           XUA - 2010-01-01 -
    YUM 2 -          2003-07-31  ZMK 2 -          2013-06-30  ZMW 2 2013-01-01 -
    ZWD 2 -          2008-08-31  ZWG 2 2024-06-25 -           ZWL 2 2009-02-02 2024-08-31
    ZWN 2 2006-08-01 2006-09-30  ZWR 2 2008-08-01 2009-06-30
    """

  /// Sorted by code, each code once.
  package static let all: [Currency] = {
    let lasting = Self.lasting.split(separator: "\n").flatMap { line in
      let words = line.split(separator: " ")
      return words.dropFirst().map { [$0, words[0], "-", "-"] }
    }
    let words = Self.dated.split { $0 == " " || $0 == "\n" }
    let dated = stride(from: 0, to: words.count, by: 4).map { Array(words[$0..<$0 + 4]) }
    return (lasting + dated).map { words in
      Currency(
        packedCode: words[0].utf8.reduce(0) { $0 << 8 | UInt32($1) }, minorUnit: Int(words[1]),
        firstDay: CalendarDay(text: words[2]), lastDay: CalendarDay(text: words[3]))
    }.sorted { $0.packedCode < $1.packedCode }
  }()

  /// For each possible code, the index of its currency; -1 without one.
  private static let indexes = all.enumerated().reduce(
    into: [Int16](repeating: -1, count: 26 * 26 * 26)
  ) { indexes, currency in
    indexes[place(currency.element.code.utf8)] = Int16(currency.offset)
  }

  /// The currency that three letters in any case name, for a record of a day.
  ///
  /// - Parameter day: days since 1970-01-01, in UTC; nil: any day.
  /// - Returns: one with a minor unit.
  /// - Throws: `Rejection` when the code is unknown, not valid on the day, or without a minor unit.
  static func currency(_ text: ByteSlice, day: Int32?) throws(Rejection) -> Currency {
    guard text.count == 3, text.buffer.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) else {
      throw Rejection(.invalidCurrency, "it is not a code of three letters")
    }
    let index = Int(indexes[place(text.buffer)])
    guard index >= 0 else { throw Rejection(.invalidCurrency, "it is not a code of ISO 4217") }
    let currency = all[index]
    if currency.minorUnit == nil {
      throw Rejection(
        .currencyWithoutMinorUnit, "the code has no minor unit, so no price can be in it")
    }
    if let day, let first = currency.firstDay, day < first.daysSinceEpoch {
      throw Rejection(.currencyNotValidAtTime, "the code was introduced after this time")
    }
    if let day, let last = currency.lastDay, day > last.daysSinceEpoch + graceDays {
      throw Rejection(
        .currencyNotValidAtTime, "the code had been withdrawn more than \(graceDays) days before")
    }
    return currency
  }

  /// The place of three letters among the 26 * 26 * 26 possible codes.
  private static func place(_ letters: some Sequence<UInt8>) -> Int {
    letters.reduce(0) { $0 * 26 + Int($1 & 0xDF) - 0x41 }
  }
}

/// A currency code and its days of validity; `game.currency` also has its name and its kind.
package struct Currency: Sendable, Equatable {
  /// The three upper-case letters, the first in bits 16 to 23.
  let packedCode: UInt32
  /// Decimal digits of the minor unit, 0...4; nil when ISO gives none or it is unknown.
  package let minorUnit: Int?
  /// The first day of validity; nil when it is before 2000-01-01.
  package let firstDay: CalendarDay?
  /// The last day of validity, inclusive; nil while the code is valid.
  package let lastDay: CalendarDay?

  /// Three letters A...Z, such as "EUR".
  package var code: String {
    String(decoding: [16, 8, 0].map { UInt8(packedCode >> $0 & 0xFF) }, as: UTF8.self)
  }
}
