internal import Postgres
internal import RecordPipeline

/// The transaction that loads one file, or several small files of one stream.
///
/// The caller takes the locks, begins, opens the files, sends their rows and commits. A failure at
/// any point leaves nothing of the files, and a dry run rolls back where a load commits.
final class LoadTransaction {
  let stream: RecordStream
  let connection: Connection
  let ledger: Ledger
  let options: LoadOptions
  let run: RunContext
  private let partitions: Partitions
  private let cache: SessionCache
  /// The step in progress, for the message of a failure.
  var stage = "opening the file"

  init(stream: RecordStream, session: Session, options: LoadOptions, run: RunContext) {
    self.stream = stream
    connection = session.connection
    partitions = session.partitions
    partitions.wait = run.lockWait
    cache = session.cache
    ledger = Ledger(connection: connection)
    self.options = options
    self.run = run
  }

  var locks: Locks { Locks(connection: connection, wait: run.boundedLockWait) }

  /// An interruption cancels the connection's statement from here until `unwatch`.
  func watch() { partitions.watch([connection], by: run.interruption, worker: run.worker) }

  func unwatch() { run.interruption.watch([], worker: run.worker) }

  func begin() throws { try connection.begin() }

  /// The parts of an open transaction that encode lines and send their rows.
  struct Opened {
    let rules: NormalizationRules
    let erasedUsers: ErasedUsers?
    /// In the order of the files.
    let sourceFileIDs: [Int64]
    let sender: RowSender
  }

  /// Opens ledger entries for files, under the lock of their stream.
  func open(_ paths: [String]) throws -> Opened {
    try partitions.lookUp(stream, on: connection)
    stage = "looking for erased users"
    let erasedUsers = try cache.erasedUsers(ledger, key: options.erasureKey)
    stage = "loading rows"
    var rules = options.rules(startOfRun: run.startedAt)
    rules.rowDigestKey = try cache.rowDigestKey(ledger)
    // The row of a dry run was rolled back at its start, so each of its transactions has its own.
    let loadID =
      options.isDryRun
      ? try ledger.startLoad(version: options.loaderVersion, night: options.night).loadID
      : run.loadID
    let numbers = try ledger.open(
      paths, stream: stream.name, loadID: loadID, options: options, rules: rules)
    return Opened(
      rules: rules, erasedUsers: erasedUsers, sourceFileIDs: numbers,
      sender: RowSender(
        connection: connection, partitions: partitions, stream: stream, sourceFileIDs: numbers,
        followsErasure: erasedUsers != nil))
  }

  /// The names of fields that neither the database nor an earlier file has.
  func newFields(of totals: FileTotals) throws -> [String] {
    stage = "comparing field names"
    return try options.newFields(
      totals.unknownFields, of: stream, history: run.fieldHistory, on: connection)
  }

  func identity(sha256: [UInt8], canonicalPath: String) -> FileIdentity {
    FileIdentity(
      stream: stream.name, appID: options.appID, observedAt: options.observedAt, sha256: sha256,
      path: canonicalPath)
  }

  /// Writes the results of the files to the ledger and commits.
  ///
  /// - Parameter identity: of one of the files; shows whether the commit happened if the connection
  ///   breaks before the server answers.
  /// - Returns: for each file, the columns that the files before had and this one has not.
  func commit(
    _ results: [Ledger.FileResult], newFields: [String], identity: FileIdentity
  ) throws -> [[String]] {
    stage = "writing the ledger"
    let transactionID = try ledger.close(
      results, stream: stream.name, expectedApp: options.expectedApp)
    let compared = try run.fieldHistory.compare(results, of: stream, on: connection)
    try run.interruption.check()
    stage = "committing"
    FaultPoint.beforeCommit.reached()
    do { try connection.end(isKept: !options.isDryRun) } catch let error as PostgresError
      where error.isConnectionLost && !options.isDryRun
    {
      let outcome = CommitOutcome(target: run.target, interruption: run.interruption)
      guard try outcome.isLoaded(identity, loadID: run.loadID, by: transactionID) else {
        throw error
      }
    }
    FaultPoint.afterCommit.reached()
    run.fieldHistory.note(newFields, compared, of: stream)
    return compared.map { options.unknownFields == .ignore ? [] : $0.vanished }
  }

  /// Rolls back to `begin`; does nothing when no transaction is open.
  func rollback() { connection.rollback() }
}
