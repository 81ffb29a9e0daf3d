/// A fixed shuffle of the numbers 0..<count that needs no memory: neighbors end up far apart.
///
/// It is multiplication by a number near the golden section of `count` that has no divisor in
/// common with it.
struct SpreadOrder: Sendable {
  private let count: UInt64
  private let multiplier: UInt64
  private let shift: UInt64

  /// - Parameter count: 0...4294967295.
  init(count: Int, bits: UInt64) {
    let count = UInt64(max(1, count))
    self.count = count
    // 2654435769 / 2^32 is the golden section.
    var multiplier = max(1, (count &* 2_654_435_769) >> 32)
    while Self.greatestCommonDivisor(multiplier, count) != 1 { multiplier += 1 }
    self.multiplier = multiplier
    shift = bits % count
  }

  /// The place of a number in the shuffle.
  @inline(__always)
  func position(of index: Int) -> Int {
    Int((UInt64(index) &* multiplier &+ shift) % count)
  }

  private static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (larger, smaller) = (first, second)
    while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}
