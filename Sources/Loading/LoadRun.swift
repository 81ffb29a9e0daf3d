package import Logging
package import Postgres
package import RecordPipeline

/// One run of the loader over a list of files, one after another.
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
  /// - Parameter finished: hears of each file as soon as its fate is known.
  /// - Returns: what became of every file, those that were never reached included.
  package func load(
    _ inputs: [Input], finished: (FileReport) -> Void = { _ in }
  ) -> RunReport {
    var report = RunReport(isDryRun: options.isDryRun ? true : nil)
    var codes: [ExitCode] = []
    do throws(LoadError) {
      let connection = try connect()
      try requireSchema(connection)
      let control = try connectControl(beside: connection)
      let run = try startRun(control)
      if !options.isDryRun { report.loadID = run.loadID }
      defer { if options.isDryRun { connection.rollback() } }
      let partitions = Partitions(control: control)
      for (index, input) in inputs.enumerated() {
        let outcome = loadFile(
          input, connection: connection, control: control, partitions: partitions, run: run)
        report.files.append(outcome.report)
        finished(outcome.report)
        codes.append(outcome.code)
        if outcome.endsRun || (options.failFast && outcome.report.status == .failed) {
          let reason = outcome.endsRun ? "the run stopped" : "--fail-fast stopped the run"
          report.files += inputs[(index + 1)...].map {
            FileReport(
              path: $0.path, stream: $0.stream, status: .failed,
              error: "not reached: \(reason) at \(input.path)")
          }
          break
        }
      }
      let code = Self.exitCode(codes)
      if !options.isDryRun { finishRun(run, control: control, code: code) }
      report.exitCode = code.rawValue
    } catch {
      logger.error("\(printable(error.message))")
      report.exitCode = error.exitCode.rawValue
      report.files += inputs.map {
        FileReport(
          path: $0.path, stream: $0.stream, status: .failed, error: "not reached: \(error.message)")
      }
    }
    return report
  }

  /// The highest-numbered problem below 64 wins; what ended the run comes before all of them.
  private static func exitCode(_ codes: [ExitCode]) -> ExitCode {
    codes.first { $0 >= .usage } ?? codes.max() ?? .success
  }

  // MARK: - One file

  private struct FileOutcome {
    let report: FileReport
    let code: ExitCode
    var endsRun = false
  }

  private func loadFile(
    _ input: Input, connection: Connection, control: ControlConnection, partitions: Partitions,
    run: FileLoad.Run
  ) -> FileOutcome {
    guard let stream = StreamCatalog.stream(named: input.stream) else {
      preconditionFailure("an input's stream is one of the catalog")
    }
    let load = FileLoad(
      input, stream: stream, connection: connection, partitions: partitions, options: options,
      run: run)
    var report = FileReport(path: input.path, stream: input.stream, status: .loaded)
    do throws(LoadError) {
      switch try load.load() {
      case .alreadyLoaded(let sha256):
        report.status = .alreadyLoaded
        report.sha256 = hexadecimal(sha256)
        return FileOutcome(report: report, code: .success)
      case .loaded(let totals, let counts):
        report.sha256 = hexadecimal(totals.sha256)
        report.lines = totals.lineCount
        report.inserted = counts.inserted
        report.filled = counts.filled
        report.duplicates = counts.duplicates
        report.conflicts = counts.conflicts
        report.rejected = totals.rejectedCount
        report.suppressed = counts.suppressed
        report.blank = totals.blankCount
        let hasFindings = totals.rejectedCount > 0 || counts.conflicts > 0
        return FileOutcome(report: report, code: hasFindings ? .loadedWithFindings : .success)
      }
    } catch {
      report.status = .failed
      report.sha256 = load.story.sha256.map(hexadecimal)
      report.error = error.message
      logger.error("\(printable(input.path)): \(printable(error.message))")
      // Whoever interrupts a run knows; the file is as good as it was.
      if !interruption.isRequested, !options.isDryRun {
        recordFailure(load.story, control: control, run: run)
      }
      return FileOutcome(report: report, code: error.exitCode, endsRun: error.endsRun)
    }
  }

  private func recordFailure(_ story: FailedFile, control: ControlConnection, run: FileLoad.Run) {
    do {
      try control.transaction { try Ledger(connection: $0).record(story, loadID: run.loadID) }
    } catch {
      logger.warning("the failure could not be noted in ingest.failed_file: \(error)")
    }
  }

  // MARK: - The run

  private func connect() throws(LoadError) -> Connection {
    do {
      return try Connection(target)
    } catch let error as PostgresError {
      throw LoadError.connecting(error)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }

  private func connectControl(
    beside connection: Connection
  ) throws(LoadError) -> ControlConnection {
    do {
      guard options.isDryRun else { return try ControlConnection(target) }
      try connection.begin()
      return ControlConnection(within: connection, target: target)
    } catch {
      throw LoadError(wrapping: error, during: "connecting")
    }
  }

  private func requireSchema(_ connection: Connection) throws(LoadError) {
    do { try Migrator(connection: connection).requireCurrent() } catch {
      throw LoadError(wrapping: error, during: "looking at the schema")
    }
  }

  private func startRun(_ control: ControlConnection) throws(LoadError) -> FileLoad.Run {
    do {
      let start = try control.transaction {
        try Ledger(connection: $0).startLoad(version: options.loaderVersion)
      }
      return FileLoad.Run(
        loadID: start.loadID, startedAt: start.startedAt, target: target, progress: progress,
        interruption: interruption)
    } catch {
      throw LoadError(wrapping: error, during: "starting the run")
    }
  }

  private func finishRun(_ run: FileLoad.Run, control: ControlConnection, code: ExitCode) {
    do {
      try control.transaction {
        try Ledger(connection: $0).finishLoad(run.loadID, exitCode: code)
      }
    } catch {
      logger.warning("the end of the run could not be noted in ingest.load: \(error)")
    }
  }
}
