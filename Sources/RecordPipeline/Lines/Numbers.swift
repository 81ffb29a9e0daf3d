/// A price in the minor unit of its currency.
struct Price: Equatable {
  /// nil for -1, the vendor's value for "no price".
  let amountMinor: Int64?
  /// True when the digits below the minor unit were rounded off as the error of a 32-bit float.
  var isRepaired = false
  /// True when the amount is so large that a 32-bit float may not hold it exactly.
  var isImprecise = false
  /// The number as the line writes it.
  let text: ByteSlice

  /// The number, where the amount does not give it exactly.
  var keptText: KeptText? { isRepaired || isImprecise ? KeptText(masked: text) : nil }

  // Two notations of one amount are the same price.
  static func == (left: Self, right: Self) -> Bool { left.amountMinor == right.amountMinor }
}

extension DecodedLine {
  static func level(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> Int32? {
    try line.integer(raw, "a level", "be between 0 and 2147483647", from: 0)
  }

  static func code(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> Int64? {
    try line.integer(raw, "a code", "fit 64 bits")
  }

  static func itemNumber(_ line: inout Self, _ raw: RawValue) throws(Rejection) -> Int64? {
    try line.integer(raw, "an item number", "fit 64 bits", allowsText: true)
  }

  /// An integer, as a JSON number such as 20 or 20.0; nil when it is absent.
  ///
  /// - Parameters:
  ///   - noun: the value in messages, with its article.
  ///   - range: the description of the values that fit.
  ///   - allowsText: true for a value that may be a string of digits.
  private mutating func integer<Integer: FixedWidthInteger>(
    _ raw: RawValue, _ noun: StaticString, _ range: StaticString, allowsText: Bool = false,
    from smallest: Integer = .min
  ) throws(Rejection) -> Integer? {
    if raw.isAbsent { return nil }
    let text = resolved(raw)
    if allowsText, raw.kind == .string {
      guard text.isDigits else {
        throw Rejection(.notAnInteger, "\(noun) written as a string must hold only digits")
      }
    } else if raw.kind != .number {
      throw wrongType("\(noun) must be a number", raw)
    }
    let number = ExactNumber(text).whole()
    guard number.isWhole else {
      throw Rejection(.notAnInteger, "\(noun) must not have a fraction")
    }
    guard let value = number.integer.flatMap(Integer.init(exactly:)), value >= smallest else {
      throw Rejection(.integerOutOfRange, "\(noun) must \(range)")
    }
    return value
  }

  /// The place of a field's currency in `CurrencyTable.all`.
  ///
  /// - Parameter time: the time at which the code must be valid; nil when it is refused, so that validity is not
  ///   judged.
  mutating func currency(_ field: Field, at time: EpochMilliseconds?) -> Int? {
    let day = time.map { Int32(truncatingIfNeeded: $0 / NormalizationRules.millisecondsPerDay) }
    facts.currency = value(of: field) { line, raw throws(Rejection) -> Int? in
      if raw.isAbsent { return nil }
      guard raw.kind == .string else { throw line.wrongType("a currency must be a string", raw) }
      return try CurrencyTable.place(ofCode: line.resolved(raw), day: day)
    }
    return facts.currency
  }

  /// The price of a field, in the minor unit of the line's currency.
  ///
  /// A price that the line need not have needs a currency; only -1, "no price", does not.
  mutating func price(_ field: Field) -> Price? {
    let minorUnit = facts.currency.flatMap { CurrencyTable.all[$0].minorUnit }
    var lacksCurrency = false
    let price = value(of: field) { line, raw throws(Rejection) -> Price? in
      // Where a price may be missing, a shown one has digits, so an empty text is refused.
      if field.isMandatory ? raw.isAbsent : raw.kind == .null { return nil }
      let text = line.resolved(raw)
      switch raw.kind {
      case .number: break
      case .string where text.isNumber: break
      case .string: throw Rejection(.invalidPrice, "the string is not exactly one JSON number")
      default: throw line.wrongType("a price must be a number", raw)
      }
      if minorUnit == nil, !line.isRefused(line.stream[.currency].slots) {
        if ExactNumber(text).whole().integer != -1 { lacksCurrency = true }
        return Price(amountMinor: nil, text: text)
      }
      return try Self.price(text, minorUnit: minorUnit)
    }
    if lacksCurrency { noteMissing(stream[.currency], "is mandatory beside a price") }
    return price
  }

  /// A price, computed from the decimal digits.
  ///
  /// The vendor's SDKs hold prices in 32-bit floats, so they may write 4.99 as 4.989999771118164. A number with too
  /// many digits is rounded half up to the minor unit if both have the same nearest 32-bit float, else it is refused.
  ///
  /// - Parameter minorUnit: nil when the currency is refused, so that the digits are not judged.
  private static func price(_ text: ByteSlice, minorUnit: Int?) throws(Rejection) -> Price {
    let number = ExactNumber(text)
    let scaled = number.whole(timesTenTo: minorUnit ?? 0)
    if scaled.isNegative, !scaled.isZero {
      if number.whole().integer == -1 { return Price(amountMinor: nil, text: text) }
      throw Rejection(
        .negativePrice, "a price must not be negative; only -1 stands for \"no price\"")
    }
    guard let minorUnit else { return Price(amountMinor: nil, text: text) }
    guard let whole = scaled.magnitude,
      let amount = Int64(exactly: whole &+ (scaled.fraction == .halfOrMore ? 1 : 0)), whole < .max
    else {
      throw Rejection(.priceOutOfRange, "in its minor unit it does not fit 64 bits")
    }
    if !scaled.isWhole {
      let written = number.nearestFloat ?? Float(text.text)
      let rounded =
        ExactNumber(amount, minorUnit: minorUnit).nearestFloat ?? Float("\(amount)e-\(minorUnit)")
      guard amount > 0, let written, written == rounded, written.isFinite else {
        throw Rejection(
          .priceTooPrecise,
          "it is finer than the currency's minor unit (\(minorUnit) digits) by more than a 32-bit "
            + "float's noise")
      }
    }
    return Price(
      amountMinor: amount, isRepaired: !scaled.isWhole,
      isImprecise: amount >= largestExactAmounts[minorUnit], text: text)
  }

  /// The first amounts, in minor units of 0 to 4 digits, that a 32-bit float may not hold exactly: neighboring floats
  /// are farther apart than one minor unit from 16777216, 1048576.0, 131072.00, 16384.000, 1024.0000 on.
  private static let largestExactAmounts: [Int64] = [
    16_777_216, 10 * 1_048_576, 100 * 131_072, 1000 * 16_384, 10_000 * 1024,
  ]
}
