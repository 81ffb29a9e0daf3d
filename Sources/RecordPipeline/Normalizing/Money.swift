/// A price in the minor unit of its currency.
struct Price: Equatable, ValueKind {
  static let summary = "price, mandatory; -1 is none"
  static var sample: StaticString? { "0" }
  static let columns = [
    Column(.bigint), Column(.text, .follower), Column(.boolean, .follower),
    Column(.boolean, .follower),
  ]

  /// nil for -1, the vendor's value for "no price".
  let amountMinor: Int64?
  /// True when the digits below the minor unit were rounded off as the error of a 32-bit float.
  let isRepaired: Bool
  /// True when the amount is so large that a 32-bit float may not hold it exactly.
  let isImprecise: Bool
  /// The number as the line writes it.
  let text: ByteSlice

  /// The number of an amount that it does not give exactly; nil for other prices.
  var keptText: KeptText? { isRepaired || isImprecise ? KeptText(masked: text) : nil }

  // Two notations of one amount are the same price.
  static func == (left: Self, right: Self) -> Bool { left.amountMinor == right.amountMinor }
}

/// A currency code that was valid at the time of the purchase.
struct NormalizedCurrency: Equatable, ValueKind {
  static let summary = "ISO 4217 code, mandatory"
  static var sample: StaticString? { "\"USD\"" }

  /// The three upper-case letters, the first in bits 16 to 23.
  let packedCode: UInt32
  /// Decimal digits of the minor unit, 0...4.
  let minorUnit: Int
}

/// A currency code that was valid when a price was shown; absent without a price.
enum OptionalCurrency: ValueKind {
  static let summary = "ISO 4217 code, mandatory beside a price"
  static var sample: StaticString? { "\"USD\"" }
  static let isMandatory = false
}

/// A price that was shown, which needs a currency; absent, or -1, without one.
enum OptionalPrice: ValueKind {
  static let summary = "price, or -1 for none"
  static let columns = Price.columns
}

extension DecodedLine {
  /// The ISO 4217 code, in upper case.
  ///
  /// - Parameter time: the time of the purchase, at which the code must be valid.
  @inline(__always)
  mutating func currency(
    _ field: FieldSlots, at time: EpochMilliseconds
  ) throws(Rejection) -> NormalizedCurrency {
    try required(field) { line, raw throws(ValueProblem) in
      try line.normalizedCurrency(raw, at: time)
    }
  }

  /// The ISO 4217 code in upper case; nil without one.
  ///
  /// - Parameter time: the time at which the code must be valid.
  @inline(__always)
  mutating func optionalCurrency(
    _ field: FieldSlots, at time: EpochMilliseconds
  ) throws(Rejection) -> NormalizedCurrency? {
    try value(field) { line, raw throws(ValueProblem) in
      try line.normalizedCurrency(raw, at: time)
    }
  }

  @inline(__always)
  private mutating func normalizedCurrency(
    _ raw: RawValue, at time: EpochMilliseconds
  ) throws(ValueProblem) -> NormalizedCurrency? {
    if raw.isAbsent { return nil }
    guard raw.kind == .string else {
      throw ValueProblem(.wrongType, "a currency must be a string, not \(raw.kindName)")
    }
    let text = raw.isEscaped ? arena.unescape(raw.text).bytes : raw.text
    guard let packed = packedLetters(text) else {
      throw ValueProblem(.invalidCurrency, "it is not a code of three letters")
    }
    let day = Int32(truncatingIfNeeded: time / NormalizationRules.millisecondsPerDay)
    switch CurrencyTable.iso4217.verdict(packedCode: packed, day: day) {
    case .valid(let minorUnit):
      return NormalizedCurrency(packedCode: packed, minorUnit: minorUnit)
    case .unknown:
      throw ValueProblem(.invalidCurrency, "it is not a code of ISO 4217")
    case .notYetValid:
      throw ValueProblem(.currencyNotValidAtTime, "the code was introduced after this time")
    case .noLongerValid:
      throw ValueProblem(
        .currencyNotValidAtTime,
        "the code had been withdrawn more than \(CurrencyTable.graceDays) days before")
    case .withoutMinorUnit:
      throw ValueProblem(
        .currencyWithoutMinorUnit, "the code has no minor unit, so no price can be in it")
    }
  }

  private func packedLetters(_ text: ByteSlice) -> UInt32? {
    guard text.count == 3 else { return nil }
    var packed: UInt32 = 0
    for index in 0..<3 {
      let upper = text[index] & 0xDF
      guard upper >= UInt8(ascii: "A"), upper <= UInt8(ascii: "Z"), text[index] >= 0x41 else {
        return nil
      }
      packed = packed << 8 | UInt32(upper)
    }
    return packed
  }

  /// The price in the currency's minor unit, computed from the decimal digits.
  ///
  /// The vendor's SDKs hold prices in 32-bit floats, so they may write 4.99 as 4.989999771118164. A
  /// number with too many digits is rounded half up to the minor unit, if the number and the
  /// rounded amount have the same nearest 32-bit float; otherwise it is refused.
  @inline(__always)
  mutating func price(_ field: FieldSlots, minorUnit: Int) throws(Rejection) -> Price {
    try required(field) { line, raw throws(ValueProblem) in
      if raw.isAbsent { return nil }
      return try normalizedPrice(line.priceText(raw), minorUnit: minorUnit)
    }
  }

  /// The price in the currency's minor unit; nil when the line has none.
  ///
  /// An empty text is refused, because a price that was shown has digits.
  ///
  /// - Parameters:
  ///   - minorUnit: nil when the line has no currency; then only -1, the vendor's value for "no
  ///     price", is valid.
  ///   - currencyField: the field that is missing when a price has no currency.
  mutating func optionalPrice(
    _ field: FieldSlots, minorUnit: Int?, missing currencyField: FieldSlots
  ) throws(Rejection) -> Price? {
    var lacksCurrency = false
    let price = try value(field) { line, raw throws(ValueProblem) -> Price? in
      if raw.kind == .null { return nil }
      let text = try line.priceText(raw)
      if let minorUnit { return try normalizedPrice(text, minorUnit: minorUnit) }
      if ScaledNumber(text, timesTenTo: 0).integer != -1 { lacksCurrency = true }
      return Price(amountMinor: nil, isRepaired: false, isImprecise: false, text: text)
    }
    if lacksCurrency {
      let name = spelling(of: currencyField)
      throw Rejection(
        .missingField, field: name,
        "\(name) is mandatory beside a price and is absent, null or empty")
    }
    return price
  }

  /// The digits of a price.
  @inline(__always)
  private mutating func priceText(_ raw: RawValue) throws(ValueProblem) -> ByteSlice {
    switch raw.kind {
    case .number: return raw.text
    case .string:
      let text = raw.isEscaped ? arena.unescape(raw.text).bytes : raw.text
      guard ScaledNumber.isNumber(text) else {
        throw ValueProblem(.invalidPrice, "the string is not exactly one JSON number")
      }
      return text
    case .null, .true, .false, .array, .object:
      throw ValueProblem(.wrongType, "a price must be a number, not \(raw.kindName)")
    }
  }
}

private func normalizedPrice(
  _ text: ByteSlice, minorUnit: Int
) throws(ValueProblem) -> Price {
  let number = ScaledNumber(text, timesTenTo: minorUnit)
  if number.isNegative, !number.isZero {
    if ScaledNumber(text, timesTenTo: 0).integer == -1 {
      return Price(amountMinor: nil, isRepaired: false, isImprecise: false, text: text)
    }
    throw ValueProblem(
      .negativePrice, "a price must not be negative; only -1 stands for \"no price\"")
  }
  guard let whole = number.magnitude,
    let amount = Int64(exactly: whole &+ (number.firstFractionDigit >= 5 ? 1 : 0)), whole < .max
  else {
    throw ValueProblem(.priceOutOfRange, "in its minor unit it does not fit 64 bits")
  }
  if !number.isWhole {
    guard amount > 0, isSameFloat(text, amount: amount, minorUnit: minorUnit) else {
      throw ValueProblem(
        .priceTooPrecise,
        "it is finer than the currency's minor unit (\(minorUnit) digits) by more than a 32-bit "
          + "float's noise")
    }
  }
  return Price(
    amountMinor: amount, isRepaired: !number.isWhole,
    isImprecise: amount >= largestExactAmount(minorUnit: minorUnit), text: text)
}

/// True when the number and the rounded amount have the same nearest 32-bit float.
private func isSameFloat(_ text: ByteSlice, amount: Int64, minorUnit: Int) -> Bool {
  let rounded = ShortDecimal(digits: UInt64(amount), places: minorUnit)
  guard let written = ShortDecimal(text)?.nearestFloat ?? Float(text.text),
    let rounded = rounded.nearestFloat ?? Float("\(amount)e-\(minorUnit)")
  else { return false }
  return written == rounded && written.isFinite
}

/// The first amount, in minor units, that a 32-bit float may not hold exactly.
///
/// From there on, neighboring floats are farther apart than one minor unit: 16777216, 1048576.0,
/// 131072.00, 16384.000, 1024.0000.
private func largestExactAmount(minorUnit: Int) -> Int64 {
  switch minorUnit {
  case 0: 16_777_216
  case 1: 10 * 1_048_576
  case 2: 100 * 131_072
  case 3: 1000 * 16_384
  default: 10_000 * 1024
  }
}
