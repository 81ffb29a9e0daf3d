internal import Foundation
package import Logging
package import Postgres
package import RecordPipeline

/// One run of the loader over a list of files.
///
/// Files of one lane are loaded one after another, in the order given. Lanes are loaded in parallel,
/// up to `LoadOptions.jobs` at a time. Files of different lanes have no keys in common, so the number
/// of jobs never changes the rows.
package final class LoadRun {
  private let options: LoadOptions
  private let target: ConnectionTarget
  private let logger: Logger
  private let progress: LoadProgress
  private let interruption: Interruption

  package init(
    _ options: LoadOptions, target: ConnectionTarget, logger: Logger,
    progress: LoadProgress = LoadProgress(), interruption: Interruption = Interruption()
  ) {
    self.options = options
    self.target = target
    self.logger = logger
    self.progress = progress
    self.interruption = interruption
  }

  /// Loads the files.
  ///
  /// - Parameter finished: called with the report of each file that was tried, as soon as it is
  ///   done.
  /// - Returns: the report of every file in the order given, including paths that could not be read
  ///   and files that were not reached.
  package func load(
    _ found: FoundInputs, finished: @escaping @Sendable (FileReport) -> Void = { _ in }
  ) -> RunReport {
    let clock = ReportClock()
    var report = RunReport(isDryRun: options.isDryRun)
    report.programVersion = options.loaderVersion
    report.skipped = found.skipped.map(SkippedReport.init)
    let queue = FileQueue(found.inputs, interruption: interruption, finished: finished)
    for failure in found.failures {
      logger.error("\(printable(failure.path)): \(printable(failure.reason))")
    }
    if options.failFast, let first = found.failures.first {
      queue.stop(because: "--fail-fast stopped the run at \(first.path)")
    }
    do throws(LoadError) {
      let (session, start) = try options.retries(logger: logger, interruption: interruption) {
        () throws(LoadError) in
        let session = try Session(target, isDryRun: options.isDryRun)
        report.database = DatabaseReport(session.connection)
        return (session, try startRun(session))
      }
      defer { session.end() }
      if !options.isDryRun { report.loadID = start.loadID }
      let heartbeat =
        options.isDryRun
        ? nil
        : RunHeartbeat(
          loadID: start.loadID, target: target, timing: options.heartbeat, logger: logger)
      loadFiles(in: queue, session: session, start: start)
      if !options.isDryRun {
        recordMissing(found, outcomes: queue.reports, start: start, session: session)
      }
      var code = found.failures.reduce(queue.exitCode) {
        $0.joined(with: ErrorCode($1.kind).ofUnreadInput)
      }
      if let error = Completeness(found, minFiles: options.minFiles).error {
        logger.error("\(printable(error.message))")
        code = code.joined(with: error.exitCode)
        if code == error.exitCode { report.noteError(error) }
      }
      report.loadExitCode = code.rawValue
      if let failure = refresh(session, after: queue, into: &report) {
        code = code.joined(with: failure.exitCode)
      }
      heartbeat?.stop()
      if !options.isDryRun { finishRun(start.loadID, session: session, code: code) }
      report.exitCode = code.rawValue
    } catch {
      logger.error("\(printable(error.message))")
      report.exitCode = error.exitCode.rawValue
      report.noteError(error)
      queue.stop(because: error.message)
    }
    report.files = queue.reports
    for failure in found.failures.reversed() {
      report.files.insert(FileReport(failure), at: failure.place)
    }
    report.noteError(ofFiles: report.files)
    report.take(clock)
    return report
  }

  /// Loads the queue's files: one job on this thread, and each further job on a thread of its own.
  private func loadFiles(in queue: FileQueue, session: Session, start: Start) {
    var options = options
    options.isAppIDSetting = start.appID != nil
    options.appID = options.appID ?? start.appID
    options.allowedApps = start.allowedApps
    // A dry run is one transaction, so it uses one connection.
    let jobs = options.isDryRun ? 1 : min(options.jobs ?? Self.coreCount, queue.laneCount)
    let fieldHistory = FieldHistory()
    let workers = (0..<max(jobs, 1)).map { number in
      LoadWorker(
        queue, options: options, logger: logger,
        run: RunContext(
          loadID: start.loadID, startedAt: start.startedAt, target: target,
          interruption: interruption, lockWait: LockWait(logger),
          boundedLockWait: LockWait(logger, limit: options.lockWaitSeconds), worker: number,
          progress: progress.addWorker(),
          fieldHistory: fieldHistory))
    }
    // If a thread cannot be started, the run has fewer jobs, and these load all files.
    let others = workers.dropFirst().compactMap { worker in
      try? WorkerThread { worker.work() }
    }
    workers[0].work(with: session)
    for thread in others { thread.join() }
  }

  /// Refreshes the reports, once for all files of the run, also when some of them failed.
  ///
  /// A run that was interrupted, or that ended because every further file would fail, leaves the
  /// refresh to the next run.
  ///
  /// - Returns: the failure of the refresh, noted in the report; the files stay loaded.
  private func refresh(
    _ session: Session, after queue: FileQueue, into report: inout RunReport
  ) -> LoadError? {
    guard options.refreshes, !options.isDryRun, !queue.isBroken, !interruption.isRequested else {
      return nil
    }
    let clock = ReportClock()
    do throws(LoadError) {
      let refreshed = try Refresh(
        waitSeconds: options.lockWaitSeconds, retries: options.retries, logger: logger,
        progress: progress.refresh, interruption: interruption
      ).run { () throws(LoadError) in
        try session.renew()
        return session.connection
      }
      report.refresh = RefreshReport(refreshed)
      report.refreshExitCode = 0
      return nil
    } catch {
      logger.error("\(printable(error.message))")
      report.refresh = RefreshReport(error, seconds: clock.elapsedSeconds)
      report.refreshExitCode = error.exitCode.rawValue
      // The report names an error that ended the run at a file first.
      if queue.exitCode < .usage { report.noteError(error) }
      return error
    }
  }

  /// Records the paths that found no file, and ends the failures of those that one matches now.
  private func recordMissing(
    _ found: FoundInputs, outcomes: [FileReport], start: Start, session: Session
  ) {
    let loaded = zip(found.inputs, outcomes).filter { $1.status != .failed }.map(\.0)
    let missing = found.failures.filter { [.missing, .storageUnavailable].contains($0.kind) }
    guard !(loaded.isEmpty && missing.isEmpty) else { return }
    do {
      try session.transaction {
        let patterns = MissingPatterns($0)
        try patterns.clear(matchedBy: loaded)
        try patterns.record(missing, loadID: start.loadID)
      }
    } catch {
      logger.warning(
        "missing files could not be recorded in ingest.failed_file: \(printable("\(error)"))")
    }
  }

  /// The default number of jobs.
  private static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

  // MARK: - The run

  /// The values that the database provides at the start of a run.
  private struct Start {
    let loadID: Int
    /// Epoch milliseconds, by the server's clock.
    let startedAt: Int64
    /// The application of lines that name none; nil: an option names it, or it is not set.
    let appID: String?
    /// The applications that lines may belong to; nil: any.
    let allowedApps: Set<[UInt8]>?
  }

  private static let starting = "starting the run"

  private func startRun(_ session: Session) throws(LoadError) -> Start {
    do {
      return try session.transaction {
        let ledger = Ledger(connection: $0)
        try checkServer($0)
        // Without the key every file would fail, so the run fails before it writes anything.
        _ = try ledger.hasErasedUsers(key: options.erasureKey)
        let settings = DatabaseSettings($0)
        let appID = try options.appID == nil ? settings.appID() : nil
        let allowedApps = try settings.allowedApps()
        let (loadID, startedAt) = try ledger.startLoad(
          version: options.loaderVersion, night: options.night)
        return Start(
          loadID: loadID, startedAt: startedAt, appID: appID, allowedApps: allowedApps)
      }
    } catch {
      throw LoadError(wrapping: error, during: Self.starting)
    }
  }

  /// Warns about server settings that endanger committed rows and that a session cannot change.
  private func checkServer(_ connection: Connection) throws {
    let names = try connection.rows(
      of: String.self,
      """
      select name from pg_catalog.pg_settings
        where name in ('fsync', 'full_page_writes') and setting = 'off' order by name
      """)
    for name in names {
      logger.warning(
        "the server runs with \(name) = off: after a crash of its machine, loaded files can be lost or damaged"
      )
    }
  }

  private func finishRun(_ loadID: Int, session: Session, code: ExitCode) {
    do {
      try session.transaction {
        try Ledger(connection: $0).finishLoad(loadID, exitCode: code)
      }
    } catch {
      logger.warning(
        "the end of the run could not be recorded in ingest.load: \(printable("\(error)"))")
    }
  }
}
