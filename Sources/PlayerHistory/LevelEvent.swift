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
  package var character = TextID.null
  package var channel = TextID.null
  package var characterClass = TextID.null
  package var file: Int64 = 0
  package var line: Int64 = 0
  /// True for a snapshot whose time is the option `--observed-at`, not its line.
  package var isDatedByOption = false

  package init(at: Instant, kind: Kind, level: Int32) {
    self.at = at
    self.kind = kind
    self.level = level
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
  package var character = TextID.null
  package var channel = TextID.null
  package var characterClass = TextID.null

  package static let none = LevelAtInstant(attribution: .none, level: nil)

  /// The level that one event gives.
  static func of(_ event: LevelEvent) -> LevelAtInstant {
    LevelAtInstant(
      attribution: .exact, level: event.level, character: event.character, channel: event.channel,
      characterClass: event.characterClass)
  }
}
