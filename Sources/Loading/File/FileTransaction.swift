internal import Postgres

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
