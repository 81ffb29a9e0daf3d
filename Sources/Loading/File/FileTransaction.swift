internal import Postgres

/// The transaction of a file, or in a dry run a savepoint in the run's single transaction.
///
/// A dry run does all the work and is rolled back at its end, so later files see the rows of earlier ones,
/// and the server checks its constraints.
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

  /// - Throws: the server's error; a dry run checks deferred constraints here, as a commit does.
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
    // If the connection is lost, the server has rolled back already.
    try? connection.execute("rollback to savepoint file")
    try? connection.execute("release savepoint file")
  }
}
