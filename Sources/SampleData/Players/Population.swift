/// The constant properties of the generated users, which are the same in all streams of one seed,
/// so that streams can be joined.
///
/// They are computed from the user's number and need no memory.
struct Population: Sendable {
  private static let channels = [
    "KR-01", "KR-02", "KR-03", "JP-01", "JP-02", "TW-01", "EU-01", "EU-02", "NA-01", "SEA-01",
    "한국-4", "테스트 채널",
  ].map(JSONText.init)

  private static let classes = [
    "warrior", "mage", "archer", "priest", "rogue", "paladin", "음유시인",
  ].map(JSONText.init)

  private let seed: UInt64
  private let appIDs: [[UInt8]]
  private let channels = Population.channels
  private let classes = Population.classes

  init(options: SampleOptions) {
    seed = options.seed
    appIDs = options.appIDs.map { JSONText($0).plain }
  }

  /// The constant properties of a user.
  func traits(of user: UInt32, app: UInt8) -> UserTraits {
    var random = SeededRandom(seed: seed, salt: Salt.userTraits, index: UInt64(user))
    var traits = UserTraits()
    // Lines of the first application often lack its id, which the loader's option supplies.
    let hasAppID = random.chance(2, in: 5) || app > 0
    if hasAppID, Int(app) < appIDs.count { traits.app = Int(app) }
    if random.chance(9, in: 10) { traits.channel = random.below(channels.count) }
    traits.characterSlots =
      switch random.below(UInt64(100)) {
      case ..<5: 0
      case ..<75: 1
      case ..<92: 2
      default: 3
      }
    let device = random.next()
    traits.isOnIOS = device % 100 < 52
    traits.engine =
      switch device >> 16 % 100 {
      case ..<11: .unity
      case ..<14: .unreal
      default: .none
      }
    traits.androidStore = Int(device >> 32 % 100)
    traits.country = random.next()
    return traits
  }

  /// The class of a user's character as an index; nil for a character without one.
  func characterClass(of user: UInt32, character: UInt32) -> Int? {
    let bits =
      SeededRandom.mix(seed, Salt.character, UInt64(user) &* 4096 &+ UInt64(character)) >> 32
    let choice = Int(bits % UInt64(classes.count + 1))
    return choice < classes.count ? choice : nil
  }

  /// Another class than the given one.
  func characterClass(otherThan index: Int?) -> Int {
    ((index ?? 0) + 1) % classes.count
  }

  /// Appends a user id: 16 upper-case letters and digits, after `AS@` for one user in eight.
  func putUserID(_ user: UInt32, into line: inout [UInt8]) {
    let bits = SeededRandom.mix(seed, Salt.user, UInt64(user))
    if bits & 7 == 0 { line.put("AS@") }
    line.put(base36: bits, width: 8)
    line.put(base36: SeededRandom.mix(bits), width: 8)
  }

  /// Appends the id of a user's n-th character, from 0; ids of one user's characters differ.
  func putCharacterID(_ character: UInt32, of user: UInt32, into line: inout [UInt8]) {
    line.put(base36: SeededRandom.mix(seed, Salt.character, ~UInt64(user)), width: 8)
    line.put("-")
    line.put(number: UInt64(character) + 1)
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
  /// The game engine that writes the user's lines; none for the platform's own SDK.
  enum Engine: Sendable { case none, unity, unreal }

  /// An index into the application ids; nil for a user whose lines carry none.
  var app: Int?
  /// An index into the channels; nil for a user without one.
  var channel: Int?
  /// The characters that the user plays side by side, 0...3.
  var characterSlots = 0
  var isOnIOS = false
  var engine = Engine.none
  /// A number in 0..<100 that selects the store of an Android device.
  var androidStore = 0
  /// Random bits that select the country, and so the currency.
  var country: UInt64 = 0
}
