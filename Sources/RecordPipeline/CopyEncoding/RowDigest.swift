/// A digest of what a row says, by which the same row in other bytes is recognised as a duplicate
/// without being compared.
///
/// It covers the columns of the row's stream as they are written, each with its length, and so all
/// that tells a duplicate from a conflict. Rows that say the same have the same digest. Rows that do
/// not have different ones: the bytes are read as the coefficients of a polynomial, seven to a
/// number, which is evaluated at two secret random points modulo the prime 2^61 - 1. For two rows of
/// n numbers each, whatever they are, at most n of 2^61 points give the same value; for rows of
/// 300 bytes both points do with a probability of less than 2^-110, for rows of 1 MiB 2^-87.
/// - Source: Carter, Wegman, "Universal classes of hash functions", 1979; the bound is that of a
///   polynomial's roots.
package struct RowDigest: Equatable {
  package let first: UInt64
  package let second: UInt64

  /// The two points; drawn once for each database, since digests are compared only within one.
  package struct Key: Sendable, Equatable {
    fileprivate let first: UInt64
    fileprivate let second: UInt64

    /// - Parameter bytes: at least 16 random bytes, of which 61 bits are used for each point; nil
    ///   when there are fewer.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= 16 else { return nil }
      func point(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) } & RowDigest.prime
      }
      first = point(bytes[0..<8])
      second = point(bytes[8..<16])
    }
  }

  private static let prime: UInt64 = 1 << 61 - 1

  package init(of bytes: UnsafeRawBufferPointer, key: Key) {
    // The length is a coefficient of its own, and the first: without it leading zeros would not count.
    var first = Self.product(UInt64(bytes.count), key.first)
    var second = Self.product(UInt64(bytes.count), key.second)
    var offset = 0
    while offset + 8 <= bytes.count {
      let number =
        bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x00FF_FFFF_FFFF_FFFF
      first = Self.product(first &+ number, key.first)
      second = Self.product(second &+ number, key.second)
      offset += 7
    }
    // At most seven bytes are left.
    let last = bytes[offset...].reduce(0) { $0 << 8 | UInt64($1) }
    self.first = Self.reduced(Self.product(first &+ last, key.first))
    self.second = Self.reduced(Self.product(second &+ last, key.second))
  }

  /// - Parameters:
  ///   - factor: below 2^62.
  ///   - point: below 2^61.
  /// - Returns: the product modulo the prime, at most 2^61 + 2.
  @inline(__always)
  private static func product(_ factor: UInt64, _ point: UInt64) -> UInt64 {
    let product = factor.multipliedFullWidth(by: point)
    // 2^61 is 1 modulo the prime, so what lies above it is added to what lies below.
    let sum = (product.low & prime) &+ (product.high << 3 | product.low >> 61)
    return (sum & prime) &+ (sum >> 61)
  }

  private static func reduced(_ value: UInt64) -> UInt64 {
    value >= prime ? value - prime : value
  }
}
