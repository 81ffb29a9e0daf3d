internal import Postgres
internal import RecordPipeline

/// The connections of a worker; it reconnects when they are lost.
final class Session {
  private let target: ConnectionTarget
  /// True where nothing is committed, so that the months of a file are made in its own transaction.
  private let isDryRun: Bool
  private(set) var connection: Connection
  private(set) var partitions: Partitions
  // Valid on any connection to the database, so that it is read once and not for every file.
  private var digestKey: RowDigest.Key?
  private var erasures: (state: Ledger.ErasureState, users: ErasedUsers?)?

  /// - Throws: `LoadError` when the connection fails, or the database is not at this program's
  ///   schema.
  init(_ target: ConnectionTarget, isDryRun: Bool) throws(LoadError) {
    self.target = target
    self.isDryRun = isDryRun
    (connection, partitions) = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Reconnects if the connection was lost, and if it led to a standby: another server may have
  /// become the primary one.
  func renew() throws(LoadError) {
    guard !connection.isUsable || connection.isStandby else { return }
    (connection, partitions) = try Self.connect(target, isDryRun: isDryRun)
  }

  /// Runs `body` in a transaction of its own between two files, for the run's ledger rows, failure
  /// reports and statistics.
  ///
  /// When the connection is lost, the session reconnects and runs `body` once more, so `body` must
  /// be idempotent. A dry run rolls it back.
  @discardableResult
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    do {
      return try attempt(body)
    } catch let error as PostgresError where error.isConnectionLost {
      try renew()
      return try attempt(body)
    }
  }

  private func attempt<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    defer { connection.rollback() }
    try connection.begin()
    let value = try body(connection)
    try connection.end(isKept: !isDryRun)
    return value
  }

  /// Removes what can stop the next attempt on a cluster: commits that a crash interrupted, and
  /// months that were missing while shards moved.
  ///
  /// A cluster has no dry run.
  func prepareRetry(checking interruption: Interruption) throws(LoadError) {
    if isDryRun { return }
    do {
      try Self.recoverCommits(on: connection)
      try partitions.ensureMissing(on: connection, checking: interruption.check)
    } catch {
      throw LoadError(wrapping: error, during: "preparing the next attempt")
    }
  }

  private static func recoverCommits(on connection: Connection) throws {
    try connection.transaction { _ = try connection.query("select ingest.recover_commits()") }
  }

  private static func connect(
    _ target: ConnectionTarget, isDryRun: Bool
  ) throws(LoadError) -> (Connection, Partitions) {
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
          """, endsRun: true)
      }
      return (connection, Partitions(target, within: isDryRun ? connection : nil))
    } catch let error as PostgresError where error.isConnectionLost {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "checking the schema")
    }
  }
}

extension Session {
  /// The key of this database's row digests, which never changes.
  func rowDigestKey() throws -> RowDigest.Key? {
    if digestKey == nil { digestKey = try Ledger(connection: connection).rowDigestKey() }
    return digestKey
  }

  /// As `Ledger.erasedUsers`, which is read again when it has changed.
  func erasedUsers(key: ErasureKey?) throws -> ErasedUsers? {
    let ledger = Ledger(connection: connection)
    let state = try ledger.stateOfErasures()
    if erasures?.state != state { erasures = (state, try ledger.erasedUsers(key: key)) }
    return erasures?.users
  }
}
