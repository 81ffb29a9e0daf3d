internal import SHA256

/// The secret key under which erased users are stored as tombstones, without a readable trace of
/// them.
///
/// The key is stored outside the database. Even the key and the database together only allow a test
/// whether a given user was erased.
package struct ErasureKey: Sendable {
  private let key: [UInt8]
  private let filterHash: SipHash

  /// The minimum length of a key: 32 bytes, the length of the digest.
  package static let minBytes = 32

  /// - Parameter bytes: at least `minBytes` random bytes.
  package init(_ bytes: [UInt8]) {
    key = bytes
    filterHash = SipHash(key: Self.code("filter", [], key: key))
  }

  /// The tombstone of an erased user: HMAC-SHA-256 of the id's bytes, unchanged.
  package func tombstone(of user: some Sequence<UInt8>) -> [UInt8] {
    Self.code("user", user, key: key)
  }

  /// The filter value that is stored beside a tombstone: a 64-bit hash, much cheaper to compute.
  ///
  /// If all tombstones have one, a user whose value is not among them was not erased. In all other
  /// cases the tombstone decides.
  package func filter(of user: some Sequence<UInt8>) -> UInt64 {
    Array(user).withUnsafeBytes { filter(of: $0) }
  }

  @inline(__always)
  func filter(of user: UnsafeRawBufferPointer) -> UInt64 { filterHash(user) }

  /// A digest of the key, which shows whether two keys are equal and does not reveal them.
  package var checkValue: [UInt8] { Self.code("key", [], key: key) }

  /// An HMAC-SHA-256.
  ///
  /// The message begins with its purpose, so that no code serves two purposes.
  private static func code(
    _ purpose: String, _ bytes: some Sequence<UInt8>, key: [UInt8]
  ) -> [UInt8] {
    let message = Array("gamebase-ingest \(purpose)".utf8) + [0] + bytes
    return SHA256.authenticationCode(for: message, key: key)
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// A fixed text, so that printing or dumping a value that holds a key shows no byte of the key.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// SipHash-2-4: a keyed hash of 64 bits, made for short texts.
///
/// Without the key, an attacker can neither construct collisions nor recover the text of a hash.
/// - Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012.
struct SipHash: Sendable {
  private let key: (UInt64, UInt64)

  /// - Parameter key: 16 random bytes; missing bytes are zero, further bytes are ignored.
  init(key: some Sequence<UInt8>) {
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in key.prefix(16).enumerated() {
      let part = UInt64(byte) << UInt64(index % 8 * 8)
      if index < 8 { words.0 |= part } else { words.1 |= part }
    }
    self.key = words
  }

  func callAsFunction(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = State(key)
    var offset = 0
    while offset + 8 <= bytes.count {
      state.take(bytes.word(at: offset))
      offset += 8
    }
    // The last word holds the remaining bytes, and in its highest byte the length modulo 256.
    state.take(bytes.tail(from: offset) | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finished()
  }

  /// The state of the hash, named as in the paper.
  private struct State {
    private var v0, v1, v2, v3: UInt64

    @inline(__always)
    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736F_6D65_7073_6575
      v1 = key.1 ^ 0x646F_7261_6E64_6F6D
      v2 = key.0 ^ 0x6C79_6765_6E65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    mutating func take(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    @inline(__always)
    mutating func finished() -> UInt64 {
      v2 ^= 0xFF
      round()
      round()
      round()
      round()
      return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
      v0 = v0 &+ v1
      v1 = rotated(v1, 13) ^ v0
      v0 = rotated(v0, 32)
      v2 = v2 &+ v3
      v3 = rotated(v3, 16) ^ v2
      v0 = v0 &+ v3
      v3 = rotated(v3, 21) ^ v0
      v2 = v2 &+ v1
      v1 = rotated(v1, 17) ^ v2
      v2 = rotated(v2, 32)
    }

    @inline(__always)
    private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
      word &<< bits | word &>> (64 - bits)
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The last bytes, at most seven.
  ///
  /// There is no loop, because this runs once for every text.
  @inline(__always)
  fileprivate func tail(from offset: Int) -> UInt64 {
    let length = count - offset
    if length == 0 { return 0 }
    if offset > 0 { return word(at: count - 8) &>> UInt64(8 * (8 - length)) }
    if length >= 4 {
      let first = UInt32(littleEndian: loadUnaligned(fromByteOffset: 0, as: UInt32.self))
      let last = UInt32(littleEndian: loadUnaligned(fromByteOffset: length - 4, as: UInt32.self))
      return UInt64(first) | UInt64(last) &<< UInt64(8 * (length - 4))
    }
    // One to three bytes. A byte that is read twice lands in the same place both times.
    let middle = length / 2
    return UInt64(self[0]) | UInt64(self[middle]) &<< UInt64(8 * middle)
      | UInt64(self[length - 1]) &<< UInt64(8 * (length - 1))
  }
}
