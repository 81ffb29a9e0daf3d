internal import SHA256

/// The secret key under which erased users are stored as tombstones, without a readable trace of them.
///
/// It is stored outside the database, and even both together only tell whether a given user was erased.
package struct ErasureKey: Sendable {
  private let key: [UInt8]

  /// The minimum length of a key: 32 bytes, the length of the digest.
  package static let minBytes = 32

  /// - Parameter bytes: at least `minBytes` random bytes.
  package init(_ bytes: [UInt8]) { key = bytes }

  /// The tombstone of an erased user: HMAC-SHA-256 of the id's bytes, unchanged.
  package func tombstone(of user: some Collection<UInt8>) -> [UInt8] {
    Array(user).withUnsafeBytes { codes("user").code(of: $0).bytes }
  }

  /// A digest of the key, which shows whether two keys are equal and does not reveal them.
  package var checkValue: [UInt8] {
    codes("key").code(of: UnsafeRawBufferPointer(start: nil, count: 0)).bytes
  }

  /// The codes of tombstones, for one thread.
  var tombstones: MessageCodes { codes("user") }

  /// A message begins with its purpose, so that no code serves two purposes.
  private func codes(_ purpose: String) -> MessageCodes {
    MessageCodes(key: key, beginning: "gamebase-ingest \(purpose)\0".utf8)
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// A fixed text, so that printing or dumping a value that holds a key shows no byte of the key.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
