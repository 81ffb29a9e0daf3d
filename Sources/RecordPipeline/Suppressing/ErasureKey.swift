internal import Crypto
internal import Foundation

/// The secret key of tombstones, which keep no readable trace of erased users.
///
/// It is stored outside the database. With the key and the database one can only test whether a given user
/// was erased.
package struct ErasureKey: Sendable {
  private let key: SymmetricKey
  private let filterHash: SipHash

  /// The minimum length of a key: 32 bytes, as many as the digest has.
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

  /// The filter that is stored beside a tombstone: 64 bits that quickly rule other users out.
  ///
  /// A match decides nothing; the tombstone is compared then.
  package func filter(of user: some Sequence<UInt8>) -> UInt64 {
    Array(user).withUnsafeBytes { filter(of: $0) }
  }

  @inline(__always)
  func filter(of user: UnsafeRawBufferPointer) -> UInt64 { filterHash(user) }

  /// A digest that is equal for equal keys and does not reveal them.
  package var checkValue: [UInt8] { Self.code("key", [], key: key) }

  /// The message begins with its purpose, so that a code for one purpose is never valid for another.
  private static func code(
    _ purpose: String, _ bytes: some Sequence<UInt8>, key: SymmetricKey
  ) -> [UInt8] {
    let message = Array("gamebase-ingest \(purpose)".utf8) + [0] + bytes
    return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// Printing or dumping a value that holds a key shows no byte of it.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
