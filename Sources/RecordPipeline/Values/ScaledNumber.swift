/// A JSON number times a power of ten, computed exactly from its decimal digits.
///
/// Without binary floating point, 2^53 + 1 stays exact, and 1e400 does not become infinity.
struct ScaledNumber {
  let isNegative: Bool
  /// The integer part of the scaled absolute value; nil when it is above `UInt64.max`.
  let magnitude: UInt64?
  /// The first digit after the point, 0...9.
  let firstFractionDigit: UInt8
  /// True when a digit after `firstFractionDigit` is not 0.
  let hasFurtherFraction: Bool

  var isWhole: Bool { firstFractionDigit == 0 && !hasFurtherFraction }
  var isZero: Bool { magnitude == 0 && isWhole }

  /// The value as an integer; nil when it has a fraction or does not fit in 64 bits.
  ///
  /// `-0` is 0.
  var integer: Int64? {
    guard isWhole, let magnitude else { return nil }
    if isNegative { return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 } }
    return Int64(exactly: magnitude)
  }

  /// The number `text` times 10^`power`.
  ///
  /// - Parameter text: matches RFC 8259's number grammar.
  @inline(__always)
  init(_ text: ByteSlice, timesTenTo power: Int) {
    if let short = ShortDecimal(text), let scaled = Self(short, timesTenTo: power) {
      self = scaled
    } else {
      self.init(long: text, timesTenTo: power)
    }
  }

  /// - Returns: nil when more than 19 digits are after the point, so that the power of ten fits in
  ///   64 bits.
  @inline(__always)
  private init?(_ number: ShortDecimal, timesTenTo power: Int) {
    isNegative = number.isNegative
    let excess = number.places - power
    if excess <= 0 {
      var scaled: UInt64? = number.digits
      for _ in excess..<0 {
        let product = scaled?.multipliedReportingOverflow(by: 10)
        scaled = product.flatMap { $0.overflow ? nil : $0.partialValue }
      }
      magnitude = scaled
      firstFractionDigit = 0
      hasFurtherFraction = false
      return
    }
    guard excess <= 19 else { return nil }
    var unit: UInt64 = 1
    for _ in 1..<excess { unit *= 10 }
    // `kept` ends with the first digit after the point, and `further` holds all later digits.
    let (kept, further) = number.digits.quotientAndRemainder(dividingBy: unit)
    magnitude = kept / 10
    firstFractionDigit = UInt8(truncatingIfNeeded: kept % 10)
    hasFurtherFraction = further != 0
  }

  /// The slow path, for any JSON number.
  @inline(never)
  private init(long text: ByteSlice, timesTenTo power: Int) {
    var index = 0
    isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    let mantissaStart = index
    var wholeDigits = 0
    while index < text.count, Self.isDigit(text[index]) {
      index += 1
      wholeDigits += 1
    }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      while index < text.count, Self.isDigit(text[index]) { index += 1 }
    }
    let mantissaEnd = index
    let exponent = index < text.count ? Self.exponent(text, after: index) : 0

    // The number of mantissa digits before the point after scaling; it may be negative.
    let wholeCount = wholeDigits + exponent + power
    var whole: UInt64 = 0
    var overflows = false
    var firstFraction: UInt8 = 0
    var further = false
    func shift(in digit: UInt64) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(digit)
      whole = sum
      overflows = overflows || overflow || carry
    }
    var position = 0
    for index in mantissaStart..<mantissaEnd where text[index] != UInt8(ascii: ".") {
      let digit = text[index] &- 0x30
      if position < wholeCount {
        if !overflows { shift(in: UInt64(digit)) }
      } else if position == wholeCount {
        firstFraction = digit
      } else if digit != 0 {
        further = true
      }
      position += 1
    }
    // Append the zeros of the exponent. The number overflows after at most twenty of them.
    while position < wholeCount, whole != 0, !overflows {
      shift(in: 0)
      position += 1
    }
    magnitude = overflows ? nil : whole
    firstFractionDigit = firstFraction
    hasFurtherFraction = further
  }

  /// The exponent after `e`, limited to a billion so that no sum with it overflows.
  private static func exponent(_ text: ByteSlice, after start: Int) -> Int {
    var index = start + 1
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var value = 0
    while index < text.count {
      value = min(value * 10 + Int(text[index] &- 0x30), 1_000_000_000)
      index += 1
    }
    return isNegative ? -value : value
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isDigits(_ text: ByteSlice) -> Bool {
    !text.isEmpty && text.buffer.allSatisfy(isDigit)
  }

  /// True when a text is exactly one RFC 8259 number.
  static func isNumber(_ text: ByteSlice) -> Bool {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < text.count, isDigit(text[index]) { index += 1 }
      return index - start
    }
    if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
    let startsWithZero = index < text.count && text[index] == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !startsWithZero || whole == 1 else { return false }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() > 0 else { return false }
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
      }
      guard digits() > 0 else { return false }
    }
    return index == text.count
  }
}

/// A decimal number without an exponent, with digits that fit in a machine word; nearly all numbers
/// are so.
struct ShortDecimal {
  let isNegative: Bool
  /// All digits, before and after the point, as one number.
  let digits: UInt64
  /// The number of digits after the point, 0...18.
  let places: Int

  /// - Parameter text: matches RFC 8259's number grammar.
  /// - Returns: nil when the number has an exponent, or more than 19 characters.
  @inline(__always)
  init?(_ text: ByteSlice) {
    // Every number of nineteen digits is below 2^64.
    guard text.count <= 19, !text.isEmpty else { return nil }
    isNegative = text[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    var digits: UInt64 = 0
    while index < text.count, ScaledNumber.isDigit(text[index]) {
      digits = digits &* 10 &+ UInt64(text[index] &- 0x30)
      index += 1
    }
    var places = 0
    if index < text.count, text[index] == UInt8(ascii: ".") {
      index += 1
      places = text.count - index
      while index < text.count, ScaledNumber.isDigit(text[index]) {
        digits = digits &* 10 &+ UInt64(text[index] &- 0x30)
        index += 1
      }
    }
    guard index == text.count else { return nil }
    self.digits = digits
    self.places = places
  }

  init(digits: UInt64, places: Int) {
    isNegative = false
    self.digits = digits
    self.places = places
  }

  /// The 32-bit float nearest to the absolute value; nil when 64-bit arithmetic cannot decide it.
  ///
  /// The digits and the power of ten are exact as 64-bit floats, so their quotient is the 64-bit
  /// float that is nearest to the number. The midpoint of two neighboring 32-bit floats is a 64-bit
  /// float, too: its 29 extra bits are a 1 and 28 zeros. Therefore the quotient and the number lie
  /// on the same side of every midpoint, unless the quotient is a midpoint itself.
  /// - Source: IEEE 754: a quotient is rounded correctly.
  var nearestFloat: Float? {
    guard digits <= 1 << 53 else { return nil }
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    let quotient = Double(digits) / power
    let isBorder = quotient.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    // Subnormal 32-bit floats have other midpoints.
    return isBorder || quotient < Double(Float.leastNormalMagnitude) ? nil : Float(quotient)
  }
}
