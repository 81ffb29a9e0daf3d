internal import Crypto
internal import Foundation

/// The secret under which erased users are remembered: without it nobody can tell who they were.
///
/// It lives outside the database. Whoever has both can only ask whether somebody was erased.
package struct ErasureKey: Sendable {
  private let key: SymmetricKey

  /// Bytes that a key has at least; 32 are as many as the digest has.
  package static let leastBytes = 32

  /// - Parameter bytes: at least `leastBytes` that nobody can guess.
  package init(_ bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

  /// What is kept of an erased user: HMAC-SHA-256 of the id's bytes, which are never altered.
  package func tombstone(of user: some Sequence<UInt8>) -> [UInt8] { code("user", user) }

  /// Tells whether two keys are the same.
  package var checkValue: [UInt8] { code("key", []) }

  /// What is signed begins with what it is for, so that no use of the key can stand for another.
  private func code(_ purpose: String, _ bytes: some Sequence<UInt8>) -> [UInt8] {
    let message = Array("gamebase-ingest \(purpose)".utf8) + [0] + bytes
    return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
  }
}

extension ErasureKey: CustomStringConvertible, CustomReflectable {
  /// Whatever prints or dumps what holds a key prints no byte of it.
  package var description: String { "a key" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The users that were erased, and the key to recognize them by.
package struct ErasedUsers: Sendable {
  private let key: ErasureKey
  /// By tombstone: the applications that the user was erased in; nil: all of them.
  private let users: [[UInt8]: Set<[UInt8]>?]

  /// - Parameter users: tombstones, each with the application that it is for, or nil for all.
  package init(_ users: [(tombstone: [UInt8], appID: [UInt8]?)], key: ErasureKey) {
    self.key = key
    var known: [[UInt8]: Set<[UInt8]>?] = [:]
    for user in users {
      guard let appID = user.appID, let apps = known[user.tombstone] ?? Set() else {
        known.updateValue(nil, forKey: user.tombstone)
        continue
      }
      known.updateValue(apps.union([appID]), forKey: user.tombstone)
    }
    self.users = known
  }

  /// True when the user was erased in this application.
  ///
  /// - Parameter app: nil: nobody knows which it is; then any will do.
  func contain(_ user: some Sequence<UInt8>, of app: [UInt8]?) -> Bool {
    guard let apps = users[key.tombstone(of: user)] else { return false }
    guard let apps, let app else { return true }
    return apps.contains(app)
  }
}
