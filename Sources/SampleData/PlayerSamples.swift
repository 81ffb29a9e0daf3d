/// Draws and spells the lines about a user's state: level-ups and game-user snapshots.
///
/// The two streams differ in little more than the name of the time. A user climbs a hundred levels
/// with one character, then starts again with the next.
struct PlayerSamples: Sendable {
  /// Who writes a line, and with that the names of its fields and how a missing text looks.
  private enum Shape: Int, CaseIterable, Sendable {
    case iOS, android, unity
    /// A server that passes the values on, with times as text.
    case relay
  }

  /// One user's state, before it is spelled as a line.
  private struct Player {
    var user: UInt64
    var traits: UserTraits
    var level: UInt64
    var character: UInt64?
    var characterClass: Int?
    /// Milliseconds since 1970-01-01 UTC.
    var time: Int64
    var origin: Shape
    /// A number in 0..<100 that decides on rare prints.
    var quirk: UInt64
  }

  private let seed: UInt64
  private let timeline: SampleTimeline
  private let firstSlot: Int
  private let population: Population
  private let timeName: StaticString
  /// Who levels up for the first time reaches level 2; who is seen for the first time has 1.
  private let firstLevel: UInt64

  /// Prepares the lines of a stream other than receipts.
  init(
    isLevelUp: Bool, options: SampleOptions, timeline: SampleTimeline, population: Population
  ) {
    seed = (isLevelUp ? SampleStream.levelUp : .gameUser).lineSeed(options.seed)
    self.timeline = timeline
    firstSlot = options.part * options.count
    self.population = population
    timeName = isLevelUp ? #","levelUpTime":"# : #","eventTime":"#
    firstLevel = isLevelUp ? 2 : 1
  }

  /// Appends the state that belongs to a slot of this file's time, 0...
  ///
  /// Slots, not lines: when lines trade places, a user's levels still ascend with the times.
  func put(slot: Int, spelling: LineSpelling, into line: inout [UInt8]) {
    let player = draw(firstSlot + slot)
    switch spelling {
    case .original, .plain:
      write(player, as: player.origin, into: &line)
    case .other(let bits):
      let step = 1 + Int(bits % UInt64(Shape.allCases.count - 1))
      let shape = Shape.allCases[(player.origin.rawValue + step) % Shape.allCases.count]
      write(player, as: shape, into: &line)
    }
  }

  private func draw(_ slot: Int) -> Player {
    var random = SeededRandom(seed: seed, salt: Salt.record, index: UInt64(slot))
    let (user, visit) = population.visit(inSlot: slot)
    let traits = population.traits(of: user)
    let levels: UInt64 = traits.hasCharacters ? 100 : 1000
    let character = visit / levels
    let origin: Shape =
      switch random.below(UInt64(100)) {
      case ..<42: .iOS
      case ..<77: .android
      case ..<97: .unity
      default: .relay
      }
    return Player(
      user: user, traits: traits, level: firstLevel + visit % levels,
      character: traits.hasCharacters ? character : nil,
      characterClass: population.characterClass(of: user, character: character),
      time: timeline.moment(inSlot: slot, bits: random.next()), origin: origin,
      quirk: random.below(UInt64(100)))
  }

  private func write(_ player: Player, as shape: Shape, into line: inout [UInt8]) {
    line.put(#"{"userId":""#)
    population.putUserID(player.user, into: &line)
    line.put(#"","userLevel":"#)
    line.put(number: player.level)
    if shape == .iOS, player.quirk < 2 { line.put(".0") }
    putTime(player, as: shape, into: &line)
    putText(named: #","channelId":"#, isPresent: player.traits.channel != nil, as: shape, &line) {
      guard let channel = player.traits.channel else { return }
      putVendorText(population.channelText(channel), as: shape, into: &$0)
    }
    putText(
      named: #","characterId":"#, isPresent: player.character != nil, as: shape, &line
    ) {
      guard let character = player.character else { return }
      population.putCharacterID(character, of: player.user, into: &$0)
    }
    putText(
      named: shape == .unity ? #","characterClassId":"# : #","classId":"#,
      isPresent: player.characterClass != nil, as: shape, &line
    ) {
      guard let characterClass = player.characterClass else { return }
      putVendorText(population.classText(characterClass), as: shape, into: &$0)
    }
    population.putAppID(player.traits.app, into: &line)
    // A field of newer SDKs that a loader need not know.
    if player.quirk == 99 { line.put(#","sdkVersion":"2.66.1""#) }
    line.put("}")
  }

  private func putTime(_ player: Player, as shape: Shape, into line: inout [UInt8]) {
    line.put(timeName)
    if shape == .relay {
      line.put(#"""#)
      line.put(seoulTime: player.time)
      line.put(#"""#)
    } else {
      line.put(number: UInt64(player.time))
      // Multiplied seconds of a Swift game are printed as the double they are.
      if shape == .iOS, player.quirk >= 95 { line.put(".0") }
    }
  }

  private func putVendorText(_ text: JSONText, as shape: Shape, into line: inout [UInt8]) {
    line.put(shape == .unity ? text.ascii : text.plain)
  }

  /// Appends a text field, or what stands for a missing one: null on iOS, `""` on Android.
  private func putText(
    named name: StaticString, isPresent: Bool, as shape: Shape, _ line: inout [UInt8],
    _ putContent: (inout [UInt8]) -> Void
  ) {
    if isPresent {
      line.put(name)
      line.put(#"""#)
      putContent(&line)
      line.put(#"""#)
    } else if shape == .iOS {
      line.put(name)
      line.put("null")
    } else if shape == .android {
      line.put(name)
      line.put(#""""#)
    }
  }
}
