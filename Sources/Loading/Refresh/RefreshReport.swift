/// A refresh of the reports: what it has read, or why it failed.
package struct RefreshReport: Codable, Sendable, Equatable {
  /// True when it rebuilds all rollups, false when it recomputes the touched keys; nil when nothing
  /// has changed since the last refresh.
  package private(set) var isFull: Bool?
  /// Seconds, to the millisecond, waits and retries included.
  package var durationSeconds = 0.0
  /// The files that were loaded or reopened since the last refresh; 0 after a failure, like the
  /// other counts.
  package private(set) var files = 0
  /// The stored rows that were new, changed or deleted since then; a rebuild counts none.
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

  /// Decodes a row of `rollup.begin_refresh`.
  package init(from decoder: any Decoder) throws {
    enum Column: CodingKey { case isFull, fileCount, rowCount, playerCount }
    let row = try decoder.container(keyedBy: Column.self)
    isFull = try row.decodeIfPresent(Bool.self, forKey: .isFull)
    files = try row.decode(Int.self, forKey: .fileCount)
    rows = try row.decode(Int.self, forKey: .rowCount)
    players = try row.decode(Int.self, forKey: .playerCount)
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
