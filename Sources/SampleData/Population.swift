/// The generated users, which are the same in all streams of one seed, so that streams can be
/// joined.
///
/// A user is a rank, 0..<users; low ranks play and pay most. All properties of a user are computed
/// from the rank, so a population of any size needs no memory.
struct Population: Sendable {
  /// The visits of the most active users in a round; the least active users have one.
  private static let mostVisits = 32

  /// A prime above every rank, so that its multiples reach all ranks of a section in a round.
  private static let stride: UInt64 = 4_294_967_291

  private static let channels = [
    "KR-01", "KR-02", "KR-03", "JP-01", "JP-02", "TW-01", "EU-01", "EU-02", "NA-01", "SEA-01",
    "한국-4", "테스트 채널",
  ].map(JSONText.init)

  private static let classes = [
    "warrior", "mage", "archer", "priest", "rogue", "paladin", "음유시인",
  ].map(JSONText.init)

  private let seed: UInt64
  private let users: UInt64
  private let appIDs: [[UInt8]]
  private let sections: [UInt64]
  private let roundLength: UInt64
  private let channels = Population.channels
  private let classes = Population.classes

  init(options: SampleOptions) {
    seed = options.seed
    let users = UInt64(max(1, options.users))
    self.users = users
    appIDs = options.appIDs.map { JSONText($0).plain }
    // Section k of a round holds the users who play more than k times in it: users / (k + 1).
    sections = (1...UInt64(Self.mostVisits)).map { users / $0 }.filter { $0 > 0 }
    roundLength = sections.reduce(0, +)
  }

  /// The user of a payment; out of a million users, user 0 makes one payment in a thousand.
  func payer(_ random: inout SeededRandom) -> UInt64 {
    let bits = random.next() >> 32
    return (bits * bits).multipliedFullWidth(by: users).high
  }

  /// The user who plays in a slot of the timeline, and the number of that visit, from 0.
  ///
  /// Each later slot of a user has the next number, across all parts.
  func visit(inSlot slot: Int) -> (user: UInt64, number: UInt64) {
    let (round, offset) = UInt64(slot).quotientAndRemainder(dividingBy: roundLength)
    var position = offset
    var section = 0
    while position >= sections[section] {
      position -= sections[section]
      section += 1
    }
    let size = sections[section]
    let shift = SeededRandom.mix(seed, Salt.round, round &* 64 &+ UInt64(section)) >> 32
    let user = (position * (Self.stride % size) + shift) % size
    let visitsPerRound = min(UInt64(sections.count), users / (user + 1))
    return (user, round * visitsPerRound + UInt64(section))
  }

  /// The constant properties of a user.
  func traits(of user: UInt64) -> UserTraits {
    var random = SeededRandom(seed: seed, salt: Salt.userTraits, index: user)
    var traits = UserTraits()
    if !appIDs.isEmpty, random.chance(2, in: 5) { traits.app = random.below(appIDs.count) }
    if random.chance(9, in: 10) { traits.channel = random.below(channels.count) }
    traits.hasCharacters = random.chance(19, in: 20)
    return traits
  }

  /// The class of a user's character as an index; nil for a character without one.
  func characterClass(of user: UInt64, character: UInt64) -> Int? {
    let bits = SeededRandom.mix(seed, Salt.character, user &* 4096 &+ character) >> 32
    let choice = Int(bits % UInt64(classes.count + 1))
    return choice < classes.count ? choice : nil
  }

  /// Appends a user id: 16 upper-case letters and digits, after `AS@` for one user in eight.
  func putUserID(_ user: UInt64, into line: inout [UInt8]) {
    let bits = SeededRandom.mix(seed, Salt.user, user)
    if bits & 7 == 0 { line.put("AS@") }
    line.put(base36: bits, width: 8)
    line.put(base36: SeededRandom.mix(bits), width: 8)
  }

  /// Appends the id of a user's n-th character, from 0; ids of one user's characters differ.
  func putCharacterID(_ character: UInt64, of user: UInt64, into line: inout [UInt8]) {
    line.put(base36: SeededRandom.mix(seed, Salt.character, ~user), width: 8)
    line.put("-")
    line.put(number: character + 1)
  }

  /// Appends a comma and the `appId` member, or nothing when there is none.
  func putAppID(_ app: Int?, into line: inout [UInt8]) {
    guard let app else { return }
    line.put(#","appId":""#)
    line.put(appIDs[app])
    line.put(#"""#)
  }

  /// The text of a channel.
  func channelText(_ index: Int) -> JSONText { channels[index] }

  /// The text of a character class.
  func classText(_ index: Int) -> JSONText { classes[index] }
}

/// The constant properties of a generated user.
struct UserTraits: Sendable {
  /// An index into the application ids; nil for a user whose lines carry none.
  var app: Int?
  /// An index into the channels; nil for a user without one.
  var channel: Int?
  /// True when the user's game has characters.
  var hasCharacters = false
}
