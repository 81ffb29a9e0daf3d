internal import Foundation
internal import Postgres

/// Finds out what became of a COMMIT whose answer was lost: by asking, never by guessing.
///
/// The server may have committed, may have rolled back, or may still be at it.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// Seconds to try: a server that restarts needs some.
  private static let patience = 60.0

  /// True when the transaction was committed, false when it was rolled back.
  ///
  /// - Throws: `LoadError` when that cannot be found out; running again settles it.
  func isCommitted(_ transactionID: String) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    var reason = "the server is still at it"
    while true {
      do {
        let connection = try Connection(target)
        let status = try connection.transaction {
          try connection.query(
            "select pg_xact_status($1::text::xid8)", [.text(transactionID)])[0, 0]
        }
        switch status {
        case "committed": return true
        case "aborted": return false
        default: break
        }
      } catch let error as PostgresError where error.isConnectionLost {
        reason = error.message
      }
      guard Date() < deadline else {
        throw LoadError(
          .temporary,
          "the connection broke while the file was committed, and what became of it cannot be found "
            + "out (\(reason)); run again, a loaded file is skipped", endsRun: true)
      }
      try interruption.sleep(seconds: 0.3)
    }
  }
}
