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

/// A fixed set of uniformly distributed numbers, such as the filters of erased users.
///
/// A small bitmap answers most look-ups with one bit. For 50,000 numbers, the bitmap has 128 KiB,
/// which fit in a core's own cache, and the table of the numbers has 1 MiB.
struct FilterSet: Sendable {
  /// A bitmap with at least 16 bits for each number, in which each number sets one bit.
  private let bits: [UInt64]
  /// An open-addressing table of the numbers, in which zero marks a free slot.
  ///
  /// Its size is a power of two, and at most half of it is used.
  private let places: [UInt64]
  private let holdsZero: Bool

  init(_ numbers: some Collection<UInt64>) {
    var count = 8
    while count < 2 * numbers.count { count *= 2 }
    var bits = [UInt64](repeating: 0, count: count / 8)
    var places = [UInt64](repeating: 0, count: count)
    for number in numbers {
      bits[Self.word(of: number, in: bits.count)] |= Self.bit(of: number)
      guard number != 0 else { continue }
      var place = Int(truncatingIfNeeded: number) & (count - 1)
      while places[place] != 0, places[place] != number { place = (place + 1) & (count - 1) }
      places[place] = number
    }
    self.bits = bits
    self.places = places
    holdsZero = numbers.contains(0)
  }

  @inline(__always)
  func contains(_ number: UInt64) -> Bool {
    bits[Self.word(of: number, in: bits.count)] & Self.bit(of: number) != 0
      && holdsExactly(number)
  }

  @inline(never)
  private func holdsExactly(_ number: UInt64) -> Bool {
    if number == 0 { return holdsZero }
    var place = Int(truncatingIfNeeded: number) & (places.count - 1)
    while places[place] != number {
      if places[place] == 0 { return false }
      place = (place + 1) & (places.count - 1)
    }
    return true
  }

  /// The index of a number's word in the bitmap.
  ///
  /// The bitmap uses the upper half of the number, because the slot in the table depends on the
  /// lower half.
  @inline(__always)
  private static func word(of number: UInt64, in count: Int) -> Int {
    Int(truncatingIfNeeded: number &>> 38) & (count - 1)
  }

  @inline(__always)
  private static func bit(of number: UInt64) -> UInt64 { 1 &<< (number &>> 32 & 63) }
}
