/// A fixed set of numbers that are as good as random, such as filters of erased users.
///
/// Most questions are answered by one bit of a few that fit into a core's own cache: for 50,000
/// numbers those are 128 KiB, and the numbers themselves 1 MiB.
struct FilterSet: Sendable {
  /// At least 16 bits for each number, of which its own is set.
  private let bits: [UInt64]
  /// A power of two of places, at most half of them taken; zero marks an empty one.
  private let places: [UInt64]
  private let holdsZero: Bool

  init(_ numbers: some Collection<UInt64>) {
    var count = 8
    while count < 2 * numbers.count { count *= 2 }
    var bits = [UInt64](repeating: 0, count: count / 8)
    var places = [UInt64](repeating: 0, count: count)
    for number in numbers {
      bits[Self.word(of: number, in: bits.count)] |= Self.bit(of: number)
      guard number != 0 else { continue }
      var place = Int(truncatingIfNeeded: number) & (count - 1)
      while places[place] != 0, places[place] != number { place = (place + 1) & (count - 1) }
      places[place] = number
    }
    self.bits = bits
    self.places = places
    holdsZero = numbers.contains(0)
  }

  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    bits[Self.word(of: number, in: bits.count)] & Self.bit(of: number) != 0
      && holdsExactly(number)
  }

  @inline(never)
  private func holdsExactly(_ number: UInt64) -> Bool {
    if number == 0 { return holdsZero }
    var place = Int(truncatingIfNeeded: number) & (places.count - 1)
    while places[place] != number {
      if places[place] == 0 { return false }
      place = (place + 1) & (places.count - 1)
    }
    return true
  }

  /// By the upper half of a number: its place among the numbers is by the lower.
  @inline(__always)
  private static func word(of number: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: number &>> 38) & (count - 1)
  }

  @inline(__always)
  private static func bit(of number: UInt64) -> UInt64 { 1 &<< (number &>> 32 & 63) }
}
