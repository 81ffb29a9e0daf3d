internal import Foundation
package import Postgres
package import RecordPipeline

/// One run of the loader over a list of files.
///
/// Files of one lane are loaded one after another, in the order given. Lanes are loaded in parallel,
/// up to `LoadOptions.jobs` at a time. Files of different lanes have no keys in common, so the number
/// of jobs never changes the rows.
package struct LoadRun: Sendable {
  /// With the settings of the database, once the run has begun.
  private(set) var options: LoadOptions
  let target: ConnectionTarget
  let progress: LoadProgress
  let interruption: Interruption
  /// The number in the ledger and the start in epoch milliseconds, by the server's clock; 0 before it.
  private(set) var (loadID, startedAt) = (0, Int64(0))

  package init(
    _ options: LoadOptions, target: ConnectionTarget,
    progress: LoadProgress = LoadProgress(), interruption: Interruption = Interruption()
  ) {
    (self.options, self.target) = (options, target)
    (self.progress, self.interruption) = (progress, interruption)
  }

  /// Loads the files.
  ///
  /// - Returns: the report of every file in the order given, including paths that could not be read
  ///   and files that were not reached.
  package func load(_ found: FoundInputs) -> RunReport {
    let clock = ReportClock()
    var report = RunReport()
    report.dryRun = options.isDryRun
    report.version = options.loaderVersion
    report.skipped = found.skipped
    if options.isNight { report.night = NightReport(options.night) }
    let queue = FileQueue(found.inputs, interruption: interruption)
    for failure in found.failures {
      target.tell("\(failure.path): \(failure.error)")
    }
    if options.failFast,
      let first = found.failures.first(where: { options.exitCode(of: $0) != .incomplete })
    {
      queue.stop(because: "--fail-fast stopped the run at \(first.path)")
    }
    do throws(LoadError) {
      let (session, run) = try options.retries(warn: target.warn, interruption: interruption) {
        () throws(LoadError) in
        let session = try openSession()
        report.database = session.connection.place
        return (session, try start(session))
      }
      report.loadID = options.isDryRun ? nil : run.loadID
      let heartbeat = options.isDryRun ? nil : run.startHeartbeat()
      run.loadFiles(in: queue, session: session)
      run.recordSearch(found, queue.reports, session)
      var code = found.failures.reduce(queue.exitCode) {
        $0.joined(with: options.exitCode(of: $1))
      }
      for shortfall in found.shortfalls {
        target.tell(shortfall.error.message)
        code = code.joined(with: .incomplete)
        if code == .incomplete, report.error == nil { report.noteError(LoadError(shortfall.error)) }
      }
      report.loadExitCode = code.rawValue
      code = code.joined(with: run.refresh(session, after: queue, into: &report))
      code = code.joined(with: run.judge(session, after: queue, into: &report))
      heartbeat?.signal()
      run.record("the end of the run", in: "ingest.load", session) {
        try Ledger(connection: $0).finishLoad(run.loadID, exitCode: code)
      }
      report.exitCode = code.rawValue
    } catch {
      target.tell(error.message)
      report.exitCode = error.exitCode.rawValue
      report.noteError(error)
      queue.stop(because: error.message)
    }
    var loads = queue.reports.makeIterator()
    report.files = found.entries.compactMap { entry in
      if case .failure(let failure) = entry { FileReport(failure) } else { loads.next() }
    }
    report.noteErrorOfFiles()
    if let conclusion = report.night?.conclusion, report.error == nil {
      report.noteError(LoadError(.incomplete, conclusion))
    }
    report.take(clock)
    return report
  }

  private func openSession(of worker: Int = 0) throws(LoadError) -> Session {
    try Session(target, isDryRun: options.isDryRun, interruption: interruption, worker: worker)
  }

  /// Loads the queue's files: one job on this thread, and each further job on a thread of its own.
  private func loadFiles(in queue: FileQueue, session: Session) {
    let jobs = min(options.jobs ?? ProcessInfo.processInfo.activeProcessorCount, queue.laneCount)
    // If a thread or a session cannot be had, the run has fewer jobs, and these load all files.
    let others = (1..<max(jobs, 1)).compactMap { number in
      try? startThread(stackBytes: 4 * 1024 * 1024) {
        do throws(LoadError) {
          LoadWorker(queue: queue, run: self, session: try openSession(of: number)).work()
        } catch {
          target.tell("continuing with fewer jobs: \(error.message)")
        }
      }
    }
    LoadWorker(queue: queue, run: self, session: session).work()
    for ended in others { ended.wait() }
  }

  /// Refreshes the reports, once for all files of the run, also when some of them failed.
  ///
  /// A run that was interrupted, or that ended because every further file would fail, leaves the
  /// refresh to the next run.
  ///
  /// - Returns: the exit code of the refresh, whose failure the report notes; the files stay loaded.
  private func refresh(
    _ session: Session, after queue: FileQueue, into report: inout RunReport
  ) -> ExitCode {
    guard options.refreshes, !options.isDryRun, !queue.isBroken, !interruption.isRequested else {
      return .success
    }
    let clock = ReportClock()
    do throws(LoadError) {
      report.refresh = try Refresh(
        waitSeconds: options.lockWaitSeconds, retries: options.retries, warn: target.warn,
        progress: progress.refresh, interruption: interruption
      ).run {
        try session.renew()
        return session.connection
      }
      report.refreshExitCode = 0
      return .success
    } catch {
      target.tell(error.message)
      report.refresh = RefreshReport(error, seconds: clock.elapsedSeconds)
      report.refreshExitCode = error.exitCode.rawValue
      // The report names an error that ended the run at a file first.
      if queue.exitCode < .usage { report.noteError(error) }
      return error.exitCode
    }
  }

  /// Judges the feeds at the end of a night, by what stands in the database then.
  ///
  /// A run whose refresh is left to the next run leaves the judgement to it, too.
  ///
  /// - Returns: the exit code of the verdicts.
  private func judge(
    _ session: Session, after queue: FileQueue, into report: inout RunReport
  ) -> ExitCode {
    guard var night = report.night, !queue.isBroken, !interruption.isRequested,
      report.refreshExitCode ?? 0 < ExitCode.usage.rawValue
    else { return .success }
    do {
      try session.renew()
      let code = try session.transaction {
        try night.judge(queue.reports, of: options.namedApp, on: $0)
      }
      report.night = night
      return code
    } catch {
      let error = LoadError(wrapping: error, during: "judging the feeds")
      target.tell(error.message)
      report.noteError(error)
      return error.exitCode
    }
  }

  /// Records the paths that found no file or too few, and ends the failures of paths that find one now.
  private func recordSearch(
    _ found: FoundInputs, _ outcomes: [FileReport], _ session: Session
  ) {
    let known = zip(found.inputs, outcomes).filter { $1.status != .failed }.map(\.0)
    let failed = found.failures + (options.isNight ? found.shortfalls.flatMap(\.failures) : [])
    guard !(known.isEmpty && failed.isEmpty) else { return }
    record("missing files", in: "ingest.failed_file", session) {
      let ledger = Ledger(connection: $0)
      try ledger.record(failed, loadID: loadID, options: options)
      try ledger.clearFailures(matchedBy: known, besides: loadID)
    }
  }

  /// Writes to the ledger beside the files, but not in a dry run.
  ///
  /// A failure is a warning, because it changes nothing of the files.
  func record(
    _ what: String, in table: String, _ session: Session, _ body: (Connection) throws -> Void
  ) {
    if options.isDryRun { return }
    do {
      // On a standby the work itself has been retried already, so this is not.
      try options.retries.throughContention(
        during: "recording \(what)", interruption: interruption, awaitsPromotion: false
      ) { try session.transaction(body) }
    } catch {
      target.warn("\(what) could not be recorded in \(table): \(error)")
    }
  }

  // MARK: - The start

  /// Records the start, and reads the settings of the database.
  func start(_ session: Session) throws(LoadError) -> LoadRun {
    do {
      var run = self
      let entry = try session.transaction {
        let ledger = Ledger(connection: $0)
        try checkServer($0)
        // Without the key every file would fail, so the run fails before it writes anything.
        _ = try ledger.erasedUsers(key: options.erasureKey)
        if options.appID == nil, let app = try ledger.appIDSetting() {
          (run.options.rules.appID, run.options.isAppIDSetting) = (app, true)
        }
        try ledger.complete(&run.options.rules)
        return try ledger.startLoad(options)
      }
      (run.loadID, run.startedAt) = (entry.loadID, entry.startedAt)
      return run
    } catch {
      throw LoadError(wrapping: error, during: "starting the run")
    }
  }

  /// Warns about server settings that endanger committed rows and that a session cannot change.
  private func checkServer(_ connection: Connection) throws {
    let warnings = try connection.rows(
      of: String.self,
      """
      select pg_catalog.format('the server runs with %s = off: after a crash of its machine, loaded files can be lost '
          'or damaged', name)
        from pg_catalog.pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name
      """)
    for warning in warnings { target.warn(warning) }
  }
}
