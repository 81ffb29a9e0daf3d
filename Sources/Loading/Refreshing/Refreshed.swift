/// The result of a refresh of the rollups.
package struct Refreshed: Sendable, Equatable {
  /// True when all rollups were rebuilt, false when only the touched keys were recomputed.
  package let isFull: Bool
  /// The files that were loaded or reopened since the last refresh.
  package let files: Int
  /// The stored rows that were new, changed or deleted since then; not counted by a rebuild.
  package let rows: Int
  /// The players whose figures were recomputed.
  package let players: Int
  /// The players in no figure, because theirs cannot be computed.
  package var setAside: [SetAsidePlayer] = []
  /// Seconds, to the millisecond, waits and retries included.
  package var seconds = 0.0

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
  }
}

/// A player in no figure, because the player's cannot be computed; `report.set_aside_player` names it.
package struct SetAsidePlayer: Sendable, Equatable, Decodable {
  package let number: Int
  /// The refreshes that have tried.
  package let attempts: Int
  package let error: String
}

/// The plan of a refresh: the files, rows and players that it would read.
package struct RefreshPlan: Sendable, Equatable, Decodable {
  /// True when it would rebuild all rollups; nil when nothing has changed since the last refresh.
  package let isFull: Bool?
  package let files: Int
  /// The rows that are new, changed or deleted; not counted by a rebuild.
  package let rows: Int
  /// The players whose figures would be computed.
  package let players: Int
  /// Of these, the ones whose rows would all be read.
  package let latePlayers: Int
}
