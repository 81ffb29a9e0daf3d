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
