/// A digest of a row's values, which identifies a duplicate without a comparison of its columns.
///
/// It covers all columns of the stream in the form of COPY. Equal digests mean a duplicate; different ones decide
/// nothing: the merge then compares the columns.
///
/// The digest is a polynomial hash. Each coefficient is seven bytes of the row, and the polynomial
/// is evaluated at two secret random points modulo the prime 2^61 - 1. For two different rows of n
/// coefficients, the values are equal at no more than n of the 2^61 points. So the probability of
/// equal digests is below 2^-110 for rows of 300 bytes, and below 2^-87 for rows of 1 MiB.
/// - Source: Carter, Wegman, "Universal classes of hash functions", 1979. The bound is the number
///   of roots of a polynomial.
package struct RowDigest: Equatable {
  package let first, second: UInt64

  /// The two points, which are secret and differ between databases, in which alone digests are compared.
  package struct Key: Sendable, Equatable {
    fileprivate let first, second: UInt64

    /// - Parameter bytes: at least 16 random bytes, of which each point uses 61 bits.
    /// - Returns: nil when there are fewer bytes.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= 16 else { return nil }
      func point(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) } & prime
      }
      (first, second) = (point(bytes[0..<8]), point(bytes[8..<16]))
    }
  }

  package init(of bytes: UnsafeRawBufferPointer, key: Key) {
    // The length is the first coefficient. Without it, leading zeros would not change the digest.
    var first = product(UInt64(bytes.count), key.first)
    var second = product(UInt64(bytes.count), key.second)
    var offset = 0
    while offset + 8 <= bytes.count {
      let sevenBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF
      let number = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & sevenBytes
      first = product(first &+ number, key.first)
      second = product(second &+ number, key.second)
      offset += 7
    }
    // At most seven bytes are left.
    let last = bytes[offset...].reduce(0) { $0 << 8 | UInt64($1) }
    self.first = reduced(product(first &+ last, key.first))
    self.second = reduced(product(second &+ last, key.second))
  }
}

private let prime: UInt64 = 1 << 61 - 1

/// A product modulo the prime, at most 2^61 + 6; the factor is below 2^62.
///
/// Modulo the prime, 2^61 equals 1, so the bits from 2^61 up are added to the lower ones.
@inline(__always)
private func product(_ factor: UInt64, _ point: UInt64) -> UInt64 {
  let product = factor.multipliedFullWidth(by: point)
  let sum = (product.low & prime) &+ (product.high << 3 | product.low >> 61)
  return (sum & prime) &+ (sum >> 61)
}

private func reduced(_ value: UInt64) -> UInt64 { value >= prime ? value - prime : value }
