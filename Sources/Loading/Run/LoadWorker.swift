internal import Foundation
internal import Logging
internal import Postgres
internal import RecordPipeline

/// Takes lanes from the queue and loads their files, on one thread and with one session.
final class LaneWorker: Sendable {
  let queue: LaneQueue
  let options: LoadOptions
  private let logger: Logger
  let run: FileLoad.Run

  init(_ queue: LaneQueue, options: LoadOptions, logger: Logger, run: FileLoad.Run) {
    self.queue = queue
    self.options = options
    self.logger = logger
    self.run = run
  }

  /// Works with a session of its own; without one the other workers have more to do.
  func work() {
    do throws(LoadError) {
      work(with: try Session(run.target, isDryRun: false))
    } catch {
      logger.notice("going on with fewer jobs: \(printable(error.message))")
    }
  }

  func work(with session: Session) {
    while queue.goesOn, let lane = queue.nextLane() {
      let insertedCount = load(lane, session: session)
      if insertedCount > 0, !options.isDryRun {
        Statistics(session: session, logger: logger, interruption: run.interruption)
          .renew(ofStream: queue.inputs[lane[0]].stream, lane: run.lane)
      }
    }
  }

  /// - Returns: how many rows were inserted.
  private func load(_ lane: [Int], session: Session) -> Int {
    guard let stream = lane.first.flatMap({ StreamCatalog.stream(named: queue.inputs[$0].stream) })
    else { preconditionFailure("an input's stream is one of the catalog") }
    var insertedCount = 0
    var rest = lane[...]
    while queue.goesOn, let first = rest.first {
      // A dry run is one transaction, so nothing is gained by sharing one.
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

  /// - Returns: how many rows were inserted.
  func load(_ place: Int, stream: RecordStream, session: Session) -> Int {
    let clock = ReportClock()
    let outcome = load(queue.inputs[place], stream: stream, session: session)
    return note(outcome, place: place, clock: clock)
  }

  /// - Parameter clock: since the file was begun, alone or with others.
  /// - Returns: how many rows were inserted.
  func note(_ outcome: Outcome, place: Int, clock: ReportClock) -> Int {
    var outcome = outcome
    outcome.report.take(clock)
    queue.note(outcome.report, code: outcome.code, of: place)
    let path = queue.inputs[place].path
    if outcome.endsRun {
      queue.stop(because: "the run stopped at \(path)")
    } else if options.failFast, outcome.report.status == .failed {
      queue.stop(because: "--fail-fast stopped the run at \(path)")
    }
    return outcome.report.inserted
  }

  private func load(_ input: Input, stream: RecordStream, session: Session) -> Outcome {
    var last: FileLoad?
    do throws(LoadError) {
      // In a dry run a lost connection takes all earlier files with it.
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
      let story = last?.story ?? FailedFile(path: input.path, stream: input.stream, reason: "")
      var report = FileReport(path: input.path, stream: input.stream, status: .failed)
      report.noteFailure(error, story)
      logger.error("\(printable(input.path)): \(printable(error.message))")
      FaultPoint.rolledBack.reached()
      // Whoever interrupts a run knows; the file is as good as it was.
      if !run.interruption.isRequested, !options.isDryRun {
        recordFailure(story, reason: error.message, session: session)
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

  private func recordFailure(_ story: FailedFile, reason: String, session: Session) {
    var story = story
    story.reason = reason
    do {
      try session.transaction {
        try Ledger(connection: $0).record(story, loadID: run.loadID, key: options.erasureKey)
        FaultPoint.failureRecorded.reached()
      }
    } catch {
      logger.warning(
        "the failure could not be noted in ingest.failed_file: \(printable("\(error)"))")
    }
  }
}

/// A thread that somebody waits for.
///
/// Loading blocks on the server for long, so it never runs on Swift's cooperative pool.
final class WorkerThread: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  /// - Throws: `LoadError` when the system has no thread to give.
  init(_ body: @escaping @Sendable () -> Void) throws(LoadError) {
    try startThread(stackBytes: 4 * 1024 * 1024) { [ended] in
      body()
      ended.signal()
    }
  }

  func join() { ended.wait() }
}

/// How many streams are loaded side by side unless somebody says otherwise.
var defaultJobs: Int { ProcessInfo.processInfo.activeProcessorCount }
