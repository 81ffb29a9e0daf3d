internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import ReportPage

/// The outputs of one run: its report, its metrics, and the program that gets the report.
struct RunOutputs {
  private let options: OutputOptions
  /// The day that placeholders in the name of the report stand for, such as `2026-01-31`.
  var day: String { didSet { isDayKnown = true } }
  /// The feeds that the metrics show.
  var scope = FeedScope(appID: nil)
  private var isDayKnown: Bool
  private let isQuiet: Bool
  /// nil: no report is wanted.
  private let reportPattern: DayPattern?

  private var reportPath: String? { reportPattern?.path(on: day) }

  /// - Parameters:
  ///   - day: the day; nil: yesterday, until the run knows its day in the reporting zone.
  /// - Throws: `CommandFailure` with exit code 64 when the name has an unknown placeholder.
  init(_ options: OutputOptions, day: String?, quiet: Bool) throws {
    self.options = options
    self.day = day ?? Self.yesterday
    isDayKnown = day != nil
    isQuiet = quiet
    do throws(ConfigurationError) {
      reportPattern = try options.report.map { text throws(ConfigurationError) in
        try DayPattern(text)
      }
    } catch {
      throw Terminal.failure(.usage, "--report: \(error.message)")
    }
  }

  /// The day by this machine's clock and time zone.
  static var today: String { text(of: Date()) }

  /// In the name of a report, where the run could not learn the time zone of the reports.
  private static let unknownDay = "0000-00-00"

  /// The day before today.
  static var yesterday: String { text(of: Date(timeIntervalSinceNow: -86_400)) }

  private static func text(of date: Date) -> String {
    let parts = Calendar.current.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  private func destination(loadID: Int?) -> ReportDestination? {
    reportPath.map {
      ReportDestination($0.replacing("{load}", with: loadID.map { String($0) } ?? "0"))
    }
  }

  /// Checks before the run whether the outputs can be written.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when one cannot be written.
  func check() throws {
    try destination(loadID: nil)?.check()
    try options.html.map { PageDestination($0) }?.check()
    guard let metrics = options.metrics else { return }
    do { try OutputFile(metrics).check() } catch {
      throw Terminal.failure(
        .outputFailed,
        "cannot write the metrics \(metrics): \(error as? OutputFile.Failure ?? OutputFile.Failure(error))"
          + "; nothing was loaded")
    }
  }

  /// Writes all outputs; for each that fails, a message.
  ///
  /// - Parameter target: nil: no database is known, so there are no metrics of feeds.
  /// - Returns: false when one could not be written.
  func write(_ report: RunReport, target: ConnectionTarget? = nil) -> Bool {
    let isReportWritten = writeReport(report)
    let areMetricsWritten = writeMetrics(report, target)
    let isPageWritten = writePage(target)
    let isProgramDone = runProgram(report)
    return isReportWritten && areMetricsWritten && isPageWritten && isProgramDone
  }

  /// Prints the summary of a run.
  ///
  /// - Parameter isCommitted: true when the run has changed the database.
  func show(_ report: RunReport, isCommitted: Bool) throws {
    guard !isQuiet else { return }
    let isOutputTaken = reportPath == "-"
    let summary = LoadSummary(report: report) { line in
      if isOutputTaken { Terminal.note(line) } else { try Terminal.output(line) }
    }
    try Terminal.output(of: isCommitted ? "the load" : nil) { try summary.show() }
  }

  /// A run that ended before it knew its day must not replace the report of another one.
  private func writeReport(_ report: RunReport) -> Bool {
    var outputs = self
    if !isDayKnown { outputs.day = Self.unknownDay }
    return outputs.destination(loadID: report.loadID)?.write(report) ?? true
  }

  private func writeMetrics(_ report: RunReport, _ target: ConnectionTarget?) -> Bool {
    guard let path = options.metrics else { return true }
    var feeds = report.night?.health ?? []
    // Without the database, the last success stays the one that it was.
    var lastSuccess = MetricsText.lastSuccess(
      in: try? String(contentsOfFile: path, encoding: .utf8))
    if let target {
      // Without the database the figures of the run are written all the same.
      do {
        let connection = try Connection(target)
        try connection.transaction {
          lastSuccess = try MetricsText.lastSuccess(
            of: report.night?.target, on: connection)
          if feeds.isEmpty { feeds = try HealthListing(on: connection).health(of: scope).feeds }
        }
      } catch {
        Terminal.warning("the metrics lack the feeds: \(error)")
      }
    }
    let text = MetricsText(
      report, feeds: feeds, lastSuccess: lastSuccess, finishedAt: Date().timeIntervalSince1970
    ).text
    do {
      try OutputFile(path).write { try $0.write(contentsOf: Data(text.utf8)) }
      return true
    } catch {
      Terminal.problem(
        "cannot write the metrics \(path): \(error as? OutputFile.Failure ?? OutputFile.Failure(error))"
      )
      return false
    }
  }

  /// Writes the page also after a failure: its head says what cannot be trusted.
  private func writePage(_ target: ConnectionTarget?) -> Bool {
    guard let path = options.html, let target else { return true }
    do {
      let figures = try ReportFigures(from: Connection(target))
      try PageDestination(path).write(Page(figures).html, isQuiet: isQuiet)
      return true
    } catch is CommandFailure {
      // The destination has written the message.
      return false
    } catch {
      Terminal.problem("cannot write the page \(path): \(error); an existing page is unchanged")
      return false
    }
  }

  private func runProgram(_ report: RunReport) -> Bool {
    guard !options.onFinish.isEmpty else { return true }
    do {
      try FinishProgram(options.onFinish).run(input: report.json())
      return true
    } catch {
      Terminal.problem("--on-finish: \(error)")
      return false
    }
  }
}

/// The program of `--on-finish`, which gets the report of a run on its standard input.
struct FinishProgram {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let command: [String]
  /// Seconds after which the program is killed.
  private let timeout: Double

  /// Variables that can hold secrets of the database and of storage, or settings of this program.
  private static let keptPrefixes = ["PG", "AWS_", "GAMEBASE_INGEST_"]

  init(_ command: [String], timeout: Double = 60) {
    self.command = command
    self.timeout = timeout
  }

  /// Runs the program to its end; its output goes to standard error.
  ///
  /// - Throws: `Failure` when it cannot be started, takes too long, or does not end with 0.
  func run(input: Data) throws {
    let program = command[0]
    let path = NSTemporaryDirectory() + "gamebase-ingest-report-\(getpid())"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(description: "cannot keep the report for \(program): \(Self.text(errno))")
    }
    // Only the open file is used, so no other program can change what it reads.
    unlink(path)
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: input)
    lseek(descriptor, 0, SEEK_SET)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    let environment = ProcessInfo.processInfo.environment.filter { entry in
      !Self.keptPrefixes.contains { entry.key.hasPrefix($0) }
    }
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, nil, arguments, variables)
    guard code == 0 else {
      throw Failure(description: "cannot run \(program): \(Self.text(code))")
    }
    try wait(for: child)
  }

  private func wait(for child: pid_t) throws(Failure) {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child || (ended < 0 && errno != EINTR) { break }
      if ContinuousClock.now - start > .seconds(timeout) {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
        throw Failure(description: "\(command[0]) took more than \(Int(timeout)) s and was killed")
      }
      usleep(20_000)
    }
    guard status != 0 else { return }
    let signal = status & 0x7F
    throw Failure(
      description: signal != 0
        ? "\(command[0]) was ended by signal \(signal)"
        : "\(command[0]) ended with \((status >> 8) & 0xFF)")
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
