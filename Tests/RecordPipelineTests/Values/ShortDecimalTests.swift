import Foundation
import Testing

@testable import RecordPipeline

struct ShortDecimalTests {
  private func with<Result>(_ text: String, _ use: (ByteSlice) throws -> Result) rethrows -> Result
  {
    var text = text
    return try text.withUTF8 { utf8 in
      var none: UInt8 = 0
      return try withUnsafePointer(to: &none) { empty in
        try use(ByteSlice(start: utf8.baseAddress ?? empty, count: utf8.count))
      }
    }
  }

  @Test(
    arguments: [
      ("0", false, 0, 0), ("-0", true, 0, 0), ("4.99", false, 499, 2), ("35.0", false, 350, 1),
      ("-1", true, 1, 0), ("0.000000000000000001", false, nil, 0),
      ("0.00000000000000001", false, 1, 17), ("9999999999999999999", false, nil, 0),
      ("1751414405222", false, 1_751_414_405_222, 0),
    ] as [(String, Bool, UInt64?, Int)])
  func `digits and decimal places are parsed`(
    text: String, isNegative: Bool, digits: UInt64?, places: Int
  ) {
    let number = with(text) { ShortDecimal($0) }
    if text == "9999999999999999999" {
      // The largest number of nineteen digits still fits in a word.
      #expect(number?.digits == 9_999_999_999_999_999_999)
      return
    }
    #expect(number?.digits == digits)
    if digits != nil {
      #expect(number?.isNegative == isNegative)
      #expect(number?.places == places)
    }
  }

  @Test(arguments: ["", "1e3", "1E0", "1.5e1", "12345678901234567890"])
  func `other forms are left to the general parser`(text: String) {
    #expect(with(text) { ShortDecimal($0) } == nil)
  }

  /// A number with an exponent goes to the general parser.
  @Test(arguments: [-3, 0, 1, 2, 3, 4])
  func `short and long numbers scale alike`(power: Int) {
    var random = SplitMix(state: UInt64(power + 9))
    for _ in 0..<10_000 {
      var text = Bool.random(using: &random) ? "-" : ""
      let (whole, places) = (
        Int.random(in: 1...12, using: &random), Int.random(in: 0...17, using: &random)
      )
      let digit = { (from: Int) in String(Int.random(in: from...9, using: &random)) }
      text += whole == 1 ? digit(0) : digit(1) + (1..<whole).map { _ in digit(0) }.joined()
      if places > 0 {
        text +=
          "." + (0..<places).map { _ in Bool.random(using: &random) ? "0" : digit(0) }.joined()
      }
      let short = with(text) { ScaledNumber($0, timesTenTo: power) }
      let long = with(text + "e0") { ScaledNumber($0, timesTenTo: power) }
      let isSame =
        short.isNegative == long.isNegative && short.magnitude == long.magnitude
        && short.firstFractionDigit == long.firstFractionDigit
        && short.hasFurtherFraction == long.hasFurtherFraction
      if !isSame { Issue.record("\(text) times 10^\(power): \(short), not \(long)") }
    }
  }

  @Test func `the nearest float equals the parsed one, or is nil`() throws {
    var random = SplitMix(state: 4)
    var unknown = 0
    for _ in 0..<100_000 {
      let places = Int.random(in: 0...17, using: &random)
      let shift = UInt64.random(in: 0...53, using: &random)
      let digits = UInt64.random(in: 0...1 << 54, using: &random) >> shift
      let number = ShortDecimal(digits: digits, places: places)
      guard let nearest = number.nearestFloat else {
        unknown += 1
        continue
      }
      let read = try #require(Float("\(digits)e-\(places)"))
      if nearest != read { Issue.record("\(digits)e-\(places): \(nearest), not \(read)") }
    }
    #expect(unknown < 5000)
  }

  @Test func `the nearest float is nil at the midpoint of two floats`() {
    // 16777217 is the midpoint of the floats 16777216 and 16777218.
    #expect(ShortDecimal(digits: 16_777_217, places: 0).nearestFloat == nil)
    #expect(ShortDecimal(digits: 167_772_170, places: 1).nearestFloat == nil)
    #expect(ShortDecimal(digits: 167_772_171, places: 1).nearestFloat == 16_777_218)
    #expect(ShortDecimal(digits: 167_772_169, places: 1).nearestFloat == 16_777_216)
    // More digits than a 64-bit float holds.
    #expect(ShortDecimal(digits: (1 << 53) + 1, places: 0).nearestFloat == nil)
  }
}
