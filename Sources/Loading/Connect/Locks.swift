internal import Postgres
internal import RecordPipeline
internal import SHA256

/// The locks that loads, refreshes and changes of loaded data take.
///
/// They end with the transaction, so a killed program leaves none behind. The order is the same
/// everywhere, so two sessions cannot deadlock: those of the streams by name, and the refresh lock
/// last. All but the last are advisory locks.
struct Locks {
  let connection: Connection
  /// Says for whom the session waits.
  let wait: LockWait

  /// Locks a stream until the transaction ends, so that no other session changes the stream's
  /// table.
  ///
  /// - Throws: `LoadError` with exit code 6 when another session holds the lock beyond the limit.
  func holdStream(_ name: String) throws { try hold(LockName.stream(name)) }

  /// Takes an advisory lock.
  ///
  /// Most locks are free, so the first try does not wait.
  ///
  /// - Parameter mode: "_shared" for a shared lock.
  private func hold(_ name: String, mode: String = "") throws {
    let key = [Parameter.integer(Self.key(name))]
    let isHeld = try connection.onlyRow(
      of: Bool.self, "select pg_try_advisory_xact_lock\(mode)($1)", key)
    if isHeld { return }
    _ = try wait(for: [.named(name)], on: connection) {
      try connection.query("select pg_advisory_xact_lock\(mode)($1)", key)
    }
  }

  /// Locks a stream, and the stream whose records lie within its lines, in the order of their
  /// names.
  func holdStreams(of stream: RecordStream) throws {
    let names = [stream.name, stream.embeddedStreamName].compactMap(\.self)
    for name in names.sorted() { try holdStream(name) }
  }

  /// The table whose EXCLUSIVE lock serializes refreshes of the rollups.
  ///
  /// An advisory lock is taken by a SELECT, which would take the snapshot of a REPEATABLE READ
  /// transaction before it waits.
  static let refreshTable = "rollup.refresh_lock"

  /// Locks all streams, in the order of their names, and then the rollups.
  ///
  /// No other session can commit a fact or refresh until the transaction ends. So a change of facts
  /// and the refresh after it see one state, at READ COMMITTED too. On a cluster, interrupted commits
  /// are finished, and the transaction goes on as the owner if the role is a member of it.
  func holdAllStreamsAndRefresh() throws {
    let streams = try connection.rows(
      of: String.self, "select stream from ingest.stream order by stream")
    for name in streams { try holdStream(name) }
    try wait(for: [.refresh], on: connection) {
      try connection.execute("lock table \(Self.refreshTable) in exclusive mode")
    }
    try connection.query("select ingest.recover_commits(true)")
    // One user must reach distributed facts in a transaction, and the refresh reaches them as the
    // owner.
    if try connection.isDistributed() { try connection.becomeOwner() }
  }

  /// Keeps users from being erased until the transaction ends, by a shared lock.
  func shareErasures() throws { try hold(LockName.erasures, mode: "_shared") }

  /// The key of an advisory lock: the first 64 bits of a digest of its name.
  ///
  /// Such a key is unlikely to collide with the small numbers that other programs use.
  static func key(_ name: String) -> Int {
    let digest = SHA256.digest(of: "gamebase-ingest \(name)".utf8)
    return Int(truncatingIfNeeded: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// The names of the advisory locks, which Swift and SQL share.
///
/// `Locks.key` and the database function `ingest.lock_key` derive the same key from a name. The
/// database functions `ingest.hold_stream`, `erase_user` and `share_catalog` take the locks
/// `stream …`, `erasures` and `migrate`.
package enum LockName {
  /// Serializes the changes of a stream's table: loads, replays, undos, acceptances, retention,
  /// erasures.
  package static func stream(_ name: String) -> String { "stream \(name)" }

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
