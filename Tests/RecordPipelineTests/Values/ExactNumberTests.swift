import Foundation
import Testing

@testable import RecordPipeline

struct ExactNumberTests {
  private func with<Result>(_ text: String, _ use: (ByteSlice) -> Result) -> Result {
    Array(text.utf8).withSlice(use)
  }

  /// The number times a power of ten as its digits before the point and its digits behind it.
  private func shifted(_ text: String, by power: Int) -> (whole: String, fraction: String) {
    let parts = text.lowercased().split(separator: "e")
    let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + power
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    var (whole, fraction) = (String(mantissa[0]), mantissa.count > 1 ? String(mantissa[1]) : "")
    if exponent >= 0 {
      fraction += String(repeating: "0", count: max(0, exponent - fraction.count))
      whole += fraction.prefix(exponent)
      fraction = String(fraction.dropFirst(exponent))
    } else {
      whole = String(repeating: "0", count: max(0, -exponent + 1 - whole.count)) + whole
      fraction = whole.suffix(-exponent) + fraction
      whole = String(whole.dropLast(-exponent))
    }
    return (whole, fraction)
  }

  private func check(_ text: String, _ power: Int) {
    let number = with(text) { ExactNumber($0).whole(timesTenTo: power) }
    let (whole, fraction) = shifted(text, by: power)
    let digits = String(whole.drop { $0 == "0" })
    #expect(number.magnitude == (digits.isEmpty ? 0 : UInt64(digits)), "\(text) by \(power)")
    #expect(number.isNegative == text.hasPrefix("-"), "\(text)")
    let isWhole = fraction.allSatisfy { $0 == "0" }
    #expect(number.isWhole == isWhole, "\(text) by \(power)")
    if !isWhole, number.magnitude != nil {
      let isHalf = (fraction.first?.wholeNumberValue ?? 0) >= 5
      #expect(number.fraction == (isHalf ? .halfOrMore : .belowHalf), "\(text) by \(power)")
    }
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "4.99", "35.0", "9999999999999999999", "18446744073709551615",
    "18446744073709551616", "9223372036854775808", "-9223372036854775808", "1e400", "1e-400",
    "5e0", "1.675e12", "0.5", "0.49999999999999999999999999999999999999999999999999",
    "0.50000000000000000000000000000000000000000000000000001",
    "12345678901234567890123456789012345678901234567890e-40",
    "1.00000000000000000000000000000000000000000000000000000000001", "1E+3", "0e999999999999",
    "0.000000000000000000000000000000000000000000000000000000000000000000000001e70",
    "34028236692093846346337460743176821146.5", "170000000000000000000000000000000000000000000.5",
    "170000000000000000000000000000000000000000000.50e2",
    "1234567890123456789012345678901234567890e1",
  ])
  func `numbers of all sizes are exact`(text: String) {
    // The oracle writes out all zeros of an exponent, so a large one is judged by itself.
    if text.hasPrefix("0e") {
      #expect(with(text) { ExactNumber($0).whole().integer } == 0)
      return
    }
    for power in -3...4 { check(text, power) }
  }

  @Test func `random numbers are exact`() {
    var random = SplitMix(state: 11)
    func digits(_ count: UInt64) -> String {
      (0..<count).map { _ in "\(random.next() % 10)" }.joined()
    }
    for _ in 0..<20_000 {
      var whole = digits(1 + random.next() % 24).drop { $0 == "0" }
      if whole.isEmpty { whole = "0" }
      var text = (random.next() % 4 == 0 ? "-" : "") + whole
      if random.next() % 2 == 0 { text += "." + digits(1 + random.next() % 24) }
      if random.next() % 4 == 0 { text += "e\(Int(random.next() % 60) - 30)" }
      check(text, Int(random.next() % 8) - 3)
    }
  }

  /// The nearest float by the standard library, which parses decimal texts exactly.
  @Test func `the nearest float of random amounts is that of the text`() throws {
    var random = SplitMix(state: 5)
    var decided = 0
    for _ in 0..<20_000 {
      let places = Int(random.next() % 19)
      let digits = random.next() >> (11 + random.next() % 50)
      let text = "\(digits)e-\(places)"
      guard let nearest = with(text, { ExactNumber($0).nearestFloat }) else { continue }
      decided += 1
      #expect(nearest == Float(text), "\(text)")
    }
    #expect(decided > 10_000)
  }

  @Test func `a number between two floats is not decided by 64 bits`() {
    for text in ["16777217", "16777217.0"] {
      #expect(with(text) { ExactNumber($0).nearestFloat } == nil)
    }
    #expect(with("16777217.1") { ExactNumber($0).nearestFloat } == 16_777_218)
    #expect(with("16777216.9") { ExactNumber($0).nearestFloat } == 16_777_216)
    #expect(ExactNumber((1 << 53) + 1, minorUnit: 0).nearestFloat == nil)
  }
}
