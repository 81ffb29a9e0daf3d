internal import Postgres
internal import RecordPipeline
internal import SHA256

/// The load of one file, from its first byte to the commit; the methods follow in the order of the
/// work.
///
/// Rows, rejects, conflicts, fills, counts and the ledger entry become visible in one transaction.
/// A failure at any point leaves nothing of the file.
final class FileLoad {
  private let input: Input
  private let stream: RecordStream
  private let options: LoadOptions
  private let run: RunContext
  private let transaction: LoadTransaction

  /// The result of a loaded file, for the report.
  struct Loaded {
    let totals: FileTotals
    let counts: OutcomeCounts
    /// The outcomes of the records within its lines; nil when the stream embeds no other one.
    let embedded: OutcomeCounts?
    let rejects: RejectSample
    /// Field names that the stream did not have in the database before this file.
    let newFields: [String]
    /// Columns that the files before had, and this one has not.
    let vanishedFields: [String]
  }

  enum Outcome {
    case loaded(Loaded)
    case alreadyLoaded(EarlierEntry, sha256: [UInt8])
    /// The bytes were undone, and are left alone.
    case undone(EarlierEntry, sha256: [UInt8])
  }

  /// The failure report so far.
  private(set) var failureReport: FailureReport
  /// False once the load waits for bytes of an input that cannot be read twice.
  private(set) var canRepeat = true
  /// True when only the digest at the end of the file shows whether its bytes are loaded already.
  private var isDigestPending = false
  /// True once it is known that the stream's table is spread over servers.
  private var isDistributed = false
  /// True once the reject limit is passed and the file is read on only for its digest.
  private var isLimitPassed = false

  init(
    _ input: Input, stream: RecordStream, session: Session, options: LoadOptions, run: RunContext
  ) {
    self.input = input
    self.stream = stream
    self.options = options
    self.run = run
    transaction = LoadTransaction(stream: stream, session: session, options: options, run: run)
    failureReport = FailureReport(input)
  }

  /// - Throws: `LoadError`, after the transaction was rolled back.
  func load() throws(LoadError) -> Outcome {
    do {
      return try run.interruption.explainingFailure(loadFile)
    } catch {
      transaction.rollback()
      throw failure(error)
    }
  }

  /// On a cluster, a commit that a crash interrupted hides its rows and months until it is finished.
  ///
  /// Until then the server refuses their keys as repeated, and rows of the months by an internal
  /// error.
  private func failure(_ error: any Error) -> LoadError {
    guard isDistributed, let error = error as? PostgresError,
      error.kind == .internalError || error.sqlState == .uniqueViolation
    else { return LoadError(wrapping: error, during: transaction.stage) }
    return LoadError(
      .temporary, "\(transaction.stage): \(error). \(LoadError.loadAgain)", isTransient: true,
      detail: error.sqlState.map { ["sqlstate": $0.rawValue] } ?? [:])
  }

  private func loadFile() throws -> Outcome {
    try run.interruption.check()
    let file = try InputFile(input)
    // A load must not hold locks while it waits for the first byte.
    if file.isStreamed { try file.waitUntilReadable(checking: run.interruption.check) }
    canRepeat = !file.isReadOnce
    // Some archives do not state their decoded length. They are read once more, to count it.
    var known = KnownBytes()
    if file.size != nil {
      let compression = try DecodedSource(file).compression()
      known.count = file.claimedLength(compression)
      known.isCountCertain = compression == .none
      try file.rewind()
      // A large object is not read twice to learn this.
      if known.count == nil, !file.isStreamed { known = try digest(of: file) }
    }
    transaction.watch()
    defer { transaction.unwatch() }
    return try loadInTransaction(file, known: known)
  }

  /// The facts known about a file's decoded bytes before its rows are encoded.
  private struct KnownBytes {
    /// The length that the file claims; an archive's claim can be wrong.
    var count: Int?
    var isCountCertain = false
    var sha256: [UInt8]?
  }

  /// Reads the file once for its digest and length.
  private func digest(of file: InputFile) throws -> KnownBytes {
    transaction.stage = "reading the file"
    let (sha256, byteCount) = try SHA256.digest(
      of: DecodedSource(file), checking: run.interruption.check)
    try file.checkUnchanged()
    try file.rewind()
    failureReport.sha256 = sha256
    failureReport.byteCount = byteCount
    return KnownBytes(count: byteCount, isCountCertain: true, sha256: sha256)
  }

  private func loadInTransaction(_ file: InputFile, known: KnownBytes) throws -> Outcome {
    transaction.stage = "locking the file"
    try transaction.begin()
    var known = known
    if let byteCount = known.count {
      try transaction.locks.holdFile(
        ofStream: stream.name, byteCount: byteCount, interruption: run.interruption)
      if let outcome = try knownOutcome(of: file, &known) { return outcome }
    }
    transaction.stage = "waiting for other loads of the stream"
    try transaction.locks.holdStreams(of: stream)

    // Another loader may have loaded the same bytes while this one waited, from an archive that
    // claims another length and so has another file lock.
    if let outcome = try knownOutcome(of: file, &known) { return outcome }
    let opened = try transaction.open([input.path])
    let (sourceFileID, sender) = (opened.sourceFileIDs[0], opened.sender)
    // An archive can claim a wrong length, and a pipe claims none. The digest at the end then shows
    // whether the bytes are loaded already. To loaded bytes the reject limit does not apply, so the
    // end of such a file decides.
    isDigestPending = known.sha256 == nil && !known.isCountCertain
    let totals = try sendRows(
      of: file,
      pipeline: Pipeline(
        stream: stream, rules: opened.rules, sourceFileID: sourceFileID,
        erasedUsers: opened.erasedUsers),
      keyMemory: options.keyMemory(forBytes: known.count), to: sender)
    var counts = sender.counts
    counts.suppressed = totals.suppressedCount

    transaction.stage = "checking the file"
    try file.checkUnchanged()
    if let sha256 = known.sha256, sha256 != totals.sha256 {
      throw ReadError(
        .changed, "changed while it was read; load it again when its writer has finished")
    }
    let identity = identity(totals.sha256)
    if known.sha256 == nil, let outcome = try knownOutcome(of: identity) { return outcome }
    let check = RejectLimitCheck(failureReport, stream: stream, options: options, run: run)
    if let error = check.error(totals) { throw error }

    let newFields = try transaction.newFields(of: totals)
    let embedded = sender.embeddedResult(
      of: sourceFileID, rowCount: totals.embeddedRowCount, isOnlyFile: true)
    let result = Ledger.FileResult(
      sourceFileID: sourceFileID, path: input.path, canonicalPath: canonicalPath,
      askedOn: input.askedOn, totals: totals, counts: counts, mergedCounts: sender.mergedCounts,
      embedded: embedded)
    let vanished = try transaction.commit([result], newFields: newFields, identity: identity)
    return .loaded(
      Loaded(
        totals: totals, counts: counts, embedded: embedded?.counts, rejects: failureReport.sample,
        newFields: newFields, vanishedFields: vanished[0]))
  }

  /// The outcome of bytes that the ledger has, as far as this is known before the file is read; nil:
  /// they are to be loaded.
  ///
  /// The file is read for its digest only when a loaded file has the same length, so most new files
  /// are not.
  private func knownOutcome(of file: InputFile, _ known: inout KnownBytes) throws -> Outcome? {
    guard let byteCount = known.count,
      try transaction.ledger.hasFile(
        ofStream: stream.name, byteCount: byteCount, includesUndone: options.isNight)
    else { return nil }
    if known.sha256 == nil { known = try digest(of: file) }
    return try known.sha256.flatMap { try knownOutcome(of: identity($0)) }
  }

  /// - Throws: `LoadError` when the same bytes were loaded with other options and `--reload-as` is
  ///   not given.
  private func knownOutcome(of identity: FileIdentity) throws -> Outcome? {
    switch try transaction.ledger.earlierLoad(of: identity, options: options) {
    case .none: return nil
    case .same(let earlier): return try alreadyLoaded(earlier, identity.sha256)
    case .undone(let earlier):
      transaction.rollback()
      return .undone(earlier, sha256: identity.sha256)
    case .otherwise(let earlier):
      if options.reloadsUnderNewOptions { return nil }
      failureReport.sha256 = identity.sha256
      throw earlier.refusal(under: options)
    }
  }

  /// Rolls the load back, and deletes the file's failure reports.
  ///
  /// A report is outdated when another loader has loaded the file since, or its bytes under another
  /// name.
  private func alreadyLoaded(_ earlier: EarlierEntry, _ sha256: [UInt8]) throws -> Outcome {
    transaction.rollback()
    if !options.isDryRun {
      try transaction.connection.transaction {
        try transaction.ledger.clearFailures(
          path: input.path, canonicalPath: canonicalPath, stream: stream.name, sha256: sha256)
      }
    }
    return .alreadyLoaded(earlier, sha256: sha256)
  }

  /// Decodes the file on a thread of its own and sends its rows on this thread, until the file
  /// ends.
  private func sendRows(
    of file: InputFile, pipeline: Pipeline, keyMemory: Int, to sender: RowSender
  ) throws -> FileTotals {
    let routing = try sender.routingStart(memory: keyMemory)
    isDistributed = sender.isStaged
    let decoder = try DecodeThread(
      pipeline, source: DecodedSource(file), routing: routing, progress: run.progress)
    defer { decoder.stop() }
    while true {
      try run.interruption.check()
      switch try decoder.next(checking: run.interruption.check) {
      case .batch(let batch):
        failureReport.note(batch)
        // A file that ends in the middle of a line fails for that, whatever its other lines are.
        if options.rejectLimit.hasFailed(rejected: failureReport.rejectedCount),
          !failureReport.sample.looksTruncated
        {
          guard isDigestPending else {
            throw RejectLimitCheck(failureReport, stream: stream, options: options, run: run)
              .errorSoFar
          }
          isLimitPassed = true
        }
        if !isLimitPassed { try sender.send(batch) }
      case .finished(let totals):
        failureReport.sha256 = totals.sha256
        failureReport.byteCount = totals.byteCount
        failureReport.lineCount = totals.lineCount
        if !isLimitPassed { try sender.finish() }
        return totals
      case .failed(let error):
        throw error
      }
    }
  }

  private var canonicalPath: String { failureReport.canonicalPath }

  private func identity(_ sha256: [UInt8]) -> FileIdentity {
    transaction.identity(sha256: sha256, canonicalPath: canonicalPath)
  }
}
