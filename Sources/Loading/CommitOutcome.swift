internal import Foundation
internal import Postgres

/// Finds out what became of a COMMIT whose answer was lost: by looking, never by guessing.
///
/// The server may have committed, may have rolled back, or may still be at it. The lock on the file
/// tells when it is done: the transaction held it, and it ends with it.
struct CommitOutcome {
  let target: ConnectionTarget
  let interruption: Interruption

  /// Seconds to try for a connection: a server that restarts needs some.
  private static let patience = 60.0

  /// True when the file is in the ledger.
  ///
  /// - Throws: `LoadError` when that cannot be found out; running again settles it.
  func isLoaded(_ identity: FileIdentity, lockWaitSeconds: Int) throws -> Bool {
    let connection = try connect()
    return try connection.transaction {
      try Locks(connection: connection).holdFile(
        identity, waitSeconds: max(lockWaitSeconds, Int(Self.patience)),
        interruption: interruption)
      return try Ledger(connection: connection).contains(identity)
    }
  }

  private func connect() throws -> Connection {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while true {
      do { return try Connection(target) } catch let error as PostgresError {
        try interruption.check()
        guard Date() < deadline else {
          throw LoadError(
            .temporary,
            "the connection broke while the file was committed, and there is no new one "
              + "(\(error.message)). Whether it is loaded is not known; run again, a loaded file is "
              + "skipped", endsRun: true)
        }
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
  }
}
