/// The natural keys of a file's rows so far, as 64-bit hashes, in bounded memory.
///
/// "Seen" may be wrong (two keys can share a hash), and only makes the row take the careful way;
/// "not seen" is always right.
package struct SeenKeys {
  private var slots: [UInt64]
  private var used = 0
  private let seed: UInt64
  private let largestSlotCount: Int
  /// Hashes that nobody has asked about yet.
  private var pending: [UInt64] = []
  /// Put into the table together, so many hashes do not wait for each other's memory.
  private static let pendingCount = 1024

  /// - Parameters:
  ///   - memory: bytes that the table may grow to.
  ///   - seed: makes collisions impossible to prepare.
  package init(memory: Int, seed: UInt64) {
    var count = 1 << 12
    while count * 2 * MemoryLayout<UInt64>.size <= memory { count *= 2 }
    largestSlotCount = count
    slots = [UInt64](repeating: 0, count: min(1 << 14, count))
    self.seed = seed
  }

  /// True when no further key can be told apart from the ones that are here.
  package var isFull: Bool { used + pending.count >= largestSlotCount / 4 * 3 }

  package mutating func removeAll() {
    used = 0
    pending.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index] = 0 }
  }

  /// Notes a key that cannot have been here before.
  mutating func note(_ key: UnsafeRawBufferPointer) {
    pending.append(hash(key))
    if pending.count == Self.pendingCount { insertPending() }
  }

  /// Notes a key; returns false when it may have been here before.
  package mutating func insert(_ key: UnsafeRawBufferPointer) -> Bool {
    if !pending.isEmpty { insertPending() }
    return insert(hash(key))
  }

  private mutating func insertPending() {
    for hash in pending { _ = insert(hash) }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func insert(_ hash: UInt64) -> Bool {
    if used >= slots.count / 4 * 3, slots.count < largestSlotCount { grow() }
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place] != 0 {
      if slots[place] == hash { return false }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = hash
    used += 1
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for hash in old where hash != 0 {
      var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = hash
    }
  }

  /// Eight bytes at a time through a 128-bit product; never 0, which marks an empty slot.
  private func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
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
    hash = Self.mix(hash ^ tail ^ 0x9E37_79B9_7F4A_7C15)
    return hash == 0 ? 1 : hash
  }

  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
