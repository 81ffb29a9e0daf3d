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
  var lookUp: LookUp { LookUp(users: users, codes: key.tombstones) }

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
