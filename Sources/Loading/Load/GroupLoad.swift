internal import Postgres
internal import RecordPipeline

/// The load of several small files of one stream in one transaction, from the lock to the commit.
///
/// The files share round trips, lookups and the WAL flush of the commit. This is a fast path for
/// files that load without a failure. In any other case the transaction is rolled back, and the
/// caller loads each file by itself.
final class GroupLoad {
  private let stream: RecordStream
  private let connection: Connection
  private let partitions: Partitions
  private let cache: SessionCache
  private let options: LoadOptions
  private let run: RunContext
  private let ledger: Ledger

  /// Thrown when the files must be loaded one by one.
  private struct NeedsSingleLoads: Error {}

  init(stream: RecordStream, session: Session, options: LoadOptions, run: RunContext) {
    self.stream = stream
    connection = session.connection
    partitions = session.partitions
    partitions.wait = run.lockWait
    cache = session.cache
    self.options = options
    self.run = run
    ledger = Ledger(connection: connection)
  }

  /// - Parameter files: in the order given, no two with the same identity.
  /// - Returns: the outcome of each file; nil: the files must be loaded one by one. Nothing of them
  ///   is loaded then, unless the answer to COMMIT was lost; each single load looks that up in the
  ///   ledger.
  func load(_ files: [SmallFile]) -> [FileLoad.Outcome]? {
    partitions.watch([connection], by: run.interruption, worker: run.worker)
    defer { run.interruption.watch([], worker: run.worker) }
    do {
      try connection.begin()
      let (loaded, transactionID) = try loadInTransaction(files)
      try run.interruption.check()
      FaultPoint.beforeCommit.reached()
      do { try connection.commit() } catch let error as PostgresError where error.isConnectionLost {
        let outcome = CommitOutcome(target: run.target, interruption: run.interruption)
        guard try outcome.isLoaded(identity(of: files[0]), loadID: run.loadID, by: transactionID)
        else { throw error }
      }
      FaultPoint.afterCommit.reached()
      run.fieldHistory.note(loaded.flatMap(\.newFields), of: stream)
      return loaded.map { .loaded($0) }
    } catch {
      // The file that caused the failure is loaded again by itself, and that load reports the
      // failure.
      connection.rollback()
      return nil
    }
  }

  private func loadInTransaction(
    _ files: [SmallFile]
  ) throws -> (files: [FileLoad.Loaded], transactionID: String) {
    let locks = Locks(connection: connection, wait: run.lockWait)
    // A single load locks its file first and the stream second. A group does the reverse, so that
    // it does not hold many file locks while it waits for the stream. It does not wait for the file
    // locks, so loaders cannot deadlock.
    try locks.holdStreams(of: stream)
    let byteCounts = Set(files.map(\.bytes.count))
    guard try locks.tryFiles(ofStream: stream.name, byteCounts: byteCounts) else {
      throw NeedsSingleLoads()
    }
    // The worker has checked this before, but another loader may have loaded one of the files
    // since.
    let earlier = try ledger.earlierLoads(
      ofStream: stream.name, appID: options.appID, observedAt: options.observedAt,
      digests: files.map(\.sha256), paths: files.map(\.canonicalPath))
    guard earlier.allSatisfy({ $0.allowsLoad(options) }) else { throw NeedsSingleLoads() }
    try partitions.lookUp(stream, on: connection)

    let erasedUsers = try cache.erasedUsers(ledger, key: options.erasureKey)
    var rules = options.rules(startOfRun: run.startedAt)
    rules.rowDigestKey = try cache.rowDigestKey(ledger)
    let numbers = try ledger.open(
      files.map(\.input.path), stream: stream.name, loadID: run.loadID, options: options,
      rules: rules)
    let sender = RowSender(
      connection: connection, partitions: partitions, stream: stream, sourceFileIDs: numbers)
    let group = try decode(
      Array(zip(files, numbers)), rules: rules, erasedUsers: erasedUsers,
      sender: sender)
    for totals in group.totals where options.rejectLimit.refuses(totals) {
      throw NeedsSingleLoads()
    }
    try sender.send(group.batch, rejects: group.rejects)
    try sender.finish()

    let results = zip(zip(files, numbers), group.totals).map { file, totals in
      fileResult(of: file.0, number: file.1, totals: totals, sender: sender)
    }
    let inserted = results.map { $0.counts.inserted - $0.mergedCounts.inserted }.reduce(0, +)
    guard inserted == sender.insertedCount else { throw NeedsSingleLoads() }
    let embedded = results.compactMap(\.embedded)
    let insertedRecords = embedded.map { $0.counts.inserted - $0.mergedCounts.inserted }
    guard insertedRecords.reduce(0, +) == sender.embedded?.insertedCount ?? 0 else {
      throw NeedsSingleLoads()
    }
    let newFields = try newFields(in: group)
    let transactionID = try ledger.close(results, stream: stream.name)
    let loaded = zip(results, zip(group.rejects, newFields)).map { result, findings in
      var rejects = RejectSample()
      rejects.note(Array(findings.0))
      return FileLoad.Loaded(
        totals: result.totals, counts: result.counts, embedded: result.embedded?.counts,
        rejects: rejects, newFields: findings.1)
    }
    return (loaded, transactionID)
  }

  /// For each file, the field names that neither the database nor an earlier file of the group has.
  private func newFields(in group: FileGroup) throws -> [[String]] {
    var seen: Set<[UInt8]> = []
    return try group.totals.map { totals in
      try options.newFields(
        totals.unknownFields, of: stream, history: run.fieldHistory, on: connection
      )
      .filter { seen.insert(Array($0.utf8)).inserted }
    }
  }

  private func decode(
    _ files: [(file: SmallFile, sourceFileID: Int64)], rules: NormalizationRules,
    erasedUsers: ErasedUsers?, sender: RowSender
  ) throws -> FileGroup {
    let byteCount = files.map(\.file.bytes.count).reduce(0, +)
    return try FileGroup(
      files, stream: stream, rules: rules, erasedUsers: erasedUsers,
      routing: try sender.routingStart(memory: options.keyMemory(forBytes: byteCount)))
  }

  /// The counts of one file of the group.
  private func fileResult(
    of file: SmallFile, number: Int64, totals: FileTotals, sender: RowSender
  ) -> Ledger.FileResult {
    var counts = sender.counts(of: number, rowCount: totals.rowCount)
    counts.suppressed = totals.suppressedCount
    return Ledger.FileResult(
      sourceFileID: number, path: file.input.path, canonicalPath: file.canonicalPath,
      totals: totals, counts: counts, mergedCounts: sender.mergedCounts(of: number),
      embedded: sender.embeddedResult(
        of: number, rowCount: totals.embeddedRowCount, isOnlyFile: false))
  }

  private func identity(of file: SmallFile) -> FileIdentity {
    FileIdentity(
      stream: stream.name, appID: options.appID, observedAt: options.observedAt,
      sha256: file.sha256, path: file.canonicalPath)
  }
}
