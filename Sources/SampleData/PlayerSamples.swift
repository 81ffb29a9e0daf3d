/// Generates lines about the state of users: level-ups and game-user snapshots.
///
/// The two streams differ mainly in the name of the time field. A user climbs a hundred levels with
/// one character and then starts again with the next.
struct PlayerSamples: Sendable {
  /// The writer of a line, which decides its field names and the form of a missing text.
  private enum Shape: Int, CaseIterable, Sendable {
    case iOS, android, unity
    /// A server that passes an SDK's values on, with times as text.
    case relay
  }

  /// One user's state, before it is written as a line.
  private struct Player {
    var user: UInt64
    var traits: UserTraits
    var level: UInt64
    var character: UInt64?
    var characterClass: Int?
    /// Milliseconds since 1970-01-01 UTC.
    var time: Int64
    var origin: Shape
    /// A number in 0..<100 that selects rare spellings.
    var quirk: UInt64
  }

  private let seed: UInt64
  private let timeline: SampleTimeline
  private let firstSlot: Int
  private let population: Population
  private let timeName: StaticString
  /// The level of a user's first line: 2 for level-ups, because users start at level 1; else 1.
  private let firstLevel: UInt64

  /// - Parameter isLevelUp: true for level-ups, false for game-user snapshots.
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

  /// Appends the line of a time slot of this file, from 0.
  ///
  /// The state depends on the slot, not on the line, so that a user's levels ascend with the times
  /// even when lines swap.
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
    // A field of newer SDKs, which a loader need not know.
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
      // A Swift game that computes milliseconds from seconds prints a double.
      if shape == .iOS, player.quirk >= 95 { line.put(".0") }
    }
  }

  private func putVendorText(_ text: JSONText, as shape: Shape, into line: inout [UInt8]) {
    line.put(shape == .unity ? text.ascii : text.plain)
  }

  /// Appends a text field.
  ///
  /// A missing text is null on iOS, `""` on Android, and absent in other lines.
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
