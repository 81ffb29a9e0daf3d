internal import Postgres
internal import RecordPipeline

/// The connection of a worker, which comes back when it is lost, and the months that its rows need.
final class Session {
  private let target: ConnectionTarget
  /// True where nothing is committed, so that the months of a file are made in its own transaction.
  private let isDryRun: Bool
  private let interruption: Interruption
  /// The number of the worker that loads files in the session, from 0.
  let worker: Int
  private(set) var connection: Connection
  // Valid on any connection to the database, so that they are not read for every file.
  private var erasures: (state: Ledger.ErasureState, users: ErasedUsers?)?

  /// - Throws: `LoadError` when the connection fails, or the database is not at this program's
  ///   schema.
  init(
    _ target: ConnectionTarget, isDryRun: Bool, interruption: Interruption = Interruption(),
    worker: Int = 0
  ) throws(LoadError) {
    (self.target, self.isDryRun) = (target, isDryRun)
    (self.interruption, self.worker) = (interruption, worker)
    connection = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Lets an interruption cancel the connection's statement from here until `unwatch`.
  func watch() { interruption.watch([connection], worker: worker) }

  func unwatch() { interruption.watch([], worker: worker) }

  /// Reconnects if the connection was lost, and if it led to a standby: another server may have
  /// become the primary one.
  func renew() throws(LoadError) {
    guard !connection.isUsable || connection.isStandby else { return }
    connection = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Runs `body` in a transaction of its own between two files, for the run's ledger rows, failure
  /// reports and statistics.
  ///
  /// When the connection is lost, the session reconnects and runs `body` once more, so `body` must
  /// be idempotent. A dry run rolls it back.
  @discardableResult
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    func attempt() throws -> Value {
      defer { connection.rollback() }
      try connection.begin()
      let value = try body(connection)
      try connection.end(isKept: !isDryRun)
      return value
    }
    do { return try attempt() } catch let error as PostgresError where error.isConnectionLost {
      try renew()
      return try attempt()
    }
  }

  /// Removes what can stop the next attempt on a cluster: commits that a crash interrupted, and
  /// months that were missing while shards moved.
  ///
  /// A cluster has no dry run.
  func prepareRetry() throws(LoadError) {
    if isDryRun { return }
    do {
      try Self.recoverCommits(on: connection)
      try ensureMissing()
    } catch {
      throw LoadError(wrapping: error, during: "preparing the next attempt")
    }
  }

  private static func recoverCommits(on connection: Connection) throws {
    try connection.transaction { _ = try connection.query("select ingest.recover_commits()") }
  }

  private static func connect(
    _ target: ConnectionTarget, isDryRun: Bool
  ) throws(LoadError) -> Connection {
    do {
      let connection = try Connection(target)
      try Migrator(connection: connection).requireCurrent()
      try recoverCommits(on: connection)
      if try isDryRun && connection.isDistributed() {
        throw LoadError(
          .usage,
          """
          a dry run is not possible on a cluster, where the months of a file stay when its rows are \
          rolled back; validate reads files without a database
          """)
      }
      return connection
    } catch let error as PostgresError where error.isConnectionLost {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "checking the schema")
    }
  }

  // MARK: - Months

  // They are created on a connection of their own, outside the file's transaction, as a cluster needs it. If
  // the file is rolled back, the partition stays empty, which does no harm, and a later file uses it.

  /// The months with a partition, by stream, counted from January 1970; valid while the stream's
  /// lock is held.
  private var knownMonths: [String: Set<Int>] = [:]

  /// The longest wait for the table's lock, which ends a deadlock that the server cannot detect.
  ///
  /// A session that changes the table waits for the file's transaction, and the connection of the months
  /// waits for that session. The server does not know that the file's transaction waits for that
  /// connection, because the client does that waiting.
  var lockTimeout = "30s"
  /// The internal errors after which a month is given up, because so many have another cause.
  private static let mostRefusals = 20

  /// The months that the last attempt could not create; nil: none.
  private var missing: (months: Set<Int>, stream: RecordStream)?

  /// Reads which months the tables of a stream have, its own and that of records within its lines.
  ///
  /// The caller holds the stream's lock and does this for each file, because `retention` may drop
  /// months between two files.
  func lookUpMonths(of stream: RecordStream) throws {
    missing = nil
    if let embedded = stream.embedded { try lookUpMonths(of: embedded) }
    guard stream.isPartitionedByMonth else { return }
    let months = try connection.rows(
      of: Int.self,
      """
      select (extract(year from month) - 1970) * 12 + extract(month from month) - 1
        from ingest.month_partitions($1)
      """, [.text(stream.name)])
    knownMonths[stream.name] = Set(months)
  }

  /// Creates the missing ones of these months.
  ///
  /// On a cluster, no month of a table can be created while its shards move, and a move waits for
  /// the file's transaction. The file is then rolled back, and waits before its next attempt.
  ///
  /// - Parameter months: counted from January 1970.
  func ensureMonths(_ months: Set<Int>, of stream: RecordStream) throws {
    let new = months.subtracting(knownMonths[stream.name] ?? [])
    guard !new.isEmpty else { return }
    missing = (new, stream)
    try create(new, of: stream)
    missing = nil
  }

  /// Creates the months that an attempt lacked, however long shards move.
  private func ensureMissing() throws {
    var (isTold, refusals) = (false, 0)
    while let missing {
      do {
        try create(missing.months, of: missing.stream)
        self.missing = nil
      } catch let error as PostgresError where error.sqlState == .objectInUse {
        if !isTold {
          connection.tell("waiting until no shard of \(missing.stream.targetTable) moves")
        }
        isTold = true
      } catch let error as PostgresError
        where error.kind == .internalError && refusals < Self.mostRefusals
      {
        // The next move began just before the month was attached.
        refusals += 1
      }
      try interruption.check()
    }
  }

  private func create(_ months: Set<Int>, of stream: RecordStream) throws {
    let connection = isDryRun ? self.connection : try Connection(target)
    interruption.watch([self.connection, connection], worker: worker)
    defer { if !isDryRun { connection.rollback() } }
    for month in months.sorted() {
      if !isDryRun { try connection.begin() }
      try connection.hold(.migrations, isShared: true)
      try connection.execute("set local lock_timeout = '\(lockTimeout)'")
      try connection.query(
        """
        select ingest.ensure_partition($1,
          (date '1970-01-01' + $2::integer * interval '1 month')::date)
        """, [.text(stream.name), .integer(month)])
      // The transaction of a dry run goes on, and its other statements need no timeout.
      try isDryRun ? connection.execute("set local lock_timeout = 0") : connection.commit()
      knownMonths[stream.name, default: []].insert(month)
    }
  }

  /// As `Ledger.erasedUsers`, which is read again when it has changed.
  func erasedUsers(key: ErasureKey?) throws -> ErasedUsers? {
    let ledger = Ledger(connection: connection)
    let state = try ledger.stateOfErasures()
    if erasures?.state != state { erasures = (state, try ledger.erasedUsers(key: key)) }
    return erasures?.users
  }
}
