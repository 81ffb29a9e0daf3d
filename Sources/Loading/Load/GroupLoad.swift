internal import Postgres
internal import RecordPipeline

/// The load of several small files of one stream in one transaction, from the lock to the commit.
///
/// The files share round trips, lookups and the WAL flush of the commit. This is a fast path for
/// files that load without a failure. In any other case the transaction is rolled back, and the
/// caller loads each file by itself.
final class GroupLoad {
  private let stream: RecordStream
  private let options: LoadOptions
  private let transaction: LoadTransaction

  /// Thrown when the files must be loaded one by one.
  private struct NeedsSingleLoads: Error {}

  init(stream: RecordStream, session: Session, options: LoadOptions, run: RunContext) {
    self.stream = stream
    self.options = options
    transaction = LoadTransaction(stream: stream, session: session, options: options, run: run)
  }

  /// - Parameter files: in the order given, no two with the same identity.
  /// - Returns: the outcome of each file; nil: the files must be loaded one by one. Nothing of them
  ///   is loaded then, unless the answer to COMMIT was lost; each single load looks that up in the
  ///   ledger.
  func load(_ files: [SmallFile]) -> [FileLoad.Outcome]? {
    transaction.watch()
    defer { transaction.unwatch() }
    do {
      try transaction.begin()
      return try loadInTransaction(files).map { .loaded($0) }
    } catch {
      // The file that caused the failure is loaded again by itself, and that load reports the
      // failure.
      transaction.rollback()
      return nil
    }
  }

  private func loadInTransaction(_ files: [SmallFile]) throws -> [FileLoad.Loaded] {
    let locks = transaction.locks
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
    let earlier = try transaction.ledger.earlierLoads(
      ofStream: stream.name, appID: options.appID, observedAt: options.observedAt,
      digests: files.map(\.sha256), paths: files.map(\.canonicalPath), options: options)
    guard earlier.allSatisfy({ $0.allowsLoad(options) }) else { throw NeedsSingleLoads() }
    let opened = try transaction.open(files.map(\.input.path))
    let sender = opened.sender
    let group = try decode(files, opened)
    for totals in group.totals where options.rejectLimit.verdict(on: totals) != .loads {
      throw NeedsSingleLoads()
    }
    try sender.send(group.batch, rejects: group.rejects)
    try sender.finish()

    let results = zip(zip(files, opened.sourceFileIDs), group.totals).map { file, totals in
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
    let vanished = try transaction.commit(
      results, newFields: newFields.flatMap(\.self),
      identity: transaction.identity(
        sha256: files[0].sha256, canonicalPath: files[0].canonicalPath))
    return results.indices.map { index in
      let result = results[index]
      var rejects = RejectSample()
      rejects.note(Array(group.rejects[index]))
      return FileLoad.Loaded(
        totals: result.totals, counts: result.counts, embedded: result.embedded?.counts,
        rejects: rejects, newFields: newFields[index], vanishedFields: vanished[index])
    }
  }

  /// For each file, the field names that neither the database nor an earlier file of the group has.
  private func newFields(in group: FileGroup) throws -> [[String]] {
    var seen: Set<[UInt8]> = []
    return try group.totals.map { totals in
      try transaction.newFields(of: totals).filter { seen.insert(Array($0.utf8)).inserted }
    }
  }

  private func decode(_ files: [SmallFile], _ opened: LoadTransaction.Opened) throws -> FileGroup {
    let byteCount = files.map(\.bytes.count).reduce(0, +)
    return try FileGroup(
      Array(zip(files, opened.sourceFileIDs)), stream: stream, rules: opened.rules,
      erasedUsers: opened.erasedUsers,
      routing: try opened.sender.routingStart(memory: options.keyMemory(forBytes: byteCount)))
  }

  /// The counts of one file of the group.
  private func fileResult(
    of file: SmallFile, number: Int64, totals: FileTotals, sender: RowSender
  ) -> Ledger.FileResult {
    var counts = sender.counts(of: number, rowCount: totals.rowCount)
    counts.suppressed = totals.suppressedCount
    return Ledger.FileResult(
      sourceFileID: number, path: file.input.path, canonicalPath: file.canonicalPath,
      askedOn: file.input.askedOn, totals: totals, counts: counts,
      mergedCounts: sender.mergedCounts(of: number),
      embedded: sender.embeddedResult(
        of: number, rowCount: totals.embeddedRowCount, isOnlyFile: false))
  }
}
