internal import Postgres
internal import RecordPipeline

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
    for name in names.sorted() { try hold(.stream(name), upTo: limit) }
  }

  /// Locks all streams, in the order of their names, and then the rollups.
  ///
  /// No other session can commit a fact or refresh until the transaction ends. So a change of facts
  /// and the refresh after it see one state, at READ COMMITTED too. On a cluster, interrupted commits
  /// are finished, and the transaction goes on as the owner if the role is a member of it.
  func holdAllStreamsAndRefresh(upTo limit: Int? = nil) throws {
    let streams = try rows(of: String.self, "select stream from ingest.stream order by stream")
    for name in streams { try hold(.stream(name), upTo: limit) }
    try waiting(for: [.refresh], upTo: limit) {
      try execute("lock table \(Lock.refreshTable) in exclusive mode")
    }
    try query("select ingest.recover_commits(true)")
    // One user must reach distributed facts in a transaction, and the refresh reaches them as the
    // owner.
    if try isDistributed() { try becomeOwner() }
  }

  /// Takes an advisory lock.
  ///
  /// Most locks are free, so the first try does not wait.
  func hold(_ lock: Lock, isShared: Bool = false, upTo limit: Int? = nil) throws {
    let (mode, key) = (isShared ? "_shared" : "", [Parameter.integer(lock.key)])
    let isHeld = try onlyRow(
      of: Bool.self, "select pg_try_advisory_xact_lock\(mode)($1)", key)
    if isHeld { return }
    try waiting(for: [lock], upTo: limit) {
      try query("select pg_advisory_xact_lock\(mode)($1)", key)
    }
  }
}
