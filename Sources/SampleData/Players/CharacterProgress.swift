/// The levels of all characters.
///
/// A user plays up to three characters side by side and climbs from level 1 to 100 with each; then
/// a new character takes its place. The level of a user without characters has no end. Memory is
/// twelve bytes for each user.
struct CharacterProgress: Sendable {
  /// The level-ups of a character from level 1 to the last.
  private static let levelUpsOfACharacter: UInt32 = 99

  /// A character and its level.
  struct State: Sendable {
    /// The number of the user's character, from 0; nil for a user without characters.
    var character: UInt32?
    var level: UInt32
  }

  /// The level-ups so far of each user's three places.
  private var levelUps: [UInt32]

  init(users: Int) {
    levelUps = Array(repeating: 0, count: 3 * users)
  }

  /// Raises the level of one of the user's characters, chosen by random bits.
  mutating func levelUp(_ user: UInt32, slots: Int, bits: UInt64) -> State {
    let place = Self.place(slots, bits)
    levelUps[Int(user) * 3 + place] += 1
    return state(user, slots: slots, place: place)
  }

  /// The present level of one of the user's characters, chosen by random bits.
  func state(_ user: UInt32, slots: Int, bits: UInt64) -> State {
    state(user, slots: slots, place: Self.place(slots, bits))
  }

  private func state(_ user: UInt32, slots: Int, place: Int) -> State {
    let count = levelUps[Int(user) * 3 + place]
    guard slots > 0 else { return State(character: nil, level: 1 + count) }
    // The last level belongs to the character that reached it.
    let generation = max(1, count) - 1
    let (earlier, own) = generation.quotientAndRemainder(dividingBy: Self.levelUpsOfACharacter)
    return State(
      character: UInt32(place) + 3 * earlier, level: count == 0 ? 1 : own + 2)
  }

  /// The main character in three of four cases.
  private static func place(_ slots: Int, _ bits: UInt64) -> Int {
    guard slots > 1, bits & 3 == 0 else { return 0 }
    return 1 + Int(bits >> 2 % UInt64(slots - 1))
  }
}
