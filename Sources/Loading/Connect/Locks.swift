package import Postgres
internal import RecordPipeline
internal import SHA256

/// A lock that a command can wait for: an advisory lock, or the lock of a table.
///
/// Swift and SQL share the names of the advisory locks. The database function `ingest.lock_key` derives the
/// same key from a name, and `ingest.hold_stream`, `erase_user` and `ensure_partition` take the locks
/// `stream …`, `erasures` and `migrate`.
package struct Lock: Sendable, CustomStringConvertible {
  package let description: String
  /// Of an advisory lock.
  private(set) var key = 0
  /// The qualified name of a locked table; empty for an advisory lock.
  fileprivate var table = ""

  /// An advisory lock.
  static func named(_ name: String, description: String? = nil) -> Lock {
    // Such a key is unlikely to collide with the small numbers that other programs use.
    let digest = SHA256.digest(of: "gamebase-ingest \(name)".utf8)
    let key = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Lock(description: description ?? name, key: Int(truncatingIfNeeded: key))
  }

  /// Serializes the changes of a stream's table: loads, replays, undos, acceptances, retention,
  /// erasures.
  static func stream(_ name: String) -> Lock { named("stream \(name)") }

  /// Keeps erasures and failure reports apart, because a failure report is written without the
  /// stream's lock.
  static let erasures = Lock.named("erasures")

  /// Keeps migrations and grants apart from each other, from the creation and removal of monthly
  /// partitions, and from the new files of working tables.
  ///
  /// They change the same rows of the system catalogs, and PostgreSQL fails the later of two such
  /// changes.
  static let migrations = Lock.named("migrate", description: "migrations and grants")

  /// The lock of a table, by its qualified name.
  static func table(_ name: String) -> Lock {
    Lock(description: name == refreshTable ? "the reports" : "table \(name)", table: name)
  }

  /// The lock of the refreshes.
  static let refresh = Lock.table(refreshTable)
  /// The table whose EXCLUSIVE lock serializes refreshes of the rollups.
  ///
  /// An advisory lock is taken by a SELECT, which would take the snapshot of a REPEATABLE READ
  /// transaction before it waits.
  static let refreshTable = "rollup.refresh_lock"

  /// The longest wait that an option can set, in seconds: a week.
  ///
  /// PostgreSQL's timeouts end at 24 days.
  package static let longestWait = 604_800

  /// The locks of all streams.
  package static let streams = StreamCatalog.all.map { Lock.stream($0.name) }

  /// A query for the sessions that hold one of some locks in this database, with the facts that the role
  /// may see.
  ///
  /// Columns: `lock`, `held_by` (one line that describes the session), `waiting` (the number of sessions
  /// that wait for the lock). Every role can read all of `pg_locks`. Unless the role is a member of
  /// `pg_read_all_stats`, `pg_stat_activity` shows only the role and the application of other roles'
  /// sessions.
  package static let holders = """
    select k.lock, concat_ws(', ', 'process ' || l.pid, 'role ' || coalesce(a.usename, r.rolname),
          nullif(a.application_name, ''),
          case when a.client_port = -1 then 'by a socket' else 'from ' || host(a.client_addr) end,
          to_char(a.xact_start, '"since "YYYY-MM-DD HH24:MI:SS "UTC"')) as held_by,
        (select count(*) from pg_locks w where not w.granted
          and (w.locktype, w.database, w.relation, w.classid, w.objid, w.objsubid)
            is not distinct from (l.locktype, l.database, l.relation, l.classid, l.objid, l.objsubid))
          as waiting
      from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality k (lock, key, table_name, place)
      join pg_locks l on l.granted and case when k.table_name = ''
        then l.locktype = 'advisory' and l.objsubid = 1
          and l.classid = (k.key >> 32 & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid
        else l.locktype = 'relation' and l.relation = to_regclass(k.table_name) end
      join pg_database d on d.oid = l.database and d.datname = current_database()
      left join pg_stat_activity a using (pid)
      left join pg_roles r on r.oid = a.usesysid
      where l.pid <> pg_backend_pid()
      -- A session that only reads is the least likely cause.
      order by l.mode in ('AccessShareLock', 'RowShareLock'), k.place, l.pid
    """

  /// The parameters of `holders`.
  package static func parameters(_ locks: [Lock]) -> [Parameter] {
    [.texts(locks.map(\.description)), .integers(locks.map(\.key)), .texts(locks.map(\.table))]
  }
}

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

  /// Runs work that takes locks at its beginning, and says after a second which session holds one.
  ///
  /// Without the message, a command that waits looks like one that hangs. The work runs in a savepoint
  /// under a lock timeout, and again under the rest of the limit.
  ///
  /// - Parameters:
  ///   - locks: the locks that the work may wait for; the connection is in a transaction.
  ///   - limit: the longest wait for a lock, in seconds, up to `Lock.longestWait`; nil: no limit.
  /// - Throws: `LoadError` with exit code 6 when the limit is over.
  @discardableResult
  func waiting<Value>(
    for locks: [Lock], upTo limit: Int? = nil, _ work: () throws -> Value
  ) throws -> Value {
    try waiting(for: locks, upTo: limit, asking: { try $0() }) { timeout in
      try execute("savepoint wait; set local lock_timeout = '\(timeout)'")
      do {
        let value = try work()
        try execute("set local lock_timeout = 0; release savepoint wait")
        return value
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
        try execute("rollback to savepoint wait; release savepoint wait")
        throw error
      }
    }
  }

  /// Runs work that waits for locks, as `waiting(for:upTo:_:)` does.
  ///
  /// - Parameters:
  ///   - asking: runs a question for the holder in a transaction.
  ///   - attempt: runs the work under a lock timeout in PostgreSQL's form; `0` is none.
  func waiting<Value>(
    for locks: [Lock], upTo limit: Int?, asking: (() throws -> Holder?) throws -> Holder?,
    attempt: (String) throws -> Value
  ) throws -> Value {
    func value(within timeout: String) throws -> Value? {
      do { return try attempt(timeout) } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable
      { return nil }
    }
    if let value = try value(within: limit == 0 ? "1ms" : "1s") { return value }
    var holder = try asking { try self.holder(of: locks) }
    if limit ?? .max > 1 {
      if let holder { tell(holder.waitMessage) }
      guard let limit else { return try attempt("0") }
      if let value = try value(within: "\(limit - 1)s") { return value }
      holder = try asking { try self.holder(of: locks) }
    }
    let lock = holder?.lock ?? locks.first?.description
    throw LoadError(
      .locked,
      "another session has held \(lock.map { "the lock of \($0)" } ?? "a lock") for \(limit ?? 0) s"
        + (holder.map { " (\($0.heldBy))" } ?? "")
        + "; wait for it, raise --lock-wait, or end its session if it hangs. Loaded files stay loaded"
    )
  }

  /// A session that holds a lock, in one line.
  struct Holder: Decodable {
    let lock: String
    let heldBy: String

    var waitMessage: String {
      "waiting for the lock of \(lock), which is held by \(heldBy); end that session if it hangs"
    }
  }

  /// The session that most likely keeps others waiting for one of the locks; nil: none does.
  func holder(of locks: [Lock]) throws -> Holder? {
    try rows(of: Holder.self, Lock.holders, Lock.parameters(locks)).first
  }
}
