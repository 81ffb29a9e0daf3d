internal import ArgumentParser
internal import Configuration
internal import Loading
internal import Postgres
internal import RecordPipeline

/// The work of `run`, in its order: plan, guards, load, refresh, health, outputs.
struct NightRun {
  private let command: RunCommand
  private let clock: ReportClock

  init(_ command: RunCommand, clock: ReportClock) {
    self.command = command
    self.clock = clock
  }

  func run(_ outputs: inout RunOutputs) throws {
    let sources = try command.sources()
    var options = try command.loadOptions
    let target = try command.database.target(isQuiet: command.loading.quiet)
    let interruption = Interruption()
    let connection = try connect(target, options, interruption)
    let days = try reportingErrors {
      try connection.transaction {
        try ReportDay.days(
          from: (command.date ?? command.since).flatMap { CalendarDay(text: $0) },
          through: (command.date ?? command.until).flatMap { CalendarDay(text: $0) },
          on: connection)
      }
    }
    if let last = days.last { outputs.day = last.text }
    let plan = try RunPlan(
      sources, days: days, records: command.records, completeness: command.completeness)
    if command.plan {
      return try PlanTable(plan, judges: !command.noGuard).show()
    }
    plan.found.noteSkipped()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }

    let name = Night(
      target: ConfiguredCommandLine.target?.name, days: days.map(\.text))
    options.night = name
    outputs.scope = FeedScope(
      appID: command.records.appId ?? command.records.expectApp, patterns: plan.patterns)
    var night = NightReport(name)
    if !command.noGuard {
      night.guards = try reportingErrors {
        try GuardCheck(plan, options: options).findings(on: connection, interruption: interruption)
      }
    }
    let implausible = night.guards.filter { $0.verdict == .implausible }
    var report =
      implausible.isEmpty
      ? load(plan, options, target, interruption) : refusal(implausible)
    let loadCode = report.exitCode
    var code = Loading.ExitCode(rawValue: report.exitCode) ?? .defect
    for part in plan.missing {
      Terminal.problem(part.shortfall)
      code = code.joined(with: .incomplete)
      report.noteIncomplete(part.shortfall, code: .tooFewFiles)
    }
    // A load that could not use the database has no entry in the ledger.
    if !implausible.isEmpty || report.loadID != nil {
      let refusal = implausible.isEmpty ? nil : report.error
      record(in: &report) { loadID in
        let connection = try connectAgain(connection, target, options, interruption)
        let number = try loadID ?? name.start(version: options.loaderVersion, on: connection)
        let files = plan.expectedFiles(refusal: refusal)
        try Night.record(
          files.filter { $0.problem != nil || code < .usage }, of: number, on: connection)
        return number
      }
    }
    // A storage that is away has kept only its own files back.
    if implausible.isEmpty, code < .usage || report.errorCode == .storageUnavailable {
      let judged = try judge(
        report, &night, in: outputs.scope,
        on: connectAgain(connection, target, options, interruption))
      code = code.joined(with: judged)
      if judged == .incomplete {
        Terminal.problem(night.conclusion)
        report.noteIncomplete(night.conclusion, code: .incomplete)
      }
    }
    report.night = night
    report.exitCode = code.rawValue
    if !implausible.isEmpty || loadCode != code.rawValue {
      record(in: &report) { loadID in
        let connection = try connectAgain(connection, target, options, interruption)
        if let loadID { try Night.recordEnd(of: loadID, code, on: connection) }
        return loadID
      }
    }
    let areOutputsWritten = outputs.write(report, target: target)
    try outputs.show(report, isCommitted: implausible.isEmpty && report.loadID != nil)
    guard areOutputsWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }

  // MARK: - Connections

  private func connect(
    _ target: ConnectionTarget, _ options: LoadOptions, _ interruption: Interruption
  ) throws -> Connection {
    try reportingErrors {
      let connection = try options.retries(logger: commandLogger(), interruption: interruption) {
        () throws(LoadError) in try Connection.open(target)
      }
      try Migrator(connection: connection).requireCurrent()
      return connection
    }
  }

  /// The connection, or a new one if it was lost during the load.
  private func connectAgain(
    _ connection: Connection, _ target: ConnectionTarget, _ options: LoadOptions,
    _ interruption: Interruption
  ) throws -> Connection {
    connection.isUsable && !connection.isStandby
      ? connection : try connect(target, options, interruption)
  }

  /// Writes to the ledger what the load could not know.
  ///
  /// - Parameter write: gets the number of the run, and returns the one that it has then.
  private func record(in report: inout RunReport, _ write: (Int?) throws -> Int?) {
    do { report.loadID = try write(report.loadID) } catch {
      Terminal.warning("the run could not be recorded in the ledger: \(error)")
    }
  }

  // MARK: - Steps

  private func load(
    _ plan: RunPlan, _ options: LoadOptions, _ target: ConnectionTarget,
    _ interruption: Interruption
  ) -> RunReport {
    let found = plan.found
    let progress = LoadProgress()
    let display =
      command.loading.quiet
      ? nil
      : ProgressDisplay(progress, totalBytes: found.inputs.map(\.sizeOnDisk).reduce(0, +))
    defer { display?.finish() }
    return LoadRun(
      options, target: target, logger: commandLogger(), progress: progress,
      interruption: interruption
    ).load(found)
  }

  /// The report of a run that a guard has ended before the first commit.
  private func refusal(_ findings: [GuardFinding]) -> RunReport {
    for finding in findings { Terminal.problem("implausible: \(finding.sentence)") }
    let message =
      "nothing was loaded, because figures are below half or above twice those of the same weekdays: "
      + "look at the files, and run again with --no-guard if they are right"
    let failure = Terminal.failure(.incomplete, message, cause: .implausible)
    guard let failure = failure as? CommandFailure else { return RunReport(exitCode: 7) }
    return RunReport(failure, clock: clock)
  }

  /// Judges the feeds, and looks for what earlier runs found in the same files.
  ///
  /// - Returns: the exit code of both.
  private func judge(
    _ report: RunReport, _ night: inout NightReport, in scope: FeedScope, on connection: Connection
  ) throws -> Loading.ExitCode {
    let (health, earlier) = try reportingErrors {
      try connection.transaction {
        (
          try HealthListing(on: connection).health(of: scope, maxAges: command.maxAge),
          try EarlierFinding.all(of: report.files, on: connection)
        )
      }
    }
    night.health = health.feeds
    night.openFailures = health.openFailures
    night.earlierFindings = earlier
    for finding in night.earlierFindings where !command.loading.quiet {
      Terminal.problem(
        "\(finding.path) was loaded by load \(finding.loadID), with "
          + "\(counted(finding.rejected, "refused line")) and "
          + counted(finding.conflicts, "conflict"))
    }
    for line in night.healthLines { Terminal.problem(line) }
    let findings: Loading.ExitCode = night.earlierFindings.isEmpty ? .success : .loadedWithFindings
    return findings.joined(with: night.health.allSatisfy(\.isOK) ? .success : .incomplete)
  }
}

extension RunReport {
  /// Sets an error of exit code 7, if there is no other one.
  fileprivate mutating func noteIncomplete(_ message: String, code: ErrorCode) {
    guard error == nil else { return }
    error = message
    errorCode = code
  }
}

/// Reads the files of a run once, and judges the figures of their days before anything is committed.
struct GuardCheck {
  private let plan: RunPlan
  private let options: LoadOptions

  init(_ plan: RunPlan, options: LoadOptions) {
    self.plan = plan
    self.options = options
  }

  /// The judged figures of all days.
  ///
  /// - Parameters:
  ///   - connection: to the database of the run.
  ///   - interruption: ends the reading between two files.
  func findings(on connection: Connection, interruption: Interruption) throws -> [GuardFinding] {
    let appID =
      try options.appID ?? options.expectedApp
      ?? connection.transaction { try DatabaseSettings(connection).value(of: .appID) }
    var options = options
    options.appID = appID ?? options.appID
    let validation = FileValidation(options, startOfRun: currentMilliseconds())
    return try plan.days.flatMap { day -> [GuardFinding] in
      let inputs = plan.parts.filter { $0.day == day }.flatMap(\.found.inputs)
      let (figures, files) = try self.figures(of: day, inputs, validation, interruption)
      let isLoaded = try connection.transaction { try Night.areLoaded(files, on: connection) }
      // A second run of the day has nothing to refuse.
      if isLoaded { return [] }
      let usual = try connection.transaction { try UsualFigures(before: day, on: connection) }
      return DayGuard(day, figures: figures, usual: usual, appID: appID).findings
    }
  }

  private func figures(
    of day: ReportDay, _ inputs: [Input], _ validation: FileValidation, _ interruption: Interruption
  ) throws -> (DayFigures, files: [(stream: String, sha256: [UInt8])]) {
    var figures = DayFigures(of: day)
    var files: [(stream: String, sha256: [UInt8])] = []
    // Receipts also come within events; where their own files are there, those would count twice.
    let hasReceipts = inputs.contains { $0.stream == RecordStream.receipt.name }
    let ahead = ObjectWindows.assign(inputs, lanes: [Array(inputs.indices)]) {
      interruption.isRequested
    }
    for input in ahead where !input.isStandardInput {
      try interruption.check()
      guard let stream = StreamCatalog.stream(named: input.stream) else { continue }
      figures.note(stream: stream.name)
      let result = try validation.check(
        .input(input),
        batch: { figures.take($0, of: stream, countsEmbedded: !hasReceipts) }, reject: { _ in })
      if result.status == .failed { figures.note(unreadable: stream.name) }
      files.append((stream.name, result.totals.sha256))
    }
    return (figures, files)
  }
}
