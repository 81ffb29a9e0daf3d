internal import Foundation
internal import Postgres

/// Finds out what became of a COMMIT whose answer was lost: by looking, never by guessing.
///
/// The server may have committed, may have rolled back, or may still be at it.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// Seconds to try: a server that restarts needs some.
  private static let patience = 60.0

  /// True when the file's entry is in the ledger, which is written with everything else.
  ///
  /// The transaction's number only says whether to wait: a server that crashed may have forgotten it,
  /// and given it to somebody else's transaction.
  ///
  /// - Throws: `LoadError` when that cannot be found out; running again settles it.
  func isCommitted(
    _ transactionID: String, _ identity: FileIdentity, loadID: Int
  ) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    var reason = "the server is still at it"
    while true {
      do {
        let connection = try Connection(target)
        // Asked before the look at the ledger, which then sees what is over by now.
        let isOver = try isOver(transactionID, connection)
        let isThere = try connection.transaction {
          try Ledger(connection: connection).contains(identity, loadID: loadID)
        }
        if isThere || isOver { return isThere }
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
          "select pg_xact_status($1::text::xid8) is distinct from 'in progress'",
          [.text(transactionID)])[0, 0] == "t"
      }
    } catch let error as PostgresError where !error.isConnectionLost {
      // A number that the server has yet to give out: it has forgotten ours.
      return true
    }
  }
}
