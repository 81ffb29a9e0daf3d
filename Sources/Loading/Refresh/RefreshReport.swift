/// A refresh of the reports: what it has read, or why it failed.
package struct RefreshReport: Encodable, Sendable, Equatable {
  /// As `RefreshPlan` has it.
  package private(set) var isFull: Bool?
  /// Seconds, to the millisecond, waits and retries included.
  package var durationSeconds = 0.0
  /// The files that were loaded or reopened since the last refresh; 0 after a failure, like the
  /// other counts.
  package private(set) var files = 0
  /// The stored rows that were new, changed or deleted since then.
  package private(set) var rows = 0
  /// The players whose figures were recomputed.
  package private(set) var players = 0
  /// The players in no figure, because theirs cannot be computed.
  package private(set) var setAsideCount = 0
  var setAside: [SetAsidePlayer] = [] { didSet { setAsideCount = setAside.count } }
  /// The cause of a failure; the reports are then as before the run, and the files stay loaded.
  package private(set) var error: String?
  package private(set) var errorCode: ErrorCode?
  package private(set) var errorDetail: [String: String]?

  private enum CodingKeys: CodingKey {
    case durationSeconds, files, rows, players, setAsideCount, error, errorCode, errorDetail
  }

  init(_ plan: RefreshPlan) {
    isFull = plan.isFull
    files = plan.files
    rows = plan.rows
    players = plan.players
  }

  init(_ failure: LoadError, seconds: Double) {
    durationSeconds = seconds
    error = failure.message
    errorCode = failure.code
    errorDetail = failure.detail.isEmpty ? nil : failure.detail
  }
}

/// A player in no figure, because the player's cannot be computed; `report.set_aside_player` names it.
struct SetAsidePlayer: Sendable, Equatable, Decodable {
  let number: Int
  /// The refreshes that have tried.
  let attempts: Int
  let error: String
}

/// The files, rows and players that a refresh reads.
package struct RefreshPlan: Sendable, Decodable {
  /// True when it rebuilds all rollups, false when it recomputes the touched keys; nil when nothing
  /// has changed since the last refresh.
  package let isFull: Bool?
  /// The files that were loaded or reopened since then.
  package let files: Int
  /// The stored rows that are new, changed or deleted; not counted by a rebuild.
  package let rows: Int
  /// The players whose figures it computes.
  package let players: Int
}
