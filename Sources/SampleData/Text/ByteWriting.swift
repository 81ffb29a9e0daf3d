/// Appends to a line as bytes, because String costs several times as much.
extension [UInt8] {
  /// Appends the bytes of a literal.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes prepared earlier.
  @inline(__always)
  mutating func put(_ bytes: [UInt8]) {
    append(contentsOf: bytes)
  }

  /// Appends a number in decimal digits.
  mutating func put(number: UInt64) {
    var width = 1
    var rest = number / 10
    while rest > 0 {
      width += 1
      rest /= 10
    }
    put(number: number, width: width)
  }

  /// Appends the last `width` decimal digits of a number, with leading zeros.
  mutating func put(number: UInt64, width: Int) {
    let start = count
    append(contentsOf: repeatElement(0x30, count: width))
    var rest = number
    var position = start + width
    while rest > 0, position > start {
      position -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      self[position] = 0x30 + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
  }

  /// Appends `width` characters 0-9 and A-Z, computed from random bits; `width` is up to 12.
  mutating func put(base36 bits: UInt64, width: Int) {
    var rest = bits
    for _ in 0..<width {
      let (digit, fraction) = rest.multipliedFullWidth(by: 36)
      append(UInt8(truncatingIfNeeded: digit) + (digit < 10 ? 0x30 : 0x37))
      rest = fraction
    }
  }

  /// Appends an RFC 3339 time at +09:00, with milliseconds only if they are not 0.
  mutating func put(seoulTime milliseconds: Int64) {
    let local = UInt64(milliseconds + 9 * 3_600_000)
    let date = CivilDate(day: Int64(local / 86_400_000))
    let (secondOfDay, thousandths) = (local % 86_400_000).quotientAndRemainder(dividingBy: 1000)
    put(number: date.year, width: 4)
    put("-")
    put(number: date.month, width: 2)
    put("-")
    put(number: date.day, width: 2)
    put("T")
    put(number: secondOfDay / 3600, width: 2)
    put(":")
    put(number: secondOfDay / 60 % 60, width: 2)
    put(":")
    put(number: secondOfDay % 60, width: 2)
    if thousandths > 0 {
      put(".")
      put(number: thousandths, width: 3)
    }
    put("+09:00")
  }
}

/// The content of a JSON string, without the quotes.
struct JSONText: Sendable {
  /// The text with only the mandatory escapes.
  let plain: [UInt8]
  /// The text with every character beyond ASCII as `\uXXXX`, as the writers of some engines print
  /// it.
  let ascii: [UInt8]

  init(_ text: String) {
    plain = Self.escaped(text, asciiOnly: false)
    ascii = Self.escaped(text, asciiOnly: true)
  }

  private static func escaped(_ text: String, asciiOnly: Bool) -> [UInt8] {
    let hexadecimal = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": bytes.put(#"\""#)
      case "\\": bytes.put(#"\\"#)
      case "\n": bytes.put(#"\n"#)
      case "\t": bytes.put(#"\t"#)
      case _ where scalar.value < 0x20 || (asciiOnly && scalar.value > 0x7E):
        for unit in String(scalar).utf16 {
          bytes.put(#"\u"#)
          for shift in [12, 8, 4, 0] { bytes.append(hexadecimal[Int(unit >> shift & 15)]) }
        }
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    return bytes
  }
}
