internal import Logging
internal import Postgres
internal import RecordPipeline

/// Takes one lane after another from the queue and loads its files, on one thread and in one
/// session.
final class LoadWorker: Sendable {
  private let queue: FileQueue
  private let run: RunContext
  private var options: LoadOptions { run.options }
  private var logger: Logger { run.logger }

  init(_ queue: FileQueue, run: RunContext) {
    self.queue = queue
    self.run = run
  }

  /// Opens a session and works with it; if that fails, the other workers load the files.
  func work() {
    do throws(LoadError) {
      work(with: try Session(run.target, isDryRun: options.isDryRun))
    } catch {
      logger.notice("continuing with fewer jobs: \(printable(error.message))")
    }
  }

  func work(with session: Session) {
    while queue.goesOn, let places = queue.nextLane() {
      load(places, session: session)
      if options.isDryRun { continue }
      let changedStreams = Set(places.compactMap(queue.report(of:)).flatMap(\.changedStreams))
      for stream in changedStreams.sorted() { renewStatistics(of: stream, session: session) }
    }
  }

  // MARK: - Files of a lane

  /// - Parameter places: the files of one lane, in the order given.
  private func load(_ places: [Int], session: Session) {
    var rest = places[...]
    while queue.goesOn, let first = rest.first {
      guard let stream = StreamCatalog.stream(named: queue.inputs[first].stream) else {
        preconditionFailure("an input's stream is one of the catalog")
      }
      // In a group the files would see each other's rows.
      let sameStream = rest.lazy.map { self.queue.inputs[$0] }.prefix { $0.stream == stream.name }
      let ahead = options.isDryRun ? [] : Self.readAhead(sameStream)
      if ahead.count > 1 {
        load(ahead, at: rest.prefix(ahead.count), stream: stream, session: session)
        rest = rest.dropFirst(ahead.count)
      } else {
        load(first, stream: stream, session: session)
        rest = rest.dropFirst()
      }
    }
  }

  /// The size up to which a file counts as small, in bytes, both on disk and decoded.
  private static let smallFileBytes = 64 * 1024
  /// Once the files have this many bytes together, no further file joins them.
  ///
  /// This bounds both the memory and the transaction.
  private static let groupBytes = 1024 * 1024
  /// The most files in one transaction.
  ///
  /// One file that must be loaded by itself rolls all of them back.
  private static let groupSize = 200

  /// Reads the small files at the start of a stream's remaining files into memory, up to the first
  /// file that is not small.
  ///
  /// They are read before the first of them is loaded, so that one query can look all of them up in
  /// the ledger.
  private static func readAhead(_ inputs: some Sequence<Input>) -> [SmallFile] {
    var files: [SmallFile] = []
    var identities: Set<[[UInt8]]> = []
    var byteCount = 0
    for input in inputs {
      guard files.count < groupSize, byteCount < groupBytes,
        let file = SmallFile.read(input, largestSize: smallFileBytes),
        // The second of two files with the same identity ends the group, so that it finds the first
        // one in the ledger.
        identities.insert(
          [file.sha256] + (file.hasRecord ? [] : [Array(file.canonicalPath.utf8)])
        ).inserted
      else { break }
      files.append(file)
      byteCount += file.bytes.count
    }
    return files
  }

  /// Loads small files that are already in memory, together if none of them fails.
  private func load(
    _ files: [SmallFile], at places: ArraySlice<Int>, stream: RecordStream, session: Session
  ) {
    let clock = ReportClock()
    let reports =
      (try? session.renew()).flatMap { _ in
        FileLoad(files[0].input, stream: stream, session: session, run: run)
          .load(files)
      }
    if let reports {
      for (place, report) in zip(places, reports) { note(report, of: place, since: clock) }
    } else {
      for place in places where queue.goesOn { load(place, stream: stream, session: session) }
    }
  }

  // MARK: - One file

  private func load(_ place: Int, stream: RecordStream, session: Session) {
    let clock = ReportClock()
    let input = queue.inputs[place]
    var last: FileLoad?
    do throws(LoadError) {
      let report = try options.retries(
        logger: logger, interruption: run.interruption, canRepeat: { _ in last?.canRepeat ?? true }
      ) { () throws(LoadError) in
        try session.renew()
        if last != nil { try session.prepareRetry(checking: run.interruption) }
        let load = FileLoad(input, stream: stream, session: session, run: run)
        last = load
        return try load.load(input)
      }
      note(report, of: place, since: clock)
    } catch {
      let failure = last?.failureReport ?? FailureReport(input)
      logger.error("\(printable(input.path)): \(printable(error.message))")
      FaultPoint.rolledBack.reached()
      // An interrupted file has not failed, and the user knows of the interruption.
      if !run.interruption.isRequested, !options.isDryRun {
        recordFailure(failure, error: error, session: session)
      }
      note(FileReport(input, error, failure), of: place, since: clock, error: error)
    }
  }

  /// - Parameters:
  ///   - clock: started when the load of the file, alone or in a group, began.
  ///   - error: that of a failed file.
  private func note(
    _ report: FileReport, of place: Int, since clock: ReportClock, error: LoadError? = nil
  ) {
    var report = report
    report.take(clock)
    let input = queue.inputs[place]
    run.progress.finishFile(
      bytes: input.sizeOnDisk, lines: report.read?.lines ?? report.lines)
    let code = report.hasFindings ? ExitCode.loadedWithFindings : .success
    queue.note(report, code: error?.exitCode ?? code, of: place)
    if let error, error.endsRun {
      queue.stop(because: "the run stopped at \(input.path)", isBroken: true)
    } else if error != nil, options.failFast {
      queue.stop(because: "--fail-fast stopped the run at \(input.path)")
    }
    input.object?.discard()
  }

  private func recordFailure(_ failure: FailureReport, error: LoadError, session: Session) {
    do {
      // On a standby the file has been retried already, so its failure is not.
      try options.retries.throughContention(
        during: "recording the failure", interruption: run.interruption, awaitsPromotion: false
      ) {
        try session.transaction {
          try Ledger(connection: $0).record(
            failure, error, loadID: run.loadID, options: options)
          FaultPoint.failureRecorded.reached()
        }
      }
    } catch {
      logger.warning(
        "the failure could not be recorded in ingest.failed_file: \(printable("\(error)"))")
    }
  }

  // MARK: - Statistics

  /// Refreshes the planner's statistics of a stream's tables when a load has made them outdated.
  ///
  /// A failure is logged, because the rows are loaded already.
  private func renewStatistics(of stream: String, session: Session) {
    guard !run.interruption.isRequested else { return }
    run.interruption.watch([session.connection], worker: run.worker)
    defer { run.interruption.watch([], worker: run.worker) }
    do {
      try session.transaction { connection in
        try connection.query("select ingest.analyze_if_grown($1)", [.text(stream)])
      }
    } catch {
      guard !run.interruption.isRequested else { return }
      logger.warning(
        "the planner's statistics of \(stream) could not be refreshed: \(printable("\(error)"))")
    }
  }
}

/// The facts about a run that the load of a file needs.
struct RunContext: Sendable {
  let loadID: Int
  /// Epoch milliseconds, by the server's clock.
  let startedAt: Int64
  /// With the settings of the database.
  let options: LoadOptions
  let target: ConnectionTarget
  let logger: Logger
  let interruption: Interruption
  /// The number of the worker that loads the file, from 0.
  let worker: Int
  let progress: LoadProgress.Worker
}
