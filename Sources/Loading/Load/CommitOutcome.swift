internal import Foundation
internal import Postgres

/// Finds out whether a COMMIT succeeded when the connection broke before the server answered.
///
/// The server may have committed, may have rolled back, or may still be at work. The number of the
/// transaction shows only that the transaction has ended: a server that crashed can lose the number
/// and assign it again. The ledger then shows whether the file is loaded.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// The time in seconds to keep asking; a server needs some of it to restart.
  private static let patience = 30.0

  /// Waits until the transaction has ended; true when the ledger then shows the file as loaded by
  /// this run.
  ///
  /// - Throws: `LoadError` when the outcome is still unknown after 30 seconds, or an interruption
  ///   ends the wait.
  func isLoaded(
    _ identity: FileIdentity, loadID: Int, by transactionID: String
  ) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    var reason = "the server is still committing"
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
          "the connection broke during the commit of the file, and the outcome cannot be found out "
            + "(\(reason)); run again, a loaded file is skipped", endsRun: true)
      }
      try interruption.sleep(seconds: 0.3)
    }
  }

  private func isOver(_ transactionID: String, _ connection: Connection) throws -> Bool {
    do {
      return try connection.transaction {
        try connection.onlyRow(
          of: String?.self, "select pg_xact_status($1::text::xid8)", [.text(transactionID)])
      } != "in progress"
    } catch let error as PostgresError where error.sqlState == .invalidParameterValue {
      // The server calls the number "in the future": it crashed, and the transaction left no trace.
      return true
    }
  }
}
