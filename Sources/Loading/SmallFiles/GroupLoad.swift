internal import Postgres
internal import RecordPipeline

/// Small files of one stream, from the lock to the commit: together, in one transaction.
///
/// What costs a round trip, a look-up or a flush of the log for a file is paid once for all of them.
/// It is a shortcut for files about which nothing is to be said but their counts. Whenever there is,
/// the transaction is rolled back, and each file is loaded by itself.
final class GroupLoad {
  private let stream: RecordStream
  private let connection: Connection
  private let partitions: Partitions
  private let lookUps: LookUps
  private let options: LoadOptions
  private let run: FileLoad.Run
  private let ledger: Ledger

  /// Thrown where the files have to be loaded one by one.
  private struct NotPlain: Error {}

  init(stream: RecordStream, session: Session, options: LoadOptions, run: FileLoad.Run) {
    self.stream = stream
    connection = session.connection
    partitions = session.partitions
    lookUps = session.lookUps
    self.options = options
    self.run = run
    ledger = Ledger(connection: connection)
  }

  /// - Parameter files: with different bytes, in their order.
  /// - Returns: what became of each; nil: nothing was done, and they have to be loaded one by one.
  func load(_ files: [SmallFile]) -> [FileLoad.Outcome]? {
    partitions.watch([connection], by: run.interruption, lane: run.lane)
    defer { run.interruption.watch([], lane: run.lane) }
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
      // What went wrong is told by the file that it goes wrong with.
      connection.rollback()
      return nil
    }
  }

  private func loadInTransaction(
    _ files: [SmallFile]
  ) throws -> (files: [FileLoad.Loaded], transactionID: String) {
    let locks = Locks(connection: connection)
    // The other way round than for a single file: so many locks must not be held while another load has
    // the stream for long. The files' are only tried, so no two loaders wait for each other in a circle.
    try locks.holdStream(stream.name)
    let byteCounts = Set(files.map(\.bytes.count))
    guard try locks.tryFiles(ofStream: stream.name, byteCounts: byteCounts) else {
      throw NotPlain()
    }
    // Behind the lock once more: another loader may have been faster.
    let earlier = try ledger.earlierLoads(
      ofStream: stream.name, appID: options.appID, observedAt: options.observedAt,
      digests: files.map(\.sha256))
    guard earlier.allSatisfy({ options.allowsLoad(after: $0) }) else { throw NotPlain() }
    if stream.isPartitionedByMonth { try partitions.lookUp(stream, on: connection) }

    let erasedUsers = try lookUps.erasedUsers(ledger, key: options.erasureKey)
    var rules = options.rules(startOfRun: run.startedAt)
    rules.rowDigestKey = try lookUps.rowDigestKey(ledger)
    let numbers = try ledger.open(
      files.map(\.input.path), stream: stream.name, loadID: run.loadID, options: options,
      rules: rules)
    let sending = RowSending(
      connection: connection, partitions: partitions, stream: stream, sourceFileIDs: numbers)
    let group = try decode(
      Array(zip(files, numbers)), rules: rules, erasedUsers: erasedUsers,
      largestKnownKey: try sending.largestStoredKey())
    for totals in group.totals where options.rejectLimit.refuses(totals) { throw NotPlain() }
    try sending.send(group.batch, rejects: group.rejects)
    try sending.finish()

    let closings = zip(zip(files, numbers), group.totals).map { file, totals in
      closing(file.0, number: file.1, totals: totals, sending: sending)
    }
    let inserted = closings.map { $0.counts.inserted - $0.mergedCounts.inserted }.reduce(0, +)
    guard inserted == sending.insertedCount else { throw NotPlain() }
    let newFields = try newFields(in: group)
    let transactionID = try ledger.close(closings, stream: stream.name)
    let loaded = zip(closings, zip(group.rejects, newFields)).map { closing, told in
      var rejects = RejectSample()
      rejects.note(Array(told.0))
      return FileLoad.Loaded(
        totals: closing.totals, counts: closing.counts, rejects: rejects, newFields: told.1)
    }
    return (loaded, transactionID)
  }

  /// Of each file, field names that the stream had not had in the database before it.
  private func newFields(in group: FileGroup) throws -> [[String]] {
    var told: Set<[UInt8]> = []
    return try group.totals.map { totals in
      try options.newFields(totals.unknownFields, of: stream, run, connection)
        .filter { told.insert(Array($0.utf8)).inserted }
    }
  }

  private func decode(
    _ files: [(file: SmallFile, sourceFileID: Int64)], rules: NormalizationRules,
    erasedUsers: ErasedUsers?, largestKnownKey: [UInt8]?
  ) throws -> FileGroup {
    let byteCount = files.map(\.file.bytes.count).reduce(0, +)
    return try FileGroup(
      files, stream: stream, rules: rules, erasedUsers: erasedUsers,
      routing: RoutingStart(
        largestKnownKey: largestKnownKey, memory: options.keyMemory(forBytes: byteCount),
        seed: UInt64.random(in: .min ... .max)))
  }

  /// What became of a file's rows: those of which nothing else is known were added as they came.
  private func closing(
    _ file: SmallFile, number: Int64, totals: FileTotals, sending: RowSending
  ) -> Ledger.Closing {
    let settled = sending.settled[number] ?? RowSending.SettledCounts()
    var counts = settled.merged
    counts.inserted += totals.rowCount - settled.duplicates - settled.merged.total
    counts.duplicates += settled.duplicates
    counts.suppressed = totals.suppressedCount
    return Ledger.Closing(
      sourceFileID: number, path: file.input.path, totals: totals, counts: counts,
      mergedCounts: settled.merged)
  }

  private func identity(of file: SmallFile) -> FileIdentity {
    FileIdentity(
      stream: stream.name, appID: options.appID, observedAt: options.observedAt,
      sha256: file.sha256)
  }
}
