/// The state of a player after a fold, from which later rows continue.
///
/// The next rows must lie after `newestAt`, or have no time of their own. Any other change, such as
/// a late or a deleted row, needs a fold over all rows of the player.
package struct PlayerState: Equatable, Sendable {
  /// The time of the newest row that has one; nil without such a row.
  package var newestAt: Instant?
  package var observed: ObservedSpan?
  /// The event that counts of each character, by character.
  package var characters: [LevelEvent] = []
  /// Ascending by level.
  package var firstLevels: [FirstLevel] = []
  package var lastLevelUpAt: Instant?
  /// The day of `newestAt`.
  package var lastDay: PlayerDay?
  package var firstDays = FirstDays()

  package init() {}
}
