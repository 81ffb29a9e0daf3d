/// The tombstones of the erased users, and the key with which a user is looked up among them.
package struct ErasedUsers: Sendable {
  private let key: ErasureKey
  /// The applications in which a user was erased, by tombstone; nil for all applications.
  private let users: [Tombstone: Set<[UInt8]>?]
  /// The filters of all erased users, which exclude nearly all other users at low cost; nil when
  /// any erasure lacks a filter.
  private let filters: FilterSet?

  /// One erasure.
  package struct User: Sendable {
    let tombstone: [UInt8]
    let filter: UInt64?
    let appID: [UInt8]?

    /// - Parameters:
    ///   - tombstone: `ErasureKey.tombstone` of the id.
    ///   - filter: `ErasureKey.filter` of the id; nil when it was not stored.
    ///   - appID: the application in which the user was erased; nil for all applications.
    package init(tombstone: [UInt8], filter: UInt64?, appID: [UInt8]?) {
      self.tombstone = tombstone
      self.filter = filter
      self.appID = appID
    }
  }

  package init(_ users: [User], key: ErasureKey) {
    self.key = key
    var known: [Tombstone: Set<[UInt8]>?] = [:]
    known.reserveCapacity(users.count)
    for user in users {
      let tombstone = Tombstone(user.tombstone)
      guard let appID = user.appID, let apps = known[tombstone] ?? Set() else {
        known.updateValue(nil, forKey: tombstone)
        continue
      }
      known.updateValue(apps.union([appID]), forKey: tombstone)
    }
    self.users = known
    let filters = users.compactMap(\.filter)
    self.filters = filters.count == users.count ? FilterSet(filters) : nil
  }

  /// True when the user was erased in the application.
  ///
  /// - Parameter app: nil when the application is unknown; every erasure of the user then matches.
  ///   It is evaluated only if the user was erased in some application.
  @inline(__always)
  func contain(
    _ user: UnsafeBufferPointer<UInt8>, of app: @autoclosure () -> [UInt8]?
  ) -> Bool {
    if let filters, !filters.contains(key.filter(of: UnsafeRawBufferPointer(user))) { return false }
    return haveTombstone(of: user, in: app)
  }

  @inline(never)
  private func haveTombstone(
    of user: UnsafeBufferPointer<UInt8>, in app: () -> [UInt8]?
  ) -> Bool {
    guard let apps = users[Tombstone(key.tombstone(of: user))] else { return false }
    guard let apps, let app = app() else { return true }
    return apps.contains(app)
  }
}

/// The 32 bytes of a tombstone, inline instead of in an array, to save memory.
private struct Tombstone: Hashable {
  private let words: SIMD4<UInt64>

  init(_ bytes: [UInt8]) {
    var words = SIMD4<UInt64>()
    for (index, byte) in bytes.prefix(32).enumerated() {
      words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
    self.words = words
  }
}
