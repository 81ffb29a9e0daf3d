internal import Foundation
internal import Postgres

/// Finds out what became of a COMMIT whose answer was lost: by asking, never by guessing.
///
/// The server may have committed, may have rolled back, or may still be at it. The transaction's
/// number only tells when it is over: a server that crashed may have forgotten that it gave the
/// number out, and give it to somebody else. Whether the file is loaded, the ledger tells.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// Seconds to try: a server that restarts needs some.
  private static let patience = 30.0

  /// True when the file is in the ledger after the transaction's end, as one of this run.
  ///
  /// - Throws: `LoadError` when that cannot be found out; running again settles it.
  func isLoaded(
    _ identity: FileIdentity, loadID: Int, by transactionID: String
  ) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    var reason = "the server is still at it"
    while true {
      do {
        let connection = try Connection(target)
        if try isOver(transactionID, connection) {
          return try connection.transaction {
            try Ledger(connection: connection).contains(identity, loadID: loadID)
          }
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

  private func isOver(_ transactionID: String, _ connection: Connection) throws -> Bool {
    do {
      return try connection.transaction {
        try connection.query(
          "select pg_xact_status($1::text::xid8)", [.text(transactionID)])[0, 0]
      } != "in progress"
    } catch let error as PostgresError where error.sqlState == .invalidParameterValue {
      // "In the future": the server crashed and knows nothing of it.
      return true
    }
  }
}
