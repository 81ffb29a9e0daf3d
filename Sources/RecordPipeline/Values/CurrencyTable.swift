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

  /// Digits of the minor unit (`-` without one), and then the codes with it, each with its first and last day: a code
  /// without days has been valid all the time, one without a first day from before 2000-01-01 on.
  private static let text: StaticString = """
    - XAG XAU XBA XBB XBC XBD XDR XPD XPT XTS XXX
      ECV /2000-09-30  TJR /2001-04-30  XFO /2006-10-31  XFU /2013-11-30
      XSU 2009-01-01/  XUA 2010-01-01/
    0 BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF
      ADP /2003-07-31  AON /2000-02-29  AOR /2000-02-29  BEF /2002-03-31  BYB /2001-01-31
      ECS /2000-09-30  ESP /2002-03-31  GRD /2002-03-31  ITL /2002-03-31  LUF /2002-03-31
      MGF /2004-12-31  PTE /2002-03-31  TPE /2002-11-30  TRL /2005-12-31
      UYI 2006-01-01/
      BYR 2000-01-01/2017-01-31
    2 AED ALL AMD AOA ARS AUD AWG BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BZD CAD CDF CHF CNY
      COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG
      HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP
      MUR MVR MWK MXN MXV MYR NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RUB SAR SBD SCR
      SEK SGD SHP SOS SVC SYP SZL THB TOP TTD TWD TZS UAH USD USN UYU UZS WST XCD YER ZAR
      AFA /2003-01-31  ANG /2025-06-30  ATS /2002-03-31  AZM /2006-12-31  BGL /2003-11-30
      BGN /2025-12-31  CYP /2008-01-31  DEM /2002-03-31  EEK /2011-01-31  FIM /2002-03-31
      FRF /2002-03-31  GHC /2008-01-31  HRK /2022-12-31  IEP /2002-03-31  LTL /2015-01-15
      LVL /2014-01-31  MRO /2018-06-30  MTL /2008-01-31  MZM /2006-12-31  NLG /2002-03-31
      ROL /2006-12-31  RUR /2004-01-31  SDD /2007-07-31  SIT /2007-01-31  SKK /2009-01-31
      SLL /2023-12-31  SRG /2003-12-31  STD /2018-06-30  TMM /2009-12-31  USS /2014-03-31
      VEB /2008-06-30  YUM /2003-07-31  ZMK /2013-06-30  ZWD /2008-08-31
      AFN 2002-10-07/  AZN 2006-01-01/  BYN 2016-07-01/  CHE 2004-11-01/  CHW 2004-11-01/
      COU 2002-01-01/  GHS 2007-07-01/  MGA 2003-07-31/  MRU 2018-01-01/  MZN 2006-07-01/
      RON 2005-07-01/  RSD 2006-10-25/  SDG 2007-01-10/  SLE 2022-04-01/  SRD 2004-01-01/
      SSP 2011-07-18/  STN 2018-01-01/  TJS 2000-10-26/  TMT 2009-01-01/  TRY 2005-01-01/
      VED 2021-10-01/  VES 2018-08-20/  XAD 2025-05-12/  XCG 2025-03-31/  ZMW 2013-01-01/
      ZWG 2024-06-25/
      AYM 2005-01-01/2005-10-31  CHC 2004-01-01/2004-11-30  CSD 2003-07-03/2006-10-31
      CUC 2009-03-01/2021-06-30  GHP 2006-01-01/2007-06-30  VEF 2008-01-01/2018-08-31
      ZWL 2009-02-02/2024-08-31  ZWN 2006-08-01/2006-09-30  ZWR 2008-08-01/2009-06-30
    3 BHD IQD JOD KWD LYD OMR TND
    4 CLF
      UYW 2018-08-29/
    """

  /// Sorted by code, each code once.
  package static let all: [Currency] = {
    var all: [Currency] = []
    var minorUnit: Int?
    for word in text.words {
      switch word.count {
      case 1: minorUnit = Int(word.text)
      case 3: all.append(Currency(letters: word, minorUnit: minorUnit))
      default:
        let days = word.text.split(separator: "/", omittingEmptySubsequences: false)
        all[all.count - 1].firstDay = CalendarDay(text: days[0])
        all[all.count - 1].lastDay = CalendarDay(text: days[1])
      }
    }
    return all.sorted { $0.code < $1.code }
  }()

  /// For each possible code, the place of its currency; -1 without one.
  private static let indexes = all.enumerated().reduce(
    into: [Int16](repeating: -1, count: 26 * 26 * 26)
  ) { indexes, currency in
    indexes[number(of: currency.element.letters)] = Int16(currency.offset)
  }

  /// The place in `all` of the currency that three letters in any case name, for a record of a day.
  ///
  /// It has a minor unit. A place is a word, while a currency is several, which a line would copy.
  ///
  /// - Parameter day: days since 1970-01-01, in UTC; nil: any day.
  /// - Throws: `Rejection` when the code is unknown, not valid on the day, or without a minor unit.
  static func place(ofCode text: ByteSlice, day: Int32?) throws(Rejection) -> Int {
    guard text.count == 3, text.buffer.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) else {
      throw Rejection(.invalidCurrency, "it is not a code of three letters")
    }
    let place = Int(indexes[number(of: text)])
    guard place >= 0 else { throw Rejection(.invalidCurrency, "it is not a code of ISO 4217") }
    let currency = all[place]
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
    return place
  }

  /// The number of three letters among the 26 * 26 * 26 possible codes.
  private static func number(of letters: ByteSlice) -> Int {
    letters.buffer.reduce(0) { $0 * 26 + Int($1 & 0xDF) - 0x41 }
  }
}

/// A currency code and its days of validity; `game.currency` also has its name and its kind.
package struct Currency: @unchecked Sendable {
  // `@unchecked Sendable` is safe, because the letters are those of the table's text.
  /// Three letters A...Z, such as "EUR".
  let letters: ByteSlice
  /// Decimal digits of the minor unit, 0...4; nil when ISO gives none or it is unknown.
  package let minorUnit: Int?
  /// The first day of validity; nil when it is before 2000-01-01.
  package fileprivate(set) var firstDay: CalendarDay?
  /// The last day of validity, inclusive; nil while the code is valid.
  package fileprivate(set) var lastDay: CalendarDay?

  package var code: String { letters.text }
}
