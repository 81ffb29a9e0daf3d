/// A set of the natural keys of a file's rows, stored as hashes in bounded memory.
///
/// "Not seen" is always right. "Seen" may be a collision of two hashes, which only costs a
/// comparison with the stored rows.
package struct SeenKeys {
  /// An open-addressing table: the low bits of a hash give the first place of the probe sequence, its upper half
  /// is the stored tag, and 0 marks a free place.
  ///
  /// Tags are small, because nearly every look-up is a cache miss. The table is allocated with the
  /// first key, because most loads of known rows never need it.
  private var tags: [UInt32] = []
  private let placeCount: Int
  private var used = 0
  private let seed: UInt64

  /// The memory with which a table has room for a number of keys, in bytes.
  package static func memory(forKeys count: Int) -> Int {
    4 * count * MemoryLayout<UInt32>.size
  }

  /// - Parameters:
  ///   - memory: the maximum size of the table in bytes; below 16 KiB the table takes 16 KiB.
  ///   - seed: a random seed, so that no input can be crafted to make hashes collide.
  package init(memory: Int, seed: UInt64) {
    var count = 1 << 12
    while count * 2 * MemoryLayout<UInt32>.size <= memory { count *= 2 }
    placeCount = count
    self.seed = seed
  }

  /// The number of keys for which there is still room: probe sequences grow fast above a fill factor of one half.
  package var room: Int { placeCount / 2 - used }

  package mutating func removeAll() {
    used = 0
    for index in tags.indices { tags[index] = 0 }
  }

  /// Inserts a key; there must be room.
  ///
  /// - Returns: false when the key may have been inserted before.
  package mutating func insert(_ key: UnsafeRawBufferPointer) -> Bool {
    insert([hash(key)]).isEmpty
  }

  /// Inserts the hashes of keys, many at once, so that their cache misses overlap; there must be room for all.
  ///
  /// - Returns: the indexes of the keys that may have been inserted before, including earlier in
  ///   the list.
  mutating func insert(_ hashes: [UInt64]) -> [Int] {
    var repeats: [Int] = []
    if tags.isEmpty { tags = [UInt32](repeating: 0, count: placeCount) }
    tags.withUnsafeMutableBufferPointer { tags in
      let last = tags.count - 1
      for (index, hash) in hashes.enumerated() {
        let tag = max(1, UInt32(truncatingIfNeeded: hash >> 32))
        var place = Int(truncatingIfNeeded: hash) & last
        while tags[place] != 0, tags[place] != tag { place = (place + 1) & last }
        if tags[place] == tag { repeats.append(index) }
        tags[place] = tag
      }
    }
    used += hashes.count - repeats.count
    return repeats
  }

  /// Hashes eight bytes at a time by a 128-bit product.
  func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    // The product spreads the length over all bits, so that it cannot cancel out the bytes of a short key.
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
