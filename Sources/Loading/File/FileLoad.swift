internal import Postgres
internal import RecordPipeline

/// One file, from its first byte to the commit.
///
/// Reads top to bottom.
///
/// Everything that becomes visible does so in one transaction: rows, rejects, conflicts, fills,
/// counts and the ledger's entry. Whatever goes wrong on the way leaves nothing of the file.
final class FileLoad {
  private let input: Input
  private let stream: RecordStream
  private let connection: Connection
  private let partitions: Partitions
  private let lookUps: LookUps
  private let options: LoadOptions
  private let run: Run
  private let ledger: Ledger
  private let transaction: FileTransaction

  /// What is known of the run by the time its files are loaded.
  struct Run: Sendable {
    let loadID: Int
    /// Epoch milliseconds, by the server's clock.
    let startedAt: Int64
    let target: ConnectionTarget
    let interruption: Interruption
    /// Which of the lanes that work side by side this one is.
    let lane: Int
    let progress: LoadProgress.Lane
    let fieldHistory: FieldHistory
  }

  /// What is to be told of a file that has been loaded.
  struct Loaded {
    let totals: FileTotals
    let counts: OutcomeCounts
    let rejects: RejectSample
    /// Field names that the stream had not had in the database before this file.
    let newFields: [String]
  }

  enum Outcome {
    case loaded(Loaded)
    case alreadyLoaded(sha256: [UInt8])
  }

  /// What would be told of the file if it failed now.
  private(set) var story: FailedFile
  /// False once bytes have been taken from a source that gives them only once.
  private(set) var canRepeat = true
  private var stage = "opening the file"
  /// True when only the file's end tells whether its bytes have been loaded before.
  private var isIdentityOpen = false
  /// True once the reject limit has been passed and the file is only read on to be known.
  private var isPassed = false

  init(
    _ input: Input, stream: RecordStream, session: Session, options: LoadOptions, run: Run
  ) {
    self.input = input
    self.stream = stream
    connection = session.connection
    partitions = session.partitions
    lookUps = session.lookUps
    self.options = options
    self.run = run
    ledger = Ledger(connection: connection)
    transaction = FileTransaction(connection, isDryRun: options.isDryRun)
    story = FailedFile(path: input.path, stream: stream.name, reason: "")
  }

  /// - Throws: `LoadError`; the transaction has been rolled back then.
  func load() throws(LoadError) -> Outcome {
    do {
      return try run.interruption.explainingFailure(loadFile)
    } catch {
      transaction.rollback()
      throw LoadError(wrapping: error, during: stage)
    }
  }

  private func loadFile() throws -> Outcome {
    try run.interruption.check()
    let file = try InputFile(input, options: options.reading)
    defer { run.progress.finishFile(bytes: file.size ?? 0) }
    // A pipe locks nothing before it gives any bytes.
    if file.size == nil {
      try file.waitUntilReadable(checking: run.interruption.check)
      canRepeat = false
    }
    // Some archives have to be read to know how many bytes they hold.
    var known = KnownBytes()
    if file.size != nil {
      let compression = try DecodedSource(file).compression
      known.count = file.claimedLength(compression)
      known.isCountCertain = compression == .none
      try file.rewind()
      if known.count == nil { known = try digest(of: file) }
    }
    partitions.watch([connection], by: run.interruption, lane: run.lane)
    defer { run.interruption.watch([], lane: run.lane) }
    return try loadInTransaction(file, known: known)
  }

  /// What is known of a file's decoded bytes before its rows are made.
  private struct KnownBytes {
    /// As the file claims; an archive can be wrong.
    var count: Int?
    var isCountCertain = false
    var sha256: [UInt8]?
  }

  /// Reads the file once, only to know it.
  private func digest(of file: InputFile) throws -> KnownBytes {
    stage = "reading the file"
    let (sha256, byteCount) = try RunningDigest.digest(
      of: DecodedSource(file), checking: run.interruption.check)
    try file.checkUnchanged()
    try file.rewind()
    story.sha256 = sha256
    story.byteCount = byteCount
    return KnownBytes(count: byteCount, isCountCertain: true, sha256: sha256)
  }

  private func loadInTransaction(_ file: InputFile, known: KnownBytes) throws -> Outcome {
    stage = "locking the file"
    try transaction.begin()
    let locks = Locks(connection: connection)
    var known = known
    if let byteCount = known.count {
      try locks.holdFile(
        ofStream: stream.name, byteCount: byteCount, waitSeconds: options.lockWaitSeconds,
        interruption: run.interruption)
      if try isLoaded(file, &known) { return try alreadyLoaded(known.sha256 ?? []) }
    }
    stage = "waiting for other loads of the stream"
    try locks.holdStream(stream.name)

    // Whoever had the stream may have loaded the same bytes, from an archive that claims another length.
    if try isLoaded(file, &known) { return try alreadyLoaded(known.sha256 ?? []) }
    if stream.isPartitionedByMonth { try partitions.lookUp(stream, on: connection) }

    stage = "looking for erased users"
    let erasedUsers = try lookUps.erasedUsers(ledger, key: options.erasureKey)

    stage = "loading rows"
    var rules = options.rules(startOfRun: run.startedAt)
    rules.rowDigestKey = try lookUps.rowDigestKey(ledger)
    let sourceFileID = try ledger.open(
      [input.path], stream: stream.name, loadID: run.loadID, options: options, rules: rules)[0]
    let sending = RowSending(
      connection: connection, partitions: partitions, stream: stream, sourceFileIDs: [sourceFileID])
    // What an archive or a pipe claims of its length may have been wrong: then only its end tells
    // whether its bytes have been loaded before, and no reject limit counts for those.
    isIdentityOpen = known.sha256 == nil && !known.isCountCertain
    let totals = try sendRows(
      of: file,
      pipeline: Pipeline(
        stream: stream, rules: rules, sourceFileID: sourceFileID, erasedUsers: erasedUsers),
      keyMemory: options.keyMemory(forBytes: known.count), to: sending)
    var counts = sending.counts
    counts.suppressed = totals.suppressedCount

    stage = "checking the file"
    try file.checkUnchanged()
    if let sha256 = known.sha256, sha256 != totals.sha256 {
      throw ReadError(
        .changed, "changed while it was read; load it again when its writer has finished")
    }
    let identity = identity(totals.sha256)
    if known.sha256 == nil, try isLoaded(identity) { return try alreadyLoaded(totals.sha256) }
    let refused = RefusedFile(story, stream: stream, options: options, run: run)
    if let error = refused.error(totals, isPassed: isPassed) { throw error }

    stage = "comparing field names"
    let newFields = try options.newFields(totals.unknownFields, of: stream, run, connection)

    stage = "writing the ledger"
    let closing = Ledger.Closing(
      sourceFileID: sourceFileID, path: input.path, totals: totals, counts: counts,
      mergedCounts: sending.mergedCounts)
    let transactionID = try ledger.close([closing], stream: stream.name)
    try run.interruption.check()
    stage = "committing"
    FaultPoint.beforeCommit.reached()
    do { try transaction.commit() } catch let error as PostgresError
      where error.isConnectionLost && !options.isDryRun
    {
      let outcome = CommitOutcome(target: run.target, interruption: run.interruption)
      guard try outcome.isLoaded(identity, loadID: run.loadID, by: transactionID) else {
        throw error
      }
    }
    FaultPoint.afterCommit.reached()
    run.fieldHistory.note(newFields, of: stream)
    return .loaded(
      Loaded(totals: totals, counts: counts, rejects: story.sample, newFields: newFields))
  }

  /// True when the ledger has the file's bytes, as far as that can be told before its end.
  ///
  /// Only a file of the same length can be the same: most need no reading to be called new.
  private func isLoaded(_ file: InputFile, _ known: inout KnownBytes) throws -> Bool {
    guard let byteCount = known.count,
      try ledger.hasFile(ofStream: stream.name, byteCount: byteCount)
    else { return false }
    if known.sha256 == nil { known = try digest(of: file) }
    guard let sha256 = known.sha256 else { return false }
    return try isLoaded(identity(sha256))
  }

  /// - Throws: when the same bytes were loaded with other options.
  private func isLoaded(_ identity: FileIdentity) throws -> Bool {
    switch try ledger.earlierLoad(of: identity) {
    case .none: return false
    case .same: return true
    case .otherwise(let earlier):
      if options.reloadsUnderNewOptions { return false }
      story.sha256 = identity.sha256
      throw earlier.refusal(under: options)
    }
  }

  /// Leaves everything as it is, but for the story of a failure that is over: another loader may
  /// have loaded the file meanwhile, or its bytes under another name.
  private func alreadyLoaded(_ sha256: [UInt8]) throws -> Outcome {
    transaction.rollback()
    if !options.isDryRun {
      try connection.transaction {
        try ledger.clearFailures(path: input.path, stream: stream.name, sha256: sha256)
      }
    }
    return .alreadyLoaded(sha256: sha256)
  }

  /// Decodes on one thread and sends on this one, until the file ends.
  private func sendRows(
    of file: InputFile, pipeline: Pipeline, keyMemory: Int, to sending: RowSending
  ) throws -> FileTotals {
    let routing = RoutingStart(
      largestKnownKey: try sending.largestStoredKey(), memory: keyMemory,
      seed: UInt64.random(in: .min ... .max))
    let decoding = try DecodeThread(
      pipeline, source: try DecodedSource(file), routing: routing, progress: run.progress)
    defer { decoding.stop() }
    while true {
      try run.interruption.check()
      switch try decoding.next(checking: run.interruption.check) {
      case .batch(let batch):
        story.note(batch)
        if options.rejectLimit.isPassedForGood(rejected: story.rejectedCount) {
          guard isIdentityOpen else {
            throw RefusedFile(story, stream: stream, options: options, run: run).errorSoFar
          }
          isPassed = true
        }
        if !isPassed { try sending.send(batch) }
      case .finished(let totals):
        story.sha256 = totals.sha256
        story.byteCount = totals.byteCount
        story.lineCount = totals.lineCount
        if !isPassed { try sending.finish() }
        return totals
      case .failed(let error):
        throw error
      }
    }
  }

  private func identity(_ sha256: [UInt8]) -> FileIdentity {
    FileIdentity(
      stream: stream.name, appID: options.appID, observedAt: options.observedAt, sha256: sha256)
  }
}
