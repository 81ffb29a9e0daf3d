internal import Foundation
internal import Postgres

/// Determines the outcome of a COMMIT after its answer was lost.
///
/// The server may have committed, may have rolled back, or may still be at work. The transaction's number
/// only shows when the transaction has ended: a server that crashed may have lost the number and assign
/// it again. The ledger then shows whether the file is loaded.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// Seconds to keep asking, because a server needs some time to restart.
  private static let patience = 30.0

  /// True when the ledger has the file as loaded by this run, once the transaction has ended.
  ///
  /// - Throws: `LoadError` when that cannot be determined within 30 seconds.
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
        try connection.query(
          "select pg_xact_status($1::text::xid8)", [.text(transactionID)])[0, 0]
      } != "in progress"
    } catch let error as PostgresError where error.sqlState == .invalidParameterValue {
      // The number is "in the future": the server crashed and lost the transaction.
      return true
    }
  }
}
