/// The names of the advisory locks that a database's sessions agree on, in Swift and in SQL.
///
/// `ingest.lock_key` makes the same key of a name; `ingest.hold_stream`, `hold_erasures` and
/// `share_catalog` hold the same locks.
package enum LockName {
  /// Merges of one stream are serial.
  package static func stream(_ name: String) -> String { "stream \(name)" }

  /// The files of a stream that have so many bytes.
  static func file(ofStream stream: String, byteCount: Int) -> String {
    "file \(stream) \(byteCount)"
  }

  /// The erasing of users, against what is written after the lock of a stream has ended.
  static let erasures = "erasures"

  /// Migrations and grants, against the making of months.
  static let migrations = "migrate"
}
