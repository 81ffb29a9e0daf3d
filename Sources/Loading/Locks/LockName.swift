/// The names of the advisory locks, which Swift and SQL share.
///
/// `ingest.lock_key` derives the same key from a name as `Locks.key`; `ingest.hold_stream`,
/// `hold_erasures` and `share_catalog` take the same locks.
package enum LockName {
  /// Serializes the changes of a stream's table: loads, replays, undos, acceptances, retention, erasures.
  package static func stream(_ name: String) -> String { "stream \(name)" }

  /// Covers the files of a stream with this decoded length.
  static func file(ofStream stream: String, byteCount: Int) -> String {
    "file \(stream) \(byteCount)"
  }

  /// Separates the erasure of users from failure reports, which are written without the stream's lock.
  static let erasures = "erasures"

  /// Separates migrations and grants from the creation of monthly partitions.
  static let migrations = "migrate"
}
