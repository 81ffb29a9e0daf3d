import Testing

@testable import RecordPipeline

struct RowDigestTests {
  private static let keyBytes: [UInt8] = (0..<16).map { UInt8($0 * 37 % 251) }

  private func digest(_ bytes: [UInt8], key: [UInt8] = keyBytes) throws -> RowDigest {
    let key = try #require(RowDigest.Key(key))
    return bytes.withUnsafeBytes { RowDigest(of: $0, key: key) }
  }

  /// The digest, computed from its definition.
  ///
  /// Each product is a sum over the bits of the point.
  private func byDefinition(_ bytes: [UInt8], point: UInt64) -> UInt64 {
    let prime: UInt64 = (1 << 61) - 1
    func sum(_ a: UInt64, _ b: UInt64) -> UInt64 { (a + b) % prime }
    func product(_ a: UInt64, _ b: UInt64) -> UInt64 {
      var (result, power, rest) = (UInt64(0), a % prime, b)
      while rest > 0 {
        if rest & 1 == 1 { result = sum(result, power) }
        power = sum(power, power)
        rest >>= 1
      }
      return result
    }
    var value = product(UInt64(bytes.count), point)
    var rest = bytes[...]
    while rest.count >= 8 {
      let number = rest.prefix(7).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      value = product(sum(value % prime, number), point)
      rest = rest.dropFirst(7)
    }
    let number = rest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return product(sum(value % prime, number), point)
  }

  private func point(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) } & ((1 << 61) - 1)
  }

  @Test(arguments: [0, 1, 6, 7, 8, 13, 14, 15, 16, 57, 1000])
  func `the digest is the polynomial evaluated at both points`(length: Int) throws {
    var state = UInt64(length) &+ 1
    var random: UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for _ in 0..<20 {
      let bytes = (0..<length).map { _ in random }
      let key = (0..<16).map { _ in random }
      let digest = try digest(bytes, key: key)
      #expect(digest.first == byDefinition(bytes, point: point(key[0..<8])))
      #expect(digest.second == byDefinition(bytes, point: point(key[8..<16])))
    }
  }

  @Test func `the largest numbers and points do not overflow`() throws {
    for fill in [0x00, 0x01, 0x7F, 0xFF] as [UInt8] {
      let bytes = [UInt8](repeating: 0xFF, count: 997)
      let key = [UInt8](repeating: fill, count: 16)
      #expect(try digest(bytes, key: key).first == byDefinition(bytes, point: point(key[0..<8])))
    }
  }

  @Test func `every byte, length and position changes the digest`() throws {
    var seen: Set<[UInt64]> = []
    func note(_ bytes: [UInt8]) throws {
      let digest = try digest(bytes)
      #expect(seen.insert([digest.first, digest.second]).inserted, "\(bytes)")
    }
    for length in 0..<40 {
      try note([UInt8](repeating: 0, count: length))
      for place in 0..<length {
        for value in [1, 0x80, 0xFF] as [UInt8] {
          var bytes = [UInt8](repeating: 0, count: length)
          bytes[place] = value
          try note(bytes)
        }
      }
    }
  }

  @Test func `another key gives another digest`() throws {
    let other = Self.keyBytes.map { $0 ^ 0x55 }
    #expect(try digest([1, 2, 3]) != digest([1, 2, 3], key: other))
    #expect(RowDigest.Key(Array(Self.keyBytes.dropLast())) == nil)
  }
}
