internal import Crypto
internal import Foundation

/// The secret key under which erased users are stored as tombstones, without a readable trace of
/// them.
///
/// The key is stored outside the database. Even the key and the database together only allow a test
/// whether a given user was erased.
package struct ErasureKey: Sendable {
  private let key: SymmetricKey
  private let filterHash: SipHash

  /// The minimum length of a key: 32 bytes, the length of the digest.
  package static let leastBytes = 32

  /// - Parameter bytes: at least `leastBytes` random bytes.
  package init(_ bytes: [UInt8]) {
    key = SymmetricKey(data: bytes)
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
    _ purpose: String, _ bytes: some Sequence<UInt8>, key: SymmetricKey
  ) -> [UInt8] {
    let message = Array("gamebase-ingest \(purpose)".utf8) + [0] + bytes
    return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// A fixed text, so that printing or dumping a value that holds a key shows no byte of the key.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
