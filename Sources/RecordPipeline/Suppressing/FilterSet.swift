/// A fixed set of uniformly distributed numbers, such as the filters of erased users.
///
/// A small bitmap answers most look-ups with one bit. For 50,000 numbers, the bitmap has 128 KiB,
/// which fit in a core's own cache, and the table of the numbers has 1 MiB.
struct FilterSet: Sendable {
  /// A bitmap with at least 16 bits for each number, in which each number sets one bit.
  private let bits: [UInt64]
  /// An open-addressing table of the numbers, in which zero marks a free slot.
  ///
  /// Its size is a power of two, and at most half of it is used.
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

  /// The index of a number's word in the bitmap.
  ///
  /// The bitmap uses the upper half of the number, because the slot in the table depends on the
  /// lower half.
  @inline(__always)
  private static func word(of number: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: number &>> 38) & (count - 1)
  }

  @inline(__always)
  private static func bit(of number: UInt64) -> UInt64 { 1 &<< (number &>> 32 & 63) }
}
