internal import SHA256

/// The tombstones of the erased users, and the key with which a user is looked up among them.
package struct ErasedUsers: Sendable {
  private let key: ErasureKey
  /// The applications in which a user was erased, by tombstone; nil for all applications.
  private let users: [SIMD32<UInt8>: Set<[UInt8]>?]

  /// - Parameter users: the tombstones, each with the application of the erasure; nil for all applications.
  package init(_ users: [(tombstone: [UInt8], appID: [UInt8]?)], key: ErasureKey) {
    self.key = key
    let erasures = users.map { user in (SIMD32(user.tombstone), user.appID.map { Set([$0]) }) }
    self.users = Dictionary(erasures) { apps, more in
      apps.flatMap { apps in more.map { apps.union($0) } }
    }
  }

  /// A look-up for one thread.
  var lookUp: LookUp { LookUp(users: users, codes: key.codes("user")) }

  struct LookUp {
    fileprivate let users: [SIMD32<UInt8>: Set<[UInt8]>?]
    fileprivate let codes: MessageCodes

    /// True when the user was erased in the application.
    ///
    /// - Parameter app: nil when it is unknown, so that every erasure of the user matches; evaluated only if the
    ///   user was erased in some application.
    func contains(
      _ user: UnsafeBufferPointer<UInt8>, of app: @autoclosure () -> [UInt8]?
    ) -> Bool {
      guard let apps = users[codes.code(of: UnsafeRawBufferPointer(user))] else { return false }
      guard let apps, let app = app() else { return true }
      return apps.contains(app)
    }

    func contains(_ owner: LineOwner) -> Bool {
      owner.user.withUnsafeBufferPointer { contains($0, of: owner.app) }
    }
  }
}

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

  /// The codes for one thread.
  ///
  /// A message begins with its purpose, so that no code serves two purposes.
  fileprivate func codes(_ purpose: String) -> MessageCodes {
    MessageCodes(key: key, beginning: "gamebase-ingest \(purpose)\0".utf8)
  }
}

extension ErasureKey: CustomReflectable {
  /// Nothing, so that printing or dumping a value that holds a key shows no byte of the key.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
