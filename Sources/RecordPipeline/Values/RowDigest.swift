/// A digest of a row's values, which identifies a duplicate without a comparison of its columns.
///
/// It covers all columns of the stream in the form of COPY, each with its length. Equal digests mean
/// a duplicate. Different digests decide nothing: the merge then compares the columns.
///
/// The digest is a polynomial hash. Each coefficient is seven bytes of the row, and the polynomial
/// is evaluated at two secret random points modulo the prime 2^61 - 1. For two different rows of n
/// coefficients, the values are equal at no more than n of the 2^61 points. So the probability of
/// equal digests is below 2^-110 for rows of 300 bytes, and below 2^-87 for rows of 1 MiB.
/// - Source: Carter, Wegman, "Universal classes of hash functions", 1979. The bound is the number
///   of roots of a polynomial.
package struct RowDigest: Equatable {
  package let first: UInt64
  package let second: UInt64

  /// The two points, which are secret and differ between databases.
  ///
  /// Digests are compared only within a database.
  package struct Key: Sendable, Equatable {
    fileprivate let first: Point
    fileprivate let second: Point

    /// - Parameter bytes: at least 16 random bytes, of which each point uses 61 bits.
    /// - Returns: nil when there are fewer bytes.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= 16 else { return nil }
      self.init(Point(bytes[0..<8]), Point(bytes[8..<16]))
    }

    private init(_ first: Point, _ second: Point) {
      self.first = first
      self.second = second
    }

    /// A new random key, for digests that are compared only in this process.
    static func random() -> Key { Key(Point.random(), Point.random()) }
  }

  package init(of bytes: UnsafeRawBufferPointer, key: Key) {
    // The length is the first coefficient. Without it, leading zeros would not change the digest.
    var first = key.first.times(UInt64(bytes.count))
    var second = key.second.times(UInt64(bytes.count))
    var offset = 0
    while offset + 29 <= bytes.count {
      let numbers = (
        bytes.number(at: offset), bytes.number(at: offset + 7), bytes.number(at: offset + 14),
        bytes.number(at: offset + 21)
      )
      first = key.first.step(first, numbers)
      second = key.second.step(second, numbers)
      offset += 28
    }
    while offset + 8 <= bytes.count {
      let number = bytes.number(at: offset)
      first = key.first.times(first &+ number)
      second = key.second.times(second &+ number)
      offset += 7
    }
    // At most seven bytes are left.
    let last = bytes[offset...].reduce(0) { $0 << 8 | UInt64($1) }
    self.first = reduced(key.first.times(first &+ last))
    self.second = reduced(key.second.times(second &+ last))
  }
}

private let prime: UInt64 = 1 << 61 - 1

/// A point and its powers.
///
/// They combine four steps of Horner's rule into one step, in which the products do not wait for
/// each other.
private struct Point: Equatable {
  private let power1, power2, power3, power4: UInt64

  init(_ bytes: ArraySlice<UInt8>) {
    self.init(bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  static func random() -> Point { Point(UInt64.random(in: .min ... .max)) }

  /// - Parameter number: only its lowest 61 bits are used.
  private init(_ number: UInt64) {
    power1 = number & prime
    power2 = Product(power1, power1).folded
    power3 = Product(power2, power1).folded
    power4 = Product(power3, power1).folded
  }

  @inline(__always)
  func times(_ factor: UInt64) -> UInt64 { Product(factor, power1).folded }

  /// The value after four more numbers.
  @inline(__always)
  func step(
    _ value: UInt64, _ numbers: (UInt64, UInt64, UInt64, UInt64)
  ) -> UInt64 {
    var sum = Product(value &+ numbers.0, power4)
    sum.add(Product(numbers.1, power3))
    sum.add(Product(numbers.2, power2))
    sum.add(Product(numbers.3, power1))
    return sum.folded
  }
}

/// A 128-bit integer for sums of products.
///
/// It cannot overflow: factors are below 2^62, and sums of four products are below 2^125.
private struct Product {
  private var low: UInt64
  private var high: UInt64

  @inline(__always)
  init(_ first: UInt64, _ second: UInt64) {
    let product = first.multipliedFullWidth(by: second)
    (low, high) = (product.low, product.high)
  }

  @inline(__always)
  mutating func add(_ other: Product) {
    let sum = low.addingReportingOverflow(other.low)
    low = sum.partialValue
    high = high &+ other.high &+ (sum.overflow ? 1 : 0)
  }

  /// The number modulo the prime, at most 2^61 + 6.
  ///
  /// Modulo the prime, 2^61 equals 1, so the bits from 2^61 up are added to the lower ones.
  @inline(__always)
  var folded: UInt64 {
    let sum = (low & prime) &+ (high << 3 | low >> 61)
    return (sum & prime) &+ (sum >> 61)
  }
}

private func reduced(_ value: UInt64) -> UInt64 { value >= prime ? value - prime : value }

extension UnsafeRawBufferPointer {
  /// Seven bytes as a number; reads eight.
  @inline(__always)
  fileprivate func number(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x00FF_FFFF_FFFF_FFFF
  }
}
