/// Appends to a line as bytes, because String costs several times as much.
extension [UInt8] {
  /// Appends the bytes of a literal.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a member's name, after a comma unless it is the first one.
  @inline(__always)
  mutating func name(_ name: StaticString) {
    put(last == UInt8(ascii: "{") ? #"""# : #",""#)
    put(name)
    put(#"":"#)
  }

  /// Appends a member with a literal such as `true`.
  mutating func member(_ name: StaticString, literal: StaticString) {
    self.name(name)
    put(literal)
  }

  /// Appends a member with a number.
  mutating func member(_ name: StaticString, number: UInt64) {
    self.name(name)
    put(number: number)
  }

  /// Appends a member with a string, whose content `put` appends.
  @inline(__always)
  mutating func member(_ name: StaticString, text put: (inout [UInt8]) -> Void) {
    self.name(name)
    append(UInt8(ascii: "\""))
    put(&self)
    append(UInt8(ascii: "\""))
  }

  /// Appends a member with a string, whose content needs no more escapes.
  mutating func member(_ name: StaticString, text: StaticString) {
    member(name) { $0.put(text) }
  }

  /// Appends a member with a string, whose content needs no more escapes.
  mutating func member(_ name: StaticString, text: [UInt8]) {
    member(name) { $0.append(contentsOf: text) }
  }

  /// Appends a number in decimal digits, with leading zeros up to a width.
  mutating func put(number: UInt64, width: Int = 1) {
    let start = count
    var rest = number
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || count < start + width
    self[start...].reverse()
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
    let local = milliseconds + 9 * 3_600_000
    let date = CivilDate(day: Int(local / dayMilliseconds))
    let (second, thousandths) = UInt64(local % dayMilliseconds)
      .quotientAndRemainder(dividingBy: 1000)
    for (separator, number, width) in [
      ("", date.year, 4), ("-", date.month, 2), ("-", date.day, 2), ("T", second / 3600, 2),
      (":", second / 60 % 60, 2), (":", second % 60, 2), (".", thousandths, 3),
    ] as [(StaticString, UInt64, Int)] where width < 3 || number > 0 {
      put(separator)
      put(number: number, width: width)
    }
    put("+09:00")
  }
}

let dayMilliseconds: Int64 = 86_400_000

/// A day of the proleptic Gregorian calendar.
///
/// - Source: Howard Hinnant: chrono-compatible low-level date algorithms (`civil_from_days`).
struct CivilDate: Sendable {
  let year: UInt64
  let month: UInt64
  let day: UInt64

  /// The date of a day counted from 1970-01-01, 0...
  init(day number: Int) {
    let (era, dayOfEra) = (UInt64(number) + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The date as the number yyyyMMdd.
  var digits: UInt64 { year * 10_000 + month * 100 + day }
}
