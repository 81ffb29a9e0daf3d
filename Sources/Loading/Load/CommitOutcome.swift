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

/// The transaction of a file; in a dry run, a savepoint in the single transaction of the run.
///
/// A dry run does all the work and is rolled back at its end. So later files see the rows of
/// earlier files, and the server checks its constraints.
final class FileTransaction {
  private let connection: Connection
  private let isDryRun: Bool
  private var isOpen = false

  init(_ connection: Connection, isDryRun: Bool) {
    self.connection = connection
    self.isDryRun = isDryRun
  }

  func begin() throws {
    if isDryRun { try connection.execute("savepoint file") } else { try connection.begin() }
    isOpen = true
  }

  /// - Throws: the server's error; in a dry run also that of a deferred constraint, as a commit
  ///   would.
  func commit() throws {
    if isDryRun {
      try connection.execute("set constraints all immediate")
      try connection.execute("set constraints all deferred")
      try connection.execute("release savepoint file")
    } else {
      try connection.commit()
    }
    isOpen = false
  }

  /// Rolls back to `begin`; does nothing when no transaction is open.
  func rollback() {
    guard isOpen else { return }
    isOpen = false
    guard isDryRun else { return connection.rollback() }
    // Errors are ignored: if the connection is lost, the server has rolled back already.
    try? connection.execute("rollback to savepoint file")
    try? connection.execute("release savepoint file")
  }
}
