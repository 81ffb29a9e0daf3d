/// The order in which the events of a day arrive as lines: nearly ascending.
///
/// Events trade places within groups of up to eight, which span up to ten minutes. One event in 64
/// trades places within a larger group of up to twelve hours, like a slow upload. Trades stay
/// within blocks of `blockLength` events, so a block is all that needs memory.
struct ArrivalOrder: Sendable {
  /// The number of events within which events trade places: 64 groups of 64.
  static let blockLength = 4096

  /// The position of the late line among each 64 lines; the number is arbitrary.
  private static let late = 21

  private let seed: UInt64
  private let count: Int
  private let day: Int
  private let nearBits: Int
  private let lateBits: Int

  /// Chooses the group sizes from the mean length of a slot, in milliseconds.
  init(seed: UInt64, day: Int, count: Int, slotLength: UInt64) {
    self.seed = seed
    self.count = count
    self.day = day
    nearBits = (0...3).last { slotLength << UInt64($0) <= 600_000 } ?? 0
    lateBits = (0...6).last { slotLength << UInt64($0 + 6) <= 43_200_000 } ?? 0
  }

  /// The event that arrives at a place; both are 0..<count within the day.
  func slot(ofLine line: Int) -> Int {
    var slot = line
    let nearMask = 1 << nearBits - 1
    if slot | nearMask < count {
      slot ^= Int(bits(Salt.swap, group: slot >> nearBits)) & nearMask
    }
    let lateMask = 1 << (lateBits + 6) - 1
    if slot & 63 == Self.late, slot | lateMask < count {
      let trade = Int(bits(Salt.delay, group: slot >> (lateBits + 6))) << 6
      slot ^= trade & lateMask
    }
    return slot
  }

  private func bits(_ salt: UInt64, group: Int) -> UInt64 {
    SeededRandom.mix(seed, salt, UInt64(day) << 40 | UInt64(group)) >> 32
  }
}
