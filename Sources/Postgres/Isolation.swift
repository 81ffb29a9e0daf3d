/// The commits of other sessions that the statements of a transaction see.
package struct Isolation: Sendable {
  /// The mode of BEGIN.
  let mode: String
  /// The statements of the lock that comes before the snapshot.
  var lock = ""
  /// True for the transactions of readers, in which the timeouts of their role hold.
  var hasTimeouts = false

  /// READ COMMITTED: each statement sees everything that was committed before it began.
  ///
  /// A statement that waited for a lock sees the rows committed meanwhile, which loads rely on.
  package static let readCommitted = Isolation(mode: "read committed")

  /// REPEATABLE READ, read-only: all statements see one state of the database, and none changes it.
  package static let readOnlySnapshot = Isolation(
    mode: "repeatable read, read only", hasTimeouts: true)

  /// REPEATABLE READ: all statements see one state of the database.
  ///
  /// PostgreSQL takes the snapshot at the first statement that reads. The table is locked before,
  /// in EXCLUSIVE mode, so the snapshot includes everything that earlier holders of the lock have
  /// committed. A wait after the snapshot could end in a serialization failure, or in a state
  /// without those commits.
  ///
  /// - Parameters:
  ///   - table: the qualified name of the table, as written in SQL.
  ///   - lockTimeout: the longest wait for its lock, in PostgreSQL's form; 0: no limit.
  /// - Source: PostgreSQL 15 manual, LOCK: it must precede the first SELECT or change of data.
  package static func repeatableRead(
    afterLocking table: String, lockTimeout: String = "0"
  ) -> Isolation {
    Isolation(
      mode: "repeatable read",
      lock: "set local lock_timeout = '\(lockTimeout)'; lock table \(table) in exclusive mode; "
        + "set local lock_timeout = 0; ")
  }
}
