/// A number as nearly all are written: without an exponent, and in digits that fit a machine word.
struct ShortDecimal {
  let isNegative: Bool
  /// All digits, those behind the point too, as one number.
  let digits: UInt64
  /// How many of the digits stand behind the point, 0...18.
  let places: Int

  /// - Parameter text: matches RFC 8259's number grammar.
  /// - Returns: nil when the number has an exponent, or more than 19 characters.
  @inline(__always)
  init?(_ text: ByteSlice) {
    // Nineteen digits are below 2^64, whatever they are.
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

  /// The 32-bit float nearest to the absolute value; nil when 64-bit floats cannot tell it.
  ///
  /// Digits and power of ten are exact as 64-bit floats, so their quotient is the one nearest to the
  /// number. It lies on the same side of every border between two 32-bit floats as the number does,
  /// unless it lies on one.
  /// - Source: IEEE 754: a quotient is rounded correctly. What is nearest changes half-way between
  ///   two floats, and a half-way point is a 64-bit float: 1 and 28 zeros in the bits that a 32-bit
  ///   float lacks.
  var nearestFloat: Float? {
    guard digits <= 1 << 53 else { return nil }
    var power = 1.0
    for _ in 0..<places { power *= 10 }
    let quotient = Double(digits) / power
    let isBorder = quotient.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    // Below that 32-bit floats are further apart.
    return isBorder || quotient < Double(Float.leastNormalMagnitude) ? nil : Float(quotient)
  }
}
