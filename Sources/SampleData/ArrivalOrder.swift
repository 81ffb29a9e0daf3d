/// The order in which the time slots of a file arrive as lines: nearly ascending.
///
/// Lines trade places within groups of up to eight, which span up to ten minutes. One line in 64
/// trades places within a larger group of up to twelve hours, like a late upload. Trades stay
/// within the file, so no slot is lost and parts do not overlap.
struct ArrivalOrder: Sendable {
  /// The position of the late line among each 64 lines; the number is arbitrary.
  private static let late = 21

  private let seed: UInt64
  private let count: Int
  private let firstLine: Int
  private let nearBits: Int
  private let lateBits: Int

  /// Chooses the group sizes from the mean length of a slot, in milliseconds.
  init(seed: UInt64, count: Int, firstLine: Int, slotLength: UInt64) {
    self.seed = seed
    self.count = count
    self.firstLine = firstLine
    nearBits = (0...3).last { slotLength << UInt64($0) <= 600_000 } ?? 0
    lateBits = (0...6).last { slotLength << UInt64($0 + 6) <= 43_200_000 } ?? 0
  }

  /// The slot of a line; both are 0..<count within the file.
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
    SeededRandom.mix(seed, salt, UInt64(firstLine + group)) >> 32
  }
}
