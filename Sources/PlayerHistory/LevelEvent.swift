/// A level of a character: a level-up, or a snapshot of a game user.
package struct LevelEvent: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A snapshot without a time of its own; `at` is then the start of its load.
    case loadStart
    case levelUp
    case snapshot
  }

  package var at: Instant
  package var kind: Kind
  package var level: Int32
  package var character: TextID
  package var channel: TextID
  package var characterClass: TextID
  package var file: Int64
  package var line: Int64
  /// True for a snapshot whose time is the option `--observed-at`, not its line.
  package var isDatedByOption = false

  package init(
    at: Instant, kind: Kind, level: Int32, character: TextID = .null, channel: TextID = .null,
    characterClass: TextID = .null, file: Int64 = 0, line: Int64 = 0
  ) {
    self.at = at
    self.kind = kind
    self.level = level
    self.character = character
    self.channel = channel
    self.characterClass = characterClass
    self.file = file
    self.line = line
  }

  /// True for an event of this time: a row without a time of its own is none.
  package var isDated: Bool { kind != .loadStart }
}

/// A player's level at one instant.
package struct LevelAtInstant: Equatable, Sendable {
  package enum Attribution: UInt8, Sendable {
    /// One character was known, so the level is that character's.
    case exact
    /// The highest level of several characters.
    case highestOfSeveral
    case none
  }

  package var attribution: Attribution
  /// nil exactly for the attribution `none`.
  package var level: Int32?
  /// NULL unless the attribution is `exact`; so are channel and class.
  package var character: TextID
  package var channel: TextID
  package var characterClass: TextID

  package init(
    attribution: Attribution, level: Int32?, character: TextID = .null, channel: TextID = .null,
    characterClass: TextID = .null
  ) {
    self.attribution = attribution
    self.level = level
    self.character = character
    self.channel = channel
    self.characterClass = characterClass
  }

  package static let none = LevelAtInstant(attribution: .none, level: nil)

  /// The level that one event gives.
  init(of event: LevelEvent) {
    self.init(
      attribution: .exact, level: event.level, character: event.character, channel: event.channel,
      characterClass: event.characterClass)
  }
}
