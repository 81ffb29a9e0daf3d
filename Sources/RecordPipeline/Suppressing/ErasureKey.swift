internal import Crypto
internal import Foundation

/// The secret under which erased users are remembered: without it nobody can tell who they were.
///
/// It lives outside the database. Whoever has both can only ask whether somebody was erased.
package struct ErasureKey: Sendable {
  private let key: SymmetricKey
  private let filterHash: SipHash

  /// Bytes that a key has at least; 32 are as many as the digest has.
  package static let leastBytes = 32

  /// - Parameter bytes: at least `leastBytes` that nobody can guess.
  package init(_ bytes: [UInt8]) {
    key = SymmetricKey(data: bytes)
    filterHash = SipHash(key: Self.code("filter", [], key: key))
  }

  /// What is kept of an erased user: HMAC-SHA-256 of the id's bytes, which are never altered.
  package func tombstone(of user: some Sequence<UInt8>) -> [UInt8] {
    Self.code("user", user, key: key)
  }

  /// What is kept beside the tombstone: 64 bits that say quickly of others that they are not the user.
  ///
  /// They decide nothing: whoever passes is asked for by the tombstone.
  package func filter(of user: some Sequence<UInt8>) -> UInt64 {
    Array(user).withUnsafeBytes { filter(of: $0) }
  }

  @inline(__always)
  func filter(of user: UnsafeRawBufferPointer) -> UInt64 { filterHash(user) }

  /// Tells whether two keys are the same.
  package var checkValue: [UInt8] { Self.code("key", [], key: key) }

  /// What is signed begins with what it is for, so that no use of the key can stand for another.
  private static func code(
    _ purpose: String, _ bytes: some Sequence<UInt8>, key: SymmetricKey
  ) -> [UInt8] {
    let message = Array("gamebase-ingest \(purpose)".utf8) + [0] + bytes
    return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// Whatever prints or dumps what holds a key prints no byte of it.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
