/// The refresh of the reports at the end of a run.
package struct RefreshReport: Encodable, Sendable, Equatable {
  /// Seconds, to the millisecond, waits and retries included.
  package var durationSeconds: Double
  /// The files that were loaded or reopened since the last refresh; 0 after a failure, like the
  /// other counts.
  package var files = 0
  /// The stored rows that were new, changed or deleted since then.
  package var rows = 0
  /// The players whose figures were recomputed.
  package var players = 0
  /// The players in no figure, because theirs cannot be computed.
  package var setAsideCount = 0
  /// The cause of a failure; the reports are then as before the run, and the files stay loaded.
  package var error: String?
  package var errorCode: ErrorCode?
  package var errorDetail: [String: String]?

  package init(_ refreshed: Refreshed) {
    durationSeconds = refreshed.seconds
    files = refreshed.plan.files
    rows = refreshed.plan.rows
    players = refreshed.plan.players
    setAsideCount = refreshed.setAside.count
  }

  package init(_ failure: LoadError, seconds: Double) {
    durationSeconds = seconds
    error = failure.message
    errorCode = failure.code
    errorDetail = failure.detail.isEmpty ? nil : failure.detail
  }
}
