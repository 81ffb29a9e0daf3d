internal import Logging
internal import Postgres
internal import RecordPipeline

/// Takes one stream after another from the queue and loads its files, on one thread and in one
/// session.
final class LoadWorker: Sendable {
  let queue: FileQueue
  let options: LoadOptions
  private let logger: Logger
  let run: RunContext

  init(_ queue: FileQueue, options: LoadOptions, logger: Logger, run: RunContext) {
    self.queue = queue
    self.options = options
    self.logger = logger
    self.run = run
  }

  /// Opens a session and works with it; if that fails, the other workers load the files.
  func work() {
    do throws(LoadError) {
      work(with: try Session(run.target, isDryRun: false))
    } catch {
      logger.notice("continuing with fewer jobs: \(printable(error.message))")
    }
  }

  func work(with session: Session) {
    while queue.goesOn, let places = queue.nextStream() {
      let insertedCount = load(places, session: session)
      if insertedCount > 0, !options.isDryRun {
        Statistics(session: session, logger: logger, interruption: run.interruption)
          .renew(ofStream: queue.inputs[places[0]].stream, worker: run.worker)
      }
    }
  }

  /// - Parameter places: the files of one stream, in the order given.
  /// - Returns: the number of inserted rows.
  private func load(_ places: [Int], session: Session) -> Int {
    guard
      let stream = places.first.flatMap({ StreamCatalog.stream(named: queue.inputs[$0].stream) })
    else { preconditionFailure("an input's stream is one of the catalog") }
    var insertedCount = 0
    var rest = places[...]
    while queue.goesOn, let first = rest.first {
      // A dry run is one transaction already, so a group of small files saves nothing.
      let ahead =
        options.isDryRun
        ? [] : ReadAhead(rest.lazy.map { self.queue.inputs[$0] }, options: options).files
      if ahead.count > 1 {
        let places = rest.prefix(ahead.count)
        insertedCount += load(ahead, at: Array(places), stream: stream, session: session)
        rest = rest.dropFirst(ahead.count)
      } else {
        insertedCount += load(first, stream: stream, session: session)
        rest = rest.dropFirst()
      }
    }
    return insertedCount
  }

  // MARK: - One file

  struct Outcome {
    var report: FileReport
    let code: ExitCode
    var endsRun = false
  }

  /// - Returns: the number of inserted rows.
  func load(_ place: Int, stream: RecordStream, session: Session) -> Int {
    let clock = ReportClock()
    let outcome = load(queue.inputs[place], stream: stream, session: session)
    return note(outcome, place: place, clock: clock)
  }

  /// - Parameter clock: started when the load of the file, alone or in a group, began.
  /// - Returns: the number of inserted rows.
  func note(_ outcome: Outcome, place: Int, clock: ReportClock) -> Int {
    var outcome = outcome
    outcome.report.take(clock)
    queue.note(outcome.report, code: outcome.code, of: place)
    let path = queue.inputs[place].path
    if outcome.endsRun {
      queue.stop(because: "the run stopped at \(path)", isBroken: true)
    } else if options.failFast, outcome.report.status == .failed {
      queue.stop(because: "--fail-fast stopped the run at \(path)")
    }
    return outcome.report.inserted
  }

  private func load(_ input: Input, stream: RecordStream, session: Session) -> Outcome {
    var last: FileLoad?
    do throws(LoadError) {
      // A dry run is one transaction: a lost connection discards all earlier files, so no file is
      // retried.
      let retries = options.isDryRun ? RetryPolicy(retries: 0) : options.retries
      let outcome = try retries(
        logger: logger, interruption: run.interruption, canRepeat: { last?.canRepeat ?? true }
      ) { () throws(LoadError) in
        try session.renew()
        let load = FileLoad(input, stream: stream, session: session, options: options, run: run)
        last = load
        return try load.load()
      }
      return self.outcome(of: input, outcome)
    } catch {
      let failure =
        last?.failureReport ?? FailureReport(path: input.path, stream: input.stream, reason: "")
      var report = FileReport(path: input.path, stream: input.stream, status: .failed)
      report.noteFailure(error, failure)
      logger.error("\(printable(input.path)): \(printable(error.message))")
      FaultPoint.rolledBack.reached()
      // An interrupted file has not failed, and the user knows of the interruption.
      if !run.interruption.isRequested, !options.isDryRun {
        recordFailure(failure, reason: error.message, session: session)
      }
      return Outcome(report: report, code: error.exitCode, endsRun: error.endsRun)
    }
  }

  func outcome(of input: Input, _ outcome: FileLoad.Outcome) -> Outcome {
    var report = FileReport(path: input.path, stream: input.stream, status: .loaded)
    switch outcome {
    case .alreadyLoaded(let sha256):
      report.status = .alreadyLoaded
      report.sha256 = hexadecimal(sha256)
      return Outcome(report: report, code: .success)
    case .loaded(let loaded):
      report.note(loaded)
      let hasFindings = loaded.totals.rejectedCount > 0 || loaded.counts.conflicts > 0
      return Outcome(report: report, code: hasFindings ? .loadedWithFindings : .success)
    }
  }

  private func recordFailure(_ failure: FailureReport, reason: String, session: Session) {
    var failure = failure
    failure.reason = reason
    do {
      try options.retries.throughContention(
        during: "recording the failure", interruption: run.interruption
      ) {
        try session.transaction {
          try Ledger(connection: $0).record(failure, loadID: run.loadID, key: options.erasureKey)
          FaultPoint.failureRecorded.reached()
        }
      }
    } catch {
      logger.warning(
        "the failure could not be recorded in ingest.failed_file: \(printable("\(error)"))")
    }
  }
}
