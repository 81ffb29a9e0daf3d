internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Logging
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

  @Option(help: ArgumentHelp("Write the run's report as JSON.", valueName: "file"))
  var report: String?

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
      quiet ? nil : ProgressDisplay(progress, totalBytes: found.inputs.map(fileSize).reduce(0, +))
    let report = LoadRun(
      options, target: target, logger: commandLogger(), progress: progress,
      interruption: interruption
    ).load(found)
    display?.finish()
    signals.stop()

    let isReportWritten = write(report)
    if !quiet { try printSummary(report) }
    guard isReportWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }

  private func fileSize(_ input: Input) -> Int {
    var status = stat()
    return stat(input.path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func write(_ report: RunReport) -> Bool {
    guard let path = self.report else { return true }
    do {
      let json = try report.json()
      try OutputFile(path).write { try $0.write(contentsOf: json) }
      return true
    } catch {
      Terminal.note(
        "gamebase-ingest: cannot write the report \(printable(path)): "
          + printable("\(error as? OutputFile.Failure ?? OutputFile.Failure(error))"))
      return false
    }
  }

  /// More files than this are summed up; `--report` has them all.
  private static let listedFiles = 20

  private func printSummary(_ report: RunReport) throws {
    var table = TextTable([
      "file", "stream", "status", "lines", "inserted", "filled", "duplicates", "conflicts",
      "rejected", "blank",
    ])
    func add(_ name: String, _ stream: String, _ status: String, _ files: [FileReport]) {
      let counts: [KeyPath<FileReport, Int>] = [
        \.lines, \.inserted, \.filled, \.duplicates, \.conflicts, \.rejected, \.blank,
      ]
      table.add(
        [name, stream, status]
          + counts.map { count in
            String(files.map { $0[keyPath: count] }.reduce(0, +))
          })
    }
    // A month of days is told by its sums and by the files that somebody must look at.
    let isLong = report.files.count > Self.listedFiles
    let listed = isLong ? report.files.filter(\.needsALook) : report.files
    for file in listed.prefix(Self.listedFiles) {
      add(file.path, file.stream ?? "-", file.status.rawValue, [file])
    }
    if isLong {
      for stream in StreamCatalog.all.map(\.name) {
        for status in [FileReport.Status.loaded, .alreadyLoaded, .failed] {
          let files = report.files.filter { $0.stream == stream && $0.status == status }
          if !files.isEmpty { add("\(files.count) files", stream, status.rawValue, files) }
        }
      }
    }
    if report.files.count > 1 { add("total", "-", "-", report.files) }
    if !report.files.isEmpty {
      for line in table.lines { try Terminal.output(line) }
    } else if report.exitCode == 0 {
      try Terminal.output("nothing to do: no data files were found")
    }
    let suppressed = report.files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 {
      try Terminal.output("\(suppressed) lines of erased users were suppressed")
    }
    if dryRun { try Terminal.output("dry run: nothing was kept; exit \(report.exitCode)") }
    if let loadID = report.loadID { try Terminal.output("load \(loadID), exit \(report.exitCode)") }
    if !dryRun, report.files.contains(where: { $0.rejected > 0 }) {
      Terminal.note("refused lines: gamebase-ingest rejects list --load \(report.loadID ?? 0)")
    }
  }
}

extension FileReport {
  /// True when the file failed, or some of its lines were not taken as they were.
  fileprivate var needsALook: Bool { status == .failed || rejected > 0 || conflicts > 0 }
}

/// One logger for all commands, on standard error.
func commandLogger() -> Logger {
  Logger(label: "gamebase-ingest") { StreamLogHandler.standardError(label: $0) }
}
