/// The natural keys of a file's rows so far, by their hashes, in bounded memory.
///
/// "Seen" may be wrong (two keys can share a hash), and only makes the row take the careful way;
/// "not seen" is always right.
package struct SeenKeys {
  /// Half of each key's hash, at or behind the place that the other half tells; 0: free.
  ///
  /// What is kept is small, because nearly every look at this table waits for memory.
  /// Empty until there is something to note: most loads of known rows never need it.
  private var tags: [UInt32] = []
  private let placeCount: Int
  private var used = 0
  private let seed: UInt64

  /// How many bytes so many keys need at most.
  package static func memory(forKeys count: Int) -> Int {
    4 * count * MemoryLayout<UInt32>.size
  }

  /// - Parameters:
  ///   - memory: bytes that the table may have; it takes at least 16 KiB.
  ///   - seed: makes collisions impossible to prepare.
  package init(memory: Int, seed: UInt64) {
    var count = 1 << 12
    while count * 2 * MemoryLayout<UInt32>.size <= memory { count *= 2 }
    placeCount = count
    self.seed = seed
  }

  /// How many keys more can be told apart from the ones that are here.
  ///
  /// None when half of the places are taken: from there on the way to a free one grows fast.
  package var room: Int { placeCount / 2 - used }

  package mutating func removeAll() {
    used = 0
    for index in tags.indices { tags[index] = 0 }
  }

  /// Notes a key, where there is room; returns false when it may have been here before.
  package mutating func insert(_ key: UnsafeRawBufferPointer) -> Bool {
    insert([hash(key)]).isEmpty
  }

  /// Notes keys by their hashes, where there is room for all of them.
  ///
  /// All at once, for then they need not wait for each other's memory.
  /// - Returns: the places in the list of those that may have been here before, be it in the list.
  mutating func insert(_ hashes: [UInt64]) -> [Int] {
    var repeats: [Int] = []
    if tags.isEmpty { tags = [UInt32](repeating: 0, count: placeCount) }
    tags.withUnsafeMutableBufferPointer { tags in
      for (place, hash) in hashes.enumerated() where !Self.insert(hash, into: tags) {
        repeats.append(place)
      }
    }
    used += hashes.count - repeats.count
    return repeats
  }

  @inline(__always)
  private static func insert(_ hash: UInt64, into tags: UnsafeMutableBufferPointer<UInt32>) -> Bool
  {
    let tag = max(1, UInt32(truncatingIfNeeded: hash >> 32))
    let last = tags.count - 1
    var place = Int(truncatingIfNeeded: hash) & last
    while tags[place] != 0 {
      if tags[place] == tag { return false }
      place = (place + 1) & last
    }
    tags[place] = tag
    return true
  }

  /// Eight bytes at a time through a 128-bit product.
  func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    // The length is spread over all bits, or it would meet the bytes of a short key.
    var hash = seed ^ UInt64(truncatingIfNeeded: key.count) &* 0xC2B2_AE3D_27D4_EB4F
    var offset = 0
    while offset + 8 <= key.count {
      hash = Self.mix(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < key.count {
      tail = tail << 8 | UInt64(key[offset])
      offset += 1
    }
    return Self.mix(hash ^ tail ^ 0x9E37_79B9_7F4A_7C15)
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
