/// A code of ISO 4217 and its days of validity.
package struct Currency: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case money
    case fund
    case metal
    /// A unit that only institutions use, such as XDR.
    case accountUnit = "account_unit"
    case test
    case noCurrency = "no_currency"
  }

  /// Three letters A...Z, such as "EUR".
  package let code: String
  /// In English, such as "Euro".
  package let name: String
  /// Decimal digits of the minor unit, 0...4; nil when ISO gives none or it is unknown.
  package let minorUnit: Int?
  package let kind: Kind
  /// The first day of validity; nil when it is before 2000-01-01.
  package let firstDay: CalendarDay?
  /// The last day of validity, inclusive; nil while the code is valid.
  package let lastDay: CalendarDay?
}

/// The currency codes of ISO 4217, with their days of validity and minor units.
///
/// A code is looked up for a day, because codes end: HRK is valid on a receipt of 2015, but not on
/// one of 2025.
///
/// - Source: ISO 4217 lists one and three; see `iso4217Lines` for the versions read.
package struct CurrencyTable: Sendable {
  package enum Verdict: Sendable, Equatable {
    case valid(minorUnit: Int)
    case unknown
    case notYetValid
    case noLongerValid
    /// The code never has a minor unit, so no price can be in it.
    case withoutMinorUnit
  }

  /// A line of the table is malformed or out of order.
  package struct ParseError: Error, Equatable {
    /// From 1.
    package let line: Int
    package let text: String
  }

  /// The number of days for which a code is still accepted after its last day, because stores bill
  /// late.
  package static let graceDays: Int32 = 400

  /// Every code that was valid on any day since 2000-01-01.
  ///
  /// If any line of the data is malformed, the table is empty and refuses every receipt, so that
  /// the mistake is noticed. The lack of a single line might not be.
  package static let iso4217 =
    (try? CurrencyTable(parsing: iso4217Lines)) ?? CurrencyTable(inOrder: [])

  /// Sorted by code, each code once.
  package let all: [Currency]

  private let rules: [Rule]
  /// For each of the 26 * 26 * 26 possible codes, the index of its rule; -1 without one.
  private let ruleIndexes: [Int16]

  private struct Rule {
    let firstDay: Int32
    /// Includes `graceDays`.
    let lastDay: Int32
    /// -1 without a minor unit.
    let minorUnit: Int8
  }

  /// Parses a table in the form of `iso4217Lines`: sorted by code, without blank lines.
  package init(parsing text: String) throws(ParseError) {
    var currencies: [Currency] = []
    // By bytes: every start of the program reads the table.
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard let currency = Currency(line: Array(line)),
        (currencies.last?.code ?? "") < currency.code
      else { throw ParseError(line: currencies.count + 1, text: String(Substring(line))) }
      currencies.append(currency)
    }
    self.init(inOrder: currencies)
  }

  private init(inOrder currencies: [Currency]) {
    var ruleIndexes = [Int16](repeating: -1, count: 26 * 26 * 26)
    for (index, currency) in currencies.enumerated() {
      let packedCode = currency.code.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard let slot = Self.slot(packedCode) else { continue }
      ruleIndexes[slot] = Int16(index)
    }
    all = currencies
    rules = currencies.map { currency in
      Rule(
        firstDay: currency.firstDay?.daysSinceEpoch ?? .min,
        lastDay: currency.lastDay.map { $0.daysSinceEpoch + Self.graceDays } ?? .max,
        minorUnit: Int8(currency.minorUnit ?? -1))
    }
    self.ruleIndexes = ruleIndexes
  }

  /// The validity of a code on a day; called once for every receipt.
  ///
  /// - Parameters:
  ///   - packedCode: the three upper-case letters, big-endian: "EUR" is 0x455552. Any other number is an
  ///     unknown code.
  ///   - day: days since 1970-01-01, in UTC.
  package func verdict(packedCode: UInt32, day: Int32) -> Verdict {
    guard let slot = Self.slot(packedCode) else { return .unknown }
    let index = Int(ruleIndexes[slot])
    guard index >= 0 else { return .unknown }
    let rule = rules[index]
    guard rule.minorUnit >= 0 else { return .withoutMinorUnit }
    guard day >= rule.firstDay else { return .notYetValid }
    guard day <= rule.lastDay else { return .noLongerValid }
    return .valid(minorUnit: Int(rule.minorUnit))
  }

  @inline(__always)
  private static func slot(_ packedCode: UInt32) -> Int? {
    let letterA = UInt32(UInt8(ascii: "A"))
    // `first` keeps the top byte, so that a number with a fourth byte is refused.
    let first = packedCode >> 16 &- letterA
    let second = packedCode >> 8 & 0xFF &- letterA
    let third = packedCode & 0xFF &- letterA
    guard first < 26, second < 26, third < 26 else { return nil }
    return Int((first * 26 + second) * 26 + third)
  }
}

extension Currency {
  /// Parses a line of `CurrencyTable.iso4217Lines`; nil when a column is malformed.
  fileprivate init?(line bytes: [UInt8]) {
    let gaps = [3, 5, 18, 29, 40]
    guard bytes.count > 41, gaps.allSatisfy({ bytes[$0] == UInt8(ascii: " ") }),
      bytes[..<3].allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
      let kindText = Self.column(bytes[6..<18]), let kind = Kind(rawValue: kindText),
      let firstText = Self.column(bytes[19..<29]), let lastText = Self.column(bytes[30..<40]),
      let name = Self.column(bytes[41...]), name.utf8.count == bytes.count - 41
    else { return nil }

    let firstDay = CalendarDay(text: firstText)
    let lastDay = CalendarDay(text: lastText)
    guard firstDay != nil || firstText == "-", lastDay != nil || lastText == "-" else { return nil }
    if let firstDay, let lastDay, firstDay.daysSinceEpoch > lastDay.daysSinceEpoch { return nil }

    switch bytes[4] {
    case UInt8(ascii: "-"): minorUnit = nil
    case UInt8(ascii: "0")...UInt8(ascii: "4"): minorUnit = Int(bytes[4] - UInt8(ascii: "0"))
    default: return nil
    }
    code = String(decoding: bytes[..<3], as: UTF8.self)
    self.name = name
    self.kind = kind
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// A column without trailing blanks; nil when it is empty or begins with a blank.
  private static func column(_ bytes: ArraySlice<UInt8>) -> String? {
    let blank = UInt8(ascii: " ")
    guard let first = bytes.first, first != blank,
      let end = bytes.lastIndex(where: { $0 != blank })
    else { return nil }
    return String(decoding: bytes[...end], as: UTF8.self)
  }
}
