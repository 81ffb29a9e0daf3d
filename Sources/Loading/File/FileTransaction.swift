internal import Postgres

/// What a file's work is kept or taken back by: a transaction of its own, or, in a dry run, a part
/// of the one that is rolled back at the end.
///
/// A dry run does everything for real, so later files see what earlier ones would have left, and
/// the server checks what it would check at the commit.
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

  /// - Throws: what the server refuses; in a dry run also what it would refuse at the commit.
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

  /// Takes back what was done since `begin`; does nothing when nothing is open.
  func rollback() {
    guard isOpen else { return }
    isOpen = false
    guard isDryRun else { return connection.rollback() }
    // When the connection is gone, the server has done it.
    try? connection.execute("rollback to savepoint file")
    try? connection.execute("release savepoint file")
  }
}
