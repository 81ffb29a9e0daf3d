/// The names of the advisory locks, which Swift and SQL share.
///
/// `Locks.key` and the database function `ingest.lock_key` derive the same key from a name. The
/// database functions `ingest.hold_stream`, `hold_erasures` and `share_catalog` take the locks
/// `stream …`, `erasures` and `migrate`.
package enum LockName {
  /// Serializes the changes of a stream's table: loads, replays, undos, acceptances, retention,
  /// erasures.
  package static func stream(_ name: String) -> String { "stream \(name)" }

  /// The lock for all files of a stream that have this decoded length.
  static func file(ofStream stream: String, byteCount: Int) -> String {
    "file \(stream) \(byteCount)"
  }

  /// Keeps erasures and failure reports apart, because a failure report is written without the
  /// stream's lock.
  static let erasures = "erasures"

  /// Keeps migrations and grants apart from each other, from the creation and removal of monthly
  /// partitions, and from the new files of working tables.
  ///
  /// They change the same rows of the system catalogs, and PostgreSQL fails the later of two such
  /// changes.
  static let migrations = "migrate"
}
