/// The state of a player's character at one time: a level-up or a snapshot.
struct CharacterState: Sendable {
  /// The number of the player's character, from 0; nil for a player without characters.
  var character: Int?
  let level: Int
  /// An index into the classes; nil for a character without one.
  var characterClass: Int?

  /// The state of the character in one of a player's places, after level-ups in that place.
  ///
  /// A player climbs from level 1 to 100 with each character; then a new one takes its place. The
  /// level of a player without characters has no end.
  init(of player: Player, place: Int, levelUps: Int, seed: UInt64) {
    guard player.characterSlots > 0 else {
      level = 1 + levelUps
      return
    }
    // The last level belongs to the character that reached it.
    let (earlier, own) = max(0, levelUps - 1).quotientAndRemainder(dividingBy: 99)
    level = levelUps == 0 ? 1 : own + 2
    let character = place + player.characterSlots * earlier
    self.character = character
    var random = SeededRandom(seed, .character, player.number, part: character)
    let choice = random.below(LineWriter.classes.count + 1)
    characterClass = choice == 0 ? nil : choice - 1
  }
}

/// The level-ups or the snapshots of the game, in the order of time.
///
/// Snapshots walk over the level-ups, too, so that each shows the level of its moment. Memory is
/// four bytes for each player.
struct CharacterSource: RecordSource {
  private let isLevelUp: Bool
  private let seed: UInt64
  /// The number of level-ups of each day.
  private let levelUpCounts: [Int]
  private var levelUps: DayWalk
  private var snapshots: DayWalk
  /// The level-ups of each player so far; they go round the places of the characters.
  private var counts: [UInt32]

  init(_ stream: SampleStream, options: SampleOptions, levelUpCounts: [Int]) {
    isLevelUp = stream == .levelUp
    seed = options.seed
    self.levelUpCounts = levelUpCounts
    levelUps = DayWalk(.levelUp, options: options)
    snapshots = DayWalk(.gameUser, options: options)
    counts = Array(repeating: 0, count: options.users)
  }

  mutating func beginDay(records: Int) {
    // The rest of the earlier day, behind its last snapshot.
    while levelUps.nextTime != nil { _ = levelUp() }
    let today = levelUps.day + 1
    // New players climb fast.
    levelUps.beginDay(records: levelUpCounts[today]) { player in
      let age = today - player.firstDay
      return player.tempo * (age == 0 ? 12 : age < 7 ? 6 : age < 30 ? 3 : 1)
    }
    if !isLevelUp { snapshots.beginDay(records: records) }
  }

  mutating func next() -> SampleRecord {
    if isLevelUp { return levelUp() }
    while let time = levelUps.nextTime, let now = snapshots.nextTime, time <= now { _ = levelUp() }
    var (player, time, random) = snapshots.next()
    // The places that come first in the round have one level-up more.
    let places = max(1, player.characterSlots)
    let place = random.below(places)
    let levelUps = (Int(counts[player.number]) + places - 1 - place) / places
    let state = CharacterState(of: player, place: place, levelUps: levelUps, seed: seed)
    return SampleRecord(of: player, at: time, &random, .character(state))
  }

  private mutating func levelUp() -> SampleRecord {
    var (player, time, random) = levelUps.next()
    let (rounds, place) = Int(counts[player.number])
      .quotientAndRemainder(dividingBy: max(1, player.characterSlots))
    counts[player.number] += 1
    let state = CharacterState(of: player, place: place, levelUps: rounds + 1, seed: seed)
    return SampleRecord(of: player, at: time, &random, .character(state))
  }
}
