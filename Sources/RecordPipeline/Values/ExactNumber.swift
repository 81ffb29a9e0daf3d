internal import CSimdjson

/// A JSON number, exact by its decimal digits: `digits` times ten to the power of `exponent`.
///
/// So 2^53 + 1 stays what it is, and 1e400 does not become infinity.
struct ExactNumber {
  let isNegative: Bool
  /// The first digits that count, at least 38 of them.
  private var digits: UInt128 = 0
  private var exponent = 0
  /// The number of digits behind those, up to the last that is not 0.
  private var restCount = 0

  private static let powers: [UInt128] = (0...38).map {
    (0..<$0).reduce(1) { power, _ in power * 10 }
  }

  /// - Parameter text: matches RFC 8259's number grammar.
  init(_ text: ByteSlice) {
    isNegative = text[0] == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    // Most numbers are a few digits, which fit in a machine word.
    var word: UInt64 = 0
    let end = min(text.count, 18)
    while index < end, text[index].isDigit {
      word = word &* 10 &+ UInt64(text[index] &- 0x30)
      index += 1
    }
    digits = UInt128(word)
    var (isFraction, dropped) = (false, 0)
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if !byte.isDigit {
        exponent += Self.writtenExponent(text.slice(index..<text.count))
        return
      } else if digits < .max / 10 {
        digits = digits &* 10 &+ UInt128(byte &- 0x30)
        if isFraction { exponent -= 1 }
      } else {
        dropped += 1
        if byte != UInt8(ascii: "0") { restCount = dropped }
        if !isFraction { exponent += 1 }
      }
    }
  }

  /// An amount in a unit of a number of decimal digits.
  init(_ amount: Int64, minorUnit: Int) {
    isNegative = amount < 0
    digits = UInt128(amount.magnitude)
    exponent = -minorUnit
  }

  /// An exponent, limited to a billion so that no sum with it overflows.
  private static func writtenExponent(_ text: ByteSlice) -> Int {
    let value = text.buffer.reduce(0) { value, byte in
      byte.isDigit ? min(value * 10 + Int(byte &- 0x30), 1_000_000_000) : value
    }
    return text[0] == UInt8(ascii: "-") ? -value : value
  }

  /// A number without the digits behind its point.
  struct Whole {
    /// The size of the part behind the point.
    enum Fraction { case none, belowHalf, halfOrMore }

    let isNegative: Bool
    /// The absolute value; nil when it is above `UInt64.max`.
    let magnitude: UInt64?
    let fraction: Fraction

    var isWhole: Bool { fraction == .none }
    var isZero: Bool { magnitude == 0 && isWhole }

    /// The value as an integer; nil when it has a fraction or does not fit in 64 bits.
    ///
    /// `-0` is 0.
    var integer: Int64? {
      guard isWhole, let magnitude else { return nil }
      if isNegative { return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 } }
      return Int64(exactly: magnitude)
    }
  }

  /// The number times 10^`power`.
  @inline(__always)
  func whole(timesTenTo power: Int = 0) -> Whole {
    let exponent = exponent + power
    if exponent == 0, restCount == 0, let magnitude = UInt64(exactly: digits) {
      return Whole(isNegative: isNegative, magnitude: magnitude, fraction: .none)
    }
    return cut(exponent)
  }

  @inline(never)
  private func cut(_ exponent: Int) -> Whole {
    var magnitude: UInt64? = 0
    var fraction = digits == 0 ? Whole.Fraction.none : .belowHalf
    if exponent >= 0 {
      // A number that is not 0 is above the limit after at most twenty zeros.
      let product = digits.multipliedReportingOverflow(by: Self.powers[min(exponent, 20)])
      let isLarge = restCount > 0 || product.overflow
      magnitude = isLarge ? nil : UInt64(exactly: product.partialValue)
      fraction = restCount > exponent ? .belowHalf : .none
    } else if exponent >= -38 {
      let unit = Self.powers[-exponent]
      let (whole, rest) = digits.quotientAndRemainder(dividingBy: unit)
      magnitude = UInt64(exactly: whole)
      fraction =
        rest == 0 && restCount == 0 ? .none : 2 * rest < unit ? .belowHalf : .halfOrMore
    }
    return Whole(isNegative: isNegative, magnitude: magnitude, fraction: fraction)
  }

  /// The 32-bit float nearest to the absolute value; nil when 64-bit arithmetic cannot decide it.
  ///
  /// The digits and the power of ten are exact as 64-bit floats, so their quotient is the 64-bit
  /// float nearest to the number. The midpoint of two neighboring 32-bit floats is one, too: its 29 extra
  /// bits are a 1 and 28 zeros. So quotient and number lie on the same side of every midpoint, unless
  /// the quotient is a midpoint itself.
  /// - Source: IEEE 754: a quotient is rounded correctly.
  var nearestFloat: Float? {
    guard digits <= 1 << 53, restCount == 0, (-22...0).contains(exponent) else { return nil }
    let power = (exponent..<0).reduce(1.0) { power, _ in power * 10 }
    let quotient = Double(UInt64(digits)) / power
    let isBorder = quotient.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    // Subnormal 32-bit floats have other midpoints.
    return isBorder || quotient < Double(Float.leastNormalMagnitude) ? nil : Float(quotient)
  }
}

extension ByteSlice {
  /// True when there are digits and nothing else.
  var isDigits: Bool { !isEmpty && buffer.allSatisfy(\.isDigit) }

  /// True when the text is exactly one RFC 8259 number.
  var isNumber: Bool { gbi_json_is_number(start, count) != 0 }
}

extension UInt8 {
  var isDigit: Bool { self &- 0x30 < 10 }
}
