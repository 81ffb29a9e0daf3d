internal import Postgres
internal import RecordPipeline
internal import SHA256

/// The locks that loads, refreshes and changes of loaded data take.
///
/// They end with the transaction, so a killed program leaves none behind. The order is the same
/// everywhere, so two sessions cannot deadlock: those of the streams by name, and the refresh lock
/// last. All but the last are advisory locks. Each method throws a `LoadError` with exit code 6 when
/// another session holds a lock beyond the limit in seconds; nil: there is none.
extension Connection {
  /// Locks a stream, and the stream whose records lie within its lines, until the transaction ends, so
  /// that no other session changes their tables.
  func holdStreams(of stream: RecordStream, upTo limit: Int? = nil) throws {
    let names = [stream.name, stream.embeddedStreamName].compactMap(\.self)
    for name in names.sorted() { try hold(LockName.stream(name), upTo: limit) }
  }

  /// Locks all streams, in the order of their names, and then the rollups.
  ///
  /// No other session can commit a fact or refresh until the transaction ends. So a change of facts
  /// and the refresh after it see one state, at READ COMMITTED too. On a cluster, interrupted commits
  /// are finished, and the transaction goes on as the owner if the role is a member of it.
  func holdAllStreamsAndRefresh(upTo limit: Int? = nil) throws {
    let streams = try rows(of: String.self, "select stream from ingest.stream order by stream")
    for name in streams { try hold(LockName.stream(name), upTo: limit) }
    try waiting(for: [.refresh], upTo: limit) {
      try execute("lock table \(Lock.refreshTable) in exclusive mode")
    }
    try query("select ingest.recover_commits(true)")
    // One user must reach distributed facts in a transaction, and the refresh reaches them as the
    // owner.
    if try isDistributed() { try becomeOwner() }
  }

  /// Keeps users from being erased until the transaction ends, by a shared lock.
  func shareErasures() throws { try hold(LockName.erasures, mode: "_shared") }

  /// Keeps migrations and grants away until the transaction ends, by a shared lock.
  func shareCatalog() throws { try hold(LockName.migrations, mode: "_shared") }

  /// Takes an advisory lock.
  ///
  /// Most locks are free, so the first try does not wait.
  ///
  /// - Parameter mode: "_shared" for a shared lock.
  private func hold(_ name: String, mode: String = "", upTo limit: Int? = nil) throws {
    let key = [Parameter.integer(LockName.key(name))]
    let isHeld = try onlyRow(
      of: Bool.self, "select pg_try_advisory_xact_lock\(mode)($1)", key)
    if isHeld { return }
    try waiting(for: [.named(name)], upTo: limit) {
      try query("select pg_advisory_xact_lock\(mode)($1)", key)
    }
  }
}

/// The names of the advisory locks, which Swift and SQL share.
///
/// `LockName.key` and the database function `ingest.lock_key` derive the same key from a name. The
/// database functions `ingest.hold_stream`, `erase_user` and `ensure_partition` take the locks
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

  /// The key of an advisory lock: the first 64 bits of a digest of its name.
  ///
  /// Such a key is unlikely to collide with the small numbers that other programs use.
  static func key(_ name: String) -> Int {
    let digest = SHA256.digest(of: "gamebase-ingest \(name)".utf8)
    return Int(truncatingIfNeeded: digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
