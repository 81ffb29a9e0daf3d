internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest load`: loads files into the database.
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load files into the database, each completely or not at all.",
    usage: """
      gamebase-ingest load <paths> ... [options]
      gamebase-ingest load receipts/ levelups-2026-11-20.jsonl --database service=games
      gamebase-ingest load data/ --local
      """)

  @OptionGroup var records: RecordOptions
  @OptionGroup var completeness: CompletenessOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions
  @OptionGroup var refreshing: RefreshOptions

  @Option(
    help: ArgumentHelp(
      "Write the run's report as JSON; - is standard output.",
      discussion: "Usage errors are reported too. With -, the summary goes to standard error.",
      valueName: "file"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "The action for field names that are new to a stream: warn, fail or ignore.",
      valueName: "policy"))
  var unknownFields: UnknownFieldPolicy = .warn

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Load a file again that is loaded under another --app-id or --observed-at.",
      discussion: "Otherwise such a file fails, because most often an option was forgotten."))
  var reloadAs = false

  @Flag(help: "Stop at the first file that fails.")
  var failFast = false

  @Flag(
    help: ArgumentHelp(
      "Leave the reports as they are, instead of refreshing them after the last file.",
      discussion: "The next load without this option, or refresh, brings them up to date."))
  var noRefresh = false

  @Option(
    help: ArgumentHelp(
      "The longest wait for a file that another loader is loading.", valueName: "seconds"))
  var lockWait = 60

  @Option(
    help: ArgumentHelp(
      "The number of streams to load in parallel; the number of cores if unset.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "The number of retries when the server is unavailable or another session blocks the load.",
      valueName: "n"))
  var retries = RetryPolicy().retries

  @Flag(help: "Print only errors.")
  var quiet = false

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    if retries < 0 { throw ValidationError("--retries must not be negative.") }
    if lockWait < 0 { throw ValidationError("--lock-wait must not be negative.") }
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
        "no input is named: \(folder) follows --local, so it was taken for the private server's folder; "
          + "write inputs first, as in load \(folder) --local")
    }
    let found = completeness.ready(try records.inputs())
    if !quiet { found.noteSkipped() }
    let key = try erasureKey.key()
    let target = try database.target(isQuiet: quiet)
    var options = records.loadOptions
    completeness.apply(to: &options)
    options.erasureKey = key
    options.unknownFields = unknownFields
    options.failFast = failFast
    options.refreshes = !noRefresh
    options.reloadsUnderNewOptions = reloadAs
    options.isDryRun = dryRun
    options.jobs = jobs
    options.retries.retries = retries
    options.lockWaitSeconds = lockWait
    options.refreshWaitSeconds = refreshing.refreshWait

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
