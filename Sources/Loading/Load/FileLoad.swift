internal import Foundation
internal import Postgres
internal import RecordPipeline

/// The load of one file, or of several small files of one stream, in one transaction; the methods
/// follow in the order of the work.
///
/// Rows, rejects, conflicts, fills, counts and the ledger entries become visible together. A failure
/// at any point leaves nothing of the files, and a dry run rolls back where a load commits.
final class FileLoad {
  private let stream: RecordStream
  private let run: LoadRun
  private let session: Session
  private var options: LoadOptions { run.options }
  private var connection: Connection { session.connection }
  private var ledger: Ledger { Ledger(connection: connection) }

  /// The failure report of a single file so far.
  private(set) var failureReport: FailureReport
  /// False once the load waits for bytes of an input that cannot be read twice.
  private(set) var canRepeat = true
  /// The decoded length of a single file, where it is known before its rows are encoded; as long as the
  /// failure report has no digest, it is the file's claim, and that of an archive can be wrong.
  private var byteCount: Int?
  /// The step in progress, for the message of a failure.
  private var stage = "opening the file"
  /// True once it is known that the stream's table is spread over servers.
  private var isDistributed = false

  /// - Parameter input: the file, or the first of several.
  init(_ input: Input, session: Session, run: LoadRun) {
    stream = input.recordStream
    self.run = run
    self.session = session
    failureReport = FailureReport(input)
  }

  // MARK: - One file

  /// Loads a file.
  ///
  /// - Throws: `LoadError`, after the transaction was rolled back.
  func load(_ input: Input) throws(LoadError) -> FileReport {
    do {
      try run.interruption.check()
      let file = try InputFile(input)
      // A load must not hold locks while it waits for the first byte.
      if file.isStreamed { try file.waitUntilReadable(checking: run.interruption.check) }
      canRepeat = !file.isReadOnce
      byteCount = try file.claimedLength()
      // Some archives do not state their decoded length. They are read once more, to count it, but a
      // large object is not.
      if file.size != nil, byteCount == nil, !file.isStreamed { try readDigest(of: file) }
      session.watch()
      defer { session.unwatch() }
      return try load(file, of: input)
    } catch {
      connection.rollback()
      throw failure(run.interruption.error() ?? error)
    }
  }

  /// Reads the file once for its digest and length.
  private func readDigest(of file: InputFile) throws {
    stage = "reading the file"
    let (sha256, byteCount) = try file.digest(checking: run.interruption.check)
    try file.checkUnchanged()
    try file.rewind()
    self.byteCount = byteCount
    failureReport.sha256 = sha256
    failureReport.read.bytes = byteCount
  }

  private func load(_ file: InputFile, of input: Input) throws -> FileReport {
    if let report = try begin({ [try reportIfKnown(file, of: input)] })[0] { return report }
    let sender = try open([input])
    let digest = failureReport.sha256
    let totals = try sendRows(of: file, to: sender)

    stage = "checking the file"
    try file.checkUnchanged()
    if let digest, digest != totals.sha256 {
      throw ReadError(
        .changed, "changed while it was read; load it again when its writer has finished")
    }
    // An archive can claim a wrong length, and a pipe claims none.
    if digest == nil, let report = try reportIfKnown(totals.sha256, of: input) {
      return report
    }
    let refusal = options.rejectLimit.error(
      of: totals, failureReport.sample, stream: stream, rules: sender.pipeline.rules,
      loading: input.path)
    if let refusal { throw refusal }
    return try commit(
      [
        Ledger.FileResult(
          sourceFileID: sender.sourceFileIDs[0], input: input,
          canonicalPath: failureReport.canonicalPath, totals: totals, rejects: failureReport.sample)
      ], sender)[0]
  }

  /// The report on bytes that the ledger has, as far as this is known before the file is read: it is read
  /// for its digest only when a loaded file has the same length, so most new files are not.
  private func reportIfKnown(_ file: InputFile, of input: Input) throws -> FileReport? {
    guard let byteCount,
      try ledger.hasFile(
        ofStream: stream.name, byteCount: byteCount, includesUndone: options.isNight)
    else { return nil }
    if failureReport.sha256 == nil { try readDigest(of: file) }
    return try failureReport.sha256.flatMap { try reportIfKnown($0, of: input) }
  }

  /// The report on bytes that the ledger has, after the load was rolled back.
  private func reportIfKnown(_ sha256: [UInt8], of input: Input) throws -> FileReport? {
    let file = (sha256: sha256, path: failureReport.canonicalPath)
    guard
      let earlier = try ledger.earlierLoads(of: [file], stream: stream.name, options: options)[0]
    else { return nil }
    connection.rollback()
    // A failure report is outdated when another loader has loaded the file since, or its bytes under
    // another name.
    if !earlier.isUndone, !options.isDryRun {
      try connection.transaction {
        try ledger.clearFailures(
          of: [(stream.name, input.path, file.path, sha256)])
      }
    }
    return report(on: input, earlier, sha256: sha256)
  }

  /// Decodes the file on a thread of its own and sends its rows on this one.
  private func sendRows(of file: InputFile, to sender: RowSender) throws -> FileTotals {
    let routing = try sender.routingStart(memory: options.keyMemory(forBytes: byteCount))
    isDistributed = sender.isStaged
    let decoder = try DecodeThread(
      sender.pipeline, source: file, routing: routing
    ) { [progress = run.progress, worker = session.worker] in
      progress.update(worker, bytes: $0, lines: $1)
    }
    defer { decoder.stop() }
    // Above the reject limit the file is read on for its counts, and for its digest: bytes that are
    // loaded already are no failure.
    var isSent = true
    while true {
      try run.interruption.check()
      switch try decoder.next(checking: run.interruption.check) {
      case .batch(let batch):
        failureReport.note(batch)
        isSent = !options.rejectLimit.hasFailed(rejected: failureReport.read.rejected)
        if isSent { try sender.send(batch) }
      case .finished(let totals):
        failureReport.sha256 = totals.sha256
        failureReport.read.bytes = totals.byteCount
        failureReport.read.lines = totals.lineCount
        if isSent { try sender.finish() }
        return totals
      case .failed(let error):
        throw error
      }
    }
  }

  /// On a cluster, a commit that a crash interrupted hides its rows and months until it is finished: the
  /// server refuses their keys as repeated, and rows of the months by an internal error.
  private func failure(_ error: any Error) -> LoadError {
    guard isDistributed, let error = error as? PostgresError,
      error.kind == .internalError || error.sqlState == .uniqueViolation
    else { return LoadError(wrapping: error, during: stage) }
    return LoadError(
      .temporary, "\(stage): \(error). \(LoadError.loadAgain)", isTransient: true,
      detail: error.sqlState.map { ["sqlstate": $0.rawValue] } ?? [:])
  }

  // MARK: - Several small files

  /// Loads files that share round trips, lookups and the WAL flush of the commit.
  ///
  /// A file whose lines make it fail brings nothing, so the others are loaded as if it were not there. After any
  /// other failure nothing of the files is loaded, unless the answer to COMMIT was lost; each single load looks
  /// that up in the ledger.
  ///
  /// - Parameter files: in the order given, no two with the same identity.
  /// - Returns: the report of each file; nil: the caller loads the file by itself, which reports its failure.
  func load(_ files: [SmallFile]) -> [FileReport?] {
    session.watch()
    defer { session.unwatch() }
    do {
      let earlier = try begin {
        try ledger.earlierLoads(
          of: files.map { ($0.sha256, $0.canonicalPath) }, stream: stream.name, options: options)
      }
      let known = zip(files, earlier).filter { $1.map { !$0.isUndone } ?? false }.map(\.0)
      try ledger.clearFailures(
        of: known.map { (stream.name, $0.input.path, $0.canonicalPath, $0.sha256) })
      let new = zip(files, earlier).filter { $1 == nil }.map(\.0)
      var reports = try loadTogether(new).makeIterator()
      return zip(files, earlier).compactMap { file, earlier in
        earlier.map { report(on: file.input, $0, sha256: file.sha256) } ?? reports.next()
      }
    } catch {
      connection.rollback()
      let refused = (error as? RefusedFiles)?.digests ?? []
      // With --fail-fast, the files behind one that fails are left alone.
      guard !refused.isEmpty, !options.failFast else { return files.map { _ in nil } }
      let others = files.filter { !refused.contains($0.sha256) }
      var reports = (others.isEmpty ? [] : load(others)).makeIterator()
      return files.map { refused.contains($0.sha256) ? nil : reports.next() ?? nil }
    }
  }

  /// The files of a group whose lines make them fail.
  private struct RefusedFiles: Error {
    let digests: Set<[UInt8]>
  }

  /// Loads new files and commits.
  private func loadTogether(_ files: [SmallFile]) throws -> [FileReport] {
    guard !files.isEmpty else {
      try connection.commit()
      return []
    }
    let sender = try open(files.map(\.input))
    let byteCount = files.map(\.bytes.count).reduce(0, +)
    var samples: [Int64: RejectSample] = [:]
    let totals = try sender.pipeline.run(
      zip(files, sender.sourceFileIDs).map { (MemorySource($0.bytes), $1) },
      routing: try sender.routingStart(memory: options.keyMemory(forBytes: byteCount))
    ) { batch in
      for reject in batch.rejects {
        samples[reject.sourceFileID, default: RejectSample()].note([reject])
      }
      try sender.send(batch)
    }
    let refused = totals.filter { options.rejectLimit.refusal(of: $0) != nil }
    guard refused.isEmpty else { throw RefusedFiles(digests: Set(refused.map(\.sha256))) }
    try sender.finish()
    let results = zip(files, zip(sender.sourceFileIDs, totals)).map { file, entry in
      Ledger.FileResult(
        sourceFileID: entry.0, input: file.input, canonicalPath: file.canonicalPath,
        totals: entry.1, rejects: samples[entry.0] ?? RejectSample())
    }
    return try commit(results, sender)
  }

  /// The report of a file whose bytes the ledger has.
  private func report(on input: Input, _ earlier: EarlierEntry, sha256: [UInt8]) -> FileReport {
    let entry = "(file \(earlier.sourceFileID) of load \(earlier.loadID))"
    if earlier.isUndone {
      run.target.warn(
        """
        \(input.path) is left alone, because its bytes were undone \(entry); gamebase-ingest \
        load loads them
        """)
      return FileReport(input, .undone, sha256: sha256)
    }
    // A second run of a night is nothing to tell of; yesterday's file under today's name is.
    if earlier.path != input.path, earlier.canonicalPath != input.canonicalPath {
      run.target.warn(
        "\(input.path) is already loaded as \(earlier.path) \(entry), and brings nothing"
      )
    }
    return FileReport(input, .alreadyLoaded, sha256: sha256, as: earlier.path)
  }

  // MARK: - The transaction

  /// Begins the transaction, and locks the stream unless the ledger has all files.
  ///
  /// - Parameter look: looks the files up in the ledger; nil: a file is to be loaded.
  private func begin<Known>(_ look: () throws -> [Known?]) throws -> [Known?] {
    try connection.begin()
    let known = try look()
    guard known.contains(where: { $0 == nil }) else { return known }
    stage = "waiting for other loads of the stream"
    try connection.holdStreams(of: stream, upTo: options.lockWaitSeconds)
    // Another loader may have loaded the same bytes meanwhile.
    return try look()
  }

  /// Opens ledger entries for files, under the lock of their stream.
  ///
  /// - Returns: the sender of their rows.
  private func open(_ inputs: [Input]) throws -> RowSender {
    try session.lookUpMonths(of: stream)
    stage = "looking for erased users"
    let erasedUsers = try session.erasedUsers(key: options.erasureKey)
    stage = "loading rows"
    let rules = options.rules(startOfRun: run.startedAt)
    // The row of a dry run was rolled back at its start, so each of its transactions has its own.
    let loadID = try options.isDryRun ? ledger.startLoad(options).loadID : run.loadID
    let numbers = try ledger.open(
      inputs.map(\.path), stream: stream.name, loadID: loadID, options: options, rules: rules)
    let pipeline = Pipeline(
      stream: stream, rules: rules, sourceFileID: numbers[0], erasedUsers: erasedUsers)
    return RowSender(pipeline, sourceFileIDs: numbers, session: session)
  }

  /// Writes the results of files to the ledger and commits.
  private func commit(_ files: [Ledger.FileResult], _ sender: RowSender) throws -> [FileReport] {
    stage = "writing the ledger"
    var results = files
    let rows = try sender.outcomes(of: files.map(\.totals.rowCount))
    let records = try sender.embedded?.outcomes(of: files.map(\.totals.embeddedRowCount))
    for place in files.indices {
      (results[place].rows, results[place].embedded) = (rows[place], records?[place])
    }
    let fields = try ledger.close(results, stream: stream, options: options)
    try run.interruption.check()
    stage = "committing"
    FaultPoint.beforeCommit.reached()
    do { try connection.end(isKept: !options.isDryRun) } catch let error as PostgresError
      where error.isConnectionLost && !options.isDryRun
    {
      guard try isCommitted(results[0]) else { throw error }
    }
    FaultPoint.afterCommit.reached()
    return results.map { result in
      let report = FileReport(result, fields)
      if report.lines == report.blank {
        run.target.warn(
          "\(report.path) has no record: it is empty, or has only blank lines")
      }
      return report
    }
  }

  /// The seconds in which a server must answer again; it needs some of them to restart.
  private static let patience = 30.0

  /// Finds out whether a COMMIT succeeded whose answer was lost.
  ///
  /// The server may have committed, may have rolled back, or may still be at work. The lock of the
  /// stream is free only after the end of the transaction, and the ledger then shows the file, or not.
  ///
  /// - Throws: `LoadError` when no server answers in time, or an interruption ends the wait.
  private func isCommitted(_ file: Ledger.FileResult) throws -> Bool {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while true {
      do {
        let connection = try Connection(run.target)
        run.interruption.watch([connection], worker: session.worker)
        return try connection.transaction {
          try connection.holdStreams(of: stream)
          return try Ledger(connection: connection).contains(
            file.sourceFileID, sha256: file.totals.sha256, loadID: run.loadID)
        }
      } catch let error as PostgresError where error.isConnectionLost {
        guard Date() < deadline else {
          throw LoadError(
            .temporary,
            "the connection broke during the commit of the file, and the outcome cannot be found out "
              + "(\(error.message)); run again, a loaded file is skipped")
        }
      }
      try run.interruption.sleep(seconds: 0.3)
    }
  }
}
