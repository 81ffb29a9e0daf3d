/// Writes the state of a character, which is a level-up or a snapshot, in the spelling of an SDK.
///
/// The two streams differ only in the name of the time field.
struct PlayerWriter: Sendable {
  private let population: Population
  private let timeName: StaticString

  init(stream: SampleStream, population: Population) {
    self.population = population
    timeName = stream == .levelUp ? #","levelUpTime":"# : #","eventTime":"#
  }

  /// Appends the state as an object, without a newline.
  func put(_ player: PlayerMoment, spelling: LineSpelling, into line: inout [UInt8]) {
    switch spelling {
    case .original, .plain:
      write(player, as: player.origin, into: &line)
    case .other(let bits):
      let shapes = PlayerMoment.Shape.allCases
      let step = 1 + Int(bits % UInt64(shapes.count - 1))
      write(player, as: shapes[(player.origin.rawValue + step) % shapes.count], into: &line)
    }
  }

  private func write(_ player: PlayerMoment, as shape: PlayerMoment.Shape, into line: inout [UInt8])
  {
    line.put(#"{"userId":""#)
    population.putUserID(player.user, into: &line)
    line.put(#"","userLevel":"#)
    line.put(number: UInt64(player.level))
    if shape == .iOS, player.quirk < 2 { line.put(".0") }
    putTime(player, as: shape, into: &line)
    putText(named: #","channelId":"#, isPresent: player.channel != nil, as: shape, &line) {
      guard let channel = player.channel else { return }
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
    population.putAppID(player.app, into: &line)
    // A field of newer SDKs, which a loader need not know.
    if player.quirk == 99 { line.put(#","sdkVersion":"2.66.1""#) }
    line.put("}")
  }

  private func putTime(
    _ player: PlayerMoment, as shape: PlayerMoment.Shape, into line: inout [UInt8]
  ) {
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

  private func putVendorText(
    _ text: JSONText, as shape: PlayerMoment.Shape, into line: inout [UInt8]
  ) {
    line.put(shape == .unity ? text.ascii : text.plain)
  }

  /// Appends a text field.
  ///
  /// A missing text is null on iOS, `""` on Android, and absent in other lines.
  private func putText(
    named name: StaticString, isPresent: Bool, as shape: PlayerMoment.Shape, _ line: inout [UInt8],
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
