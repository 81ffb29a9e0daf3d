internal import Logging
internal import Postgres
internal import RecordPipeline

/// Takes one lane after another from the queue and loads its files, on one thread and in one
/// session.
final class LoadWorker: Sendable {
  private let queue: FileQueue
  private let options: LoadOptions
  private let logger: Logger
  private let run: RunContext

  init(_ queue: FileQueue, options: LoadOptions, logger: Logger, run: RunContext) {
    self.queue = queue
    self.options = options
    self.logger = logger
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
      let changedStreams = load(places, session: session)
      if options.isDryRun { continue }
      for stream in changedStreams.sorted() { renewStatistics(of: stream, session: session) }
    }
  }

  /// - Parameter places: the files of one lane, in the order given.
  /// - Returns: the streams with inserted rows.
  private func load(_ places: [Int], session: Session) -> Set<String> {
    var changedStreams: Set<String> = []
    var rest = places[...]
    while queue.goesOn, let first = rest.first {
      guard let stream = StreamCatalog.stream(named: queue.inputs[first].stream) else {
        preconditionFailure("an input's stream is one of the catalog")
      }
      // In a group the files would see each other's rows.
      let sameStream = rest.lazy.map { self.queue.inputs[$0] }.prefix { $0.stream == stream.name }
      let ahead = options.isDryRun ? [] : ReadAhead(sameStream, options: options).files
      if ahead.count > 1 {
        changedStreams.formUnion(
          load(ahead, at: rest.prefix(ahead.count), stream: stream, session: session))
        rest = rest.dropFirst(ahead.count)
      } else {
        changedStreams.formUnion(load(first, stream: stream, session: session))
        rest = rest.dropFirst()
      }
    }
    return changedStreams
  }

  // MARK: - One file

  private struct Outcome {
    var report: FileReport
    let code: ExitCode
    var endsRun = false
  }

  /// - Returns: the streams with inserted rows.
  private func load(_ place: Int, stream: RecordStream, session: Session) -> Set<String> {
    let clock = ReportClock()
    let outcome = load(queue.inputs[place], stream: stream, session: session)
    return note(outcome, place: place, clock: clock)
  }

  /// - Parameter clock: started when the load of the file, alone or in a group, began.
  /// - Returns: the streams with inserted rows.
  private func note(_ outcome: Outcome, place: Int, clock: ReportClock) -> Set<String> {
    var outcome = outcome
    outcome.report.take(clock)
    run.progress.finishFile(
      bytes: queue.inputs[place].sizeOnDisk,
      lines: outcome.report.read?.lines ?? outcome.report.lines)
    queue.note(outcome.report, code: outcome.code, of: place)
    let path = queue.inputs[place].path
    if outcome.endsRun {
      queue.stop(because: "the run stopped at \(path)", isBroken: true)
    } else if options.failFast, outcome.report.status == .failed {
      queue.stop(because: "--fail-fast stopped the run at \(path)")
    }
    let input = queue.inputs[place]
    input.object?.discard()
    var changedStreams: Set<String> = outcome.report.inserted > 0 ? [input.stream] : []
    if outcome.report.embedded?.inserted ?? 0 > 0,
      let embedded = StreamCatalog.stream(named: input.stream)?.embeddedStreamName
    {
      changedStreams.insert(embedded)
    }
    return changedStreams
  }

  private func load(_ input: Input, stream: RecordStream, session: Session) -> Outcome {
    var last: FileLoad?
    do throws(LoadError) {
      let outcome = try options.retries(
        logger: logger, interruption: run.interruption, canRepeat: { _ in last?.canRepeat ?? true }
      ) { () throws(LoadError) in
        try session.renew()
        if last != nil { try session.prepareRetry(checking: run.interruption) }
        let load = FileLoad(input, stream: stream, session: session, options: options, run: run)
        last = load
        return try load.load(input)
      }
      return self.outcome(of: input, outcome)
    } catch {
      let failure =
        last?.failureReport ?? FailureReport(input)
      var report = FileReport(path: input.path, stream: input.stream, status: .failed)
      report.noteFailure(error, failure)
      logger.error("\(printable(input.path)): \(printable(error.message))")
      FaultPoint.rolledBack.reached()
      // An interrupted file has not failed, and the user knows of the interruption.
      if !run.interruption.isRequested, !options.isDryRun {
        recordFailure(failure, error: error, session: session)
      }
      return Outcome(report: report, code: error.exitCode, endsRun: error.endsRun)
    }
  }

  private func outcome(of input: Input, _ outcome: FileLoad.Outcome) -> Outcome {
    switch outcome {
    case .known(let earlier, let sha256) where earlier.isUndone:
      logger.warning(
        """
        \(printable(input.path)) is left alone, because its bytes were undone (file \
        \(earlier.sourceFileID) of load \(earlier.loadID)); gamebase-ingest load loads them
        """)
      return Outcome(report: FileReport(input, .undone, sha256: sha256), code: .success)
    case .known(let earlier, let sha256):
      // A second run of a night is nothing to tell of; yesterday's file under today's name is.
      if earlier.path != input.path, earlier.canonicalPath != input.canonicalPath {
        logger.warning(
          """
          \(printable(input.path)) is already loaded as \(printable(earlier.path)) (file \
          \(earlier.sourceFileID) of load \(earlier.loadID)), and brings nothing
          """)
      }
      return Outcome(
        report: FileReport(input, .alreadyLoaded, sha256: sha256, as: earlier.path), code: .success)
    case .loaded(let report):
      if report.lines == report.blank {
        logger.warning(
          "\(printable(input.path)) has no record: it is empty, or has only blank lines")
      }
      return Outcome(report: report, code: report.hasFindings ? .loadedWithFindings : .success)
    }
  }

  private func recordFailure(_ failure: FailureReport, error: LoadError, session: Session) {
    var failure = failure
    failure.reason = error.message
    failure.exitCode = error.exitCode
    do {
      // On a standby the file has been retried already, so its failure is not.
      try options.retries.throughContention(
        during: "recording the failure", interruption: run.interruption, awaitsPromotion: false
      ) {
        try session.transaction {
          try Ledger(connection: $0).record(
            failure, loadID: run.loadID, options: options, wait: run.lockWait)
          FaultPoint.failureRecorded.reached()
        }
      }
    } catch {
      logger.warning(
        "the failure could not be recorded in ingest.failed_file: \(printable("\(error)"))")
    }
  }
  // MARK: - Several small files

  /// Loads small files that are already in memory, together if none of them fails.
  ///
  /// - Returns: the streams with inserted rows.
  private func load(
    _ files: [SmallFile], at places: ArraySlice<Int>, stream: RecordStream, session: Session
  ) -> Set<String> {
    let clock = ReportClock()
    var changedStreams: Set<String> = []
    let outcomes =
      (try? session.renew()).flatMap { _ in
        FileLoad(files[0].input, stream: stream, session: session, options: options, run: run)
          .load(files)
      }
    if let outcomes {
      for (place, outcome) in zip(places, outcomes) {
        let outcome = self.outcome(of: queue.inputs[place], outcome)
        changedStreams.formUnion(note(outcome, place: place, clock: clock))
      }
    } else {
      for place in places where queue.goesOn {
        changedStreams.formUnion(load(place, stream: stream, session: session))
      }
    }
    return changedStreams
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
  let target: ConnectionTarget
  let interruption: Interruption
  let lockWait: LockWait
  /// For the locks of streams.
  let boundedLockWait: LockWait
  /// The number of the worker that loads the file, from 0.
  let worker: Int
  let progress: LoadProgress.Worker
}
