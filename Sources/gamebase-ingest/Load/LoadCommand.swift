internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest load`: files into the database.
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load files into the database, each wholly or not at all.",
    usage: """
      gamebase-ingest load <paths> ... [options]
      gamebase-ingest load receipts/ levelups-2026-11-20.jsonl --database service=games
      gamebase-ingest load data/ --local
      """)

  @OptionGroup var records: RecordOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions

  @Option(
    help: ArgumentHelp(
      "Write the run's report as JSON; - is standard output.",
      discussion: "A usage error is reported too. The summary then goes to standard error for -.",
      valueName: "file"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "For field names that a stream never had: warn, fail or ignore.", valueName: "policy"))
  var unknownFields: UnknownFieldPolicy = .warn

  @Flag(help: "Do everything against the database, show what it comes to, and keep nothing.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Load bytes once more that are loaded under another --app-id or --observed-at.",
      discussion: "Without it such a file fails: as a rule an option was forgotten."))
  var reloadAs = false

  @Flag(help: "Stop at the first file that fails.")
  var failFast = false

  @Option(help: ArgumentHelp("Wait for a file that another loader has.", valueName: "seconds"))
  var lockWait = 60

  @Option(
    help: ArgumentHelp(
      "Streams to load side by side; as many as cores if unset.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "How often to try again when the server is away or other sessions are in the way.",
      valueName: "n"))
  var retries = RetryPolicy().retries

  @Flag(help: "Print nothing but errors.")
  var quiet = false

  func validate() throws {
    guard jobs ?? 1 >= 1, retries >= 0 else {
      throw ValidationError("--jobs is at least 1, and --retries is not negative.")
    }
    if lockWait < 0 { throw ValidationError("--lock-wait is not negative.") }
  }

  func run() throws {
    let clock = ReportClock()
    let destination = report.map { ReportDestination($0) }
    try destination?.check()
    do { try load(reportingTo: destination) } catch let failure as CommandFailure {
      _ = destination?.write(RunReport(failure, clock: clock))
      throw failure
    }
  }

  private func load(reportingTo destination: ReportDestination?) throws {
    if records.paths.isEmpty, let folder = database.local, !folder.isEmpty {
      throw Terminal.failure(
        .usage,
        "no input is named: \(folder), which follows --local, was taken for the private server's "
          + "folder; write inputs first, as in load \(folder) --local")
    }
    let found = try records.inputs()
    if !quiet { found.noteSkipped() }
    let key = try erasureKey.key()
    let target = try database.target(isQuiet: quiet)
    var options = records.loadOptions
    options.erasureKey = key
    options.unknownFields = unknownFields
    options.failFast = failFast
    options.reloadsUnderNewOptions = reloadAs
    options.isDryRun = dryRun
    options.jobs = jobs
    options.retries.retries = retries
    options.lockWaitSeconds = lockWait

    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    let progress = LoadProgress()
    let display =
      quiet
      ? nil
      : ProgressDisplay(progress, totalBytes: found.inputs.map(\.sizeOnDisk).reduce(0, +))
    let report = LoadRun(
      options, target: target, logger: commandLogger(), progress: progress,
      interruption: interruption
    ).load(found)
    display?.finish()
    signals.stop()

    let isReportWritten = destination?.write(report) ?? true
    if !quiet {
      let isOutputTaken = destination?.isStandardOutput == true
      let summary = LoadSummary(report: report) { line in
        if isOutputTaken { Terminal.note(line) } else { try Terminal.output(line) }
      }
      try Terminal.output(of: dryRun || report.loadID == nil ? nil : "the load") {
        try summary.show()
      }
    }
    guard isReportWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }
}

extension RunReport {
  /// The report of a command that failed before its run.
  init(_ failure: CommandFailure, clock: ReportClock = ReportClock()) {
    self.init(
      failedWith: failure.exitCode, code: failure.code, message: failure.message,
      detail: failure.detail, version: Version.current, clock: clock)
  }
}

extension UnknownFieldPolicy: ExpressibleByArgument {}
