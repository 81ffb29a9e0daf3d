internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// The outputs of one run: its report and its metrics.
struct RunOutputs {
  private let options: OutputOptions
  private let isQuiet: Bool
  /// nil: no report is wanted.
  private let reportPattern: DayPattern?
  /// The day that placeholders in the name of the report stand for, such as `2026-01-31`; nil: the run
  /// does not know its day in the reporting zone yet.
  var day: String?
  /// The application whose feeds the metrics show; nil: all.
  var appID: String?

  /// - Throws: `ConfigurationError` when the name of the report has an unknown placeholder.
  init(_ options: RunOptions, day: String?) throws {
    self.options = options.outputs
    isQuiet = options.loading.waiting.quiet
    self.day = day
    reportPattern = try self.options.report.map { try DayPattern($0) }
  }

  /// The day by this machine's clock and time zone.
  static var today: String { day(of: .now) }

  private static func day(of date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }

  private func report(of day: String, loadID: Int?) -> Output? {
    reportPattern.map {
      Output($0.path(on: day).replacing("{load}", with: String(loadID ?? 0)), "the report")
    }
  }

  private var metrics: Output? { options.metrics.map { Output($0, "the metrics") } }

  /// Runs a command whose outputs can be written, and writes those of a failure before its run.
  ///
  /// - Throws: `LoadError` with exit code 74 when one cannot be written; any error of `body`.
  mutating func reportingFailure(
    _ night: NightReport? = nil, _ body: (inout RunOutputs) throws -> Void
  ) throws {
    let yesterday = Self.day(of: .now - 86_400)
    try report(of: day ?? yesterday, loadID: nil)?.check("nothing was loaded")
    try metrics?.check("nothing was loaded")
    let clock = ReportClock()
    do { try body(&self) } catch {
      if let failure = LoadError(ending: error) {
        var report = RunReport(failedWith: failure, version: Version.current, clock: clock)
        report.night = night
        _ = write(report)
      }
      throw error
    }
  }

  /// Loads files, and writes and shows what came of it.
  ///
  /// - Throws: the exit code of the run unless it is 0; 74 when an output could not be written, and 64 when
  ///   an output would replace an input or the other output, which then is not written.
  func load(_ found: FoundInputs, _ options: LoadOptions, target: ConnectionTarget) throws {
    try refuseReplaced(found)
    let progress = LoadProgress()
    let bytes = found.inputs.map(\.sizeOnDisk).reduce(0, +)
    let start = ContinuousClock.now
    let run = LoadRun(
      options, target: target, progress: progress, interruption: .bySignals())
    let report = showingProgress(
      isQuiet: isQuiet, line: { progress.line(of: bytes, since: start) }
    ) { run.load(found) }
    if let night = report.night { show(night) }
    let areOutputsWritten = write(report, target: target)
    report.warn()
    if !isQuiet {
      let isCommitted = !options.isDryRun && report.loadID != nil
      let isTaken = self.options.report == "-"
      try Terminal.output(of: isCommitted ? "the load" : nil) {
        try report.show { try isTaken ? Terminal.note($0) : Terminal.output($0) }
      }
    }
    guard areOutputsWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }

  private func refuseReplaced(_ found: FoundInputs) throws {
    for input in found.inputs where input.object == nil { Output.keep(input.path) }
    var replaced = Output.inputs
    let report = day.flatMap { reportPattern?.path(on: $0) }
    for path in [report, options.metrics].compactMap(\.self) where path != "-" {
      guard replaced.insert(Output.identity(of: path) ?? path).inserted else {
        Terminal.problem(
          "the output \(path) is an input or another output; give it a name of its own")
        throw Terminal.code(.usage)
      }
    }
  }

  /// Prints the verdicts of a night that are not ok.
  private func show(_ night: NightReport) {
    for finding in isQuiet ? [] : night.earlierFindings {
      Terminal.problem(
        "\(finding.path) was loaded by load \(finding.loadID), with "
          + "\(counted(finding.rejected, "refused line")) and "
          + counted(finding.conflicts, "conflict"))
    }
    for line in night.healthLines + [night.conclusion].compactMap(\.self) { Terminal.problem(line) }
  }

  /// Writes all outputs; for each that fails, a message.
  ///
  /// - Parameter target: nil: no database is known, so there are no metrics of feeds.
  /// - Returns: false when one could not be written.
  private func write(_ report: RunReport, target: ConnectionTarget? = nil) -> Bool {
    // A run that ended before it knew its day must not replace the report of another one.
    let output = self.report(of: day ?? "0000-00-00", loadID: report.loadID)
    let isReportWritten = output?.isWritten(try report.json()) ?? true
    return writeMetrics(report, target) && isReportWritten
  }

  /// A dry run has nothing to be watched.
  private func writeMetrics(_ report: RunReport, _ target: ConnectionTarget?) -> Bool {
    guard let path = options.metrics, let metrics, !report.dryRun else { return true }
    var feeds = report.night?.health ?? []
    // Without the database, the last success stays the one that it was.
    var lastSuccess = MetricsText.lastSuccess(
      in: try? String(contentsOfFile: path, encoding: .utf8))
    if let target {
      // Without the database the figures of the run are written all the same.
      do {
        let connection = try Connection(target)
        try connection.transaction(.readOnlySnapshot) {
          lastSuccess = try MetricsText.lastSuccess(of: report.night?.target, on: connection)
          if feeds.isEmpty { feeds = try Health(of: appID, on: connection).feeds }
        }
      } catch {
        Terminal.warning("the metrics lack the feeds: \(error)")
      }
    }
    let text = MetricsText(
      report, feeds: feeds, lastSuccess: lastSuccess, finishedAt: Date().timeIntervalSince1970
    ).text
    return metrics.isWritten(Data(text.utf8))
  }
}

extension Output {
  /// Writes the report of a command line that could not be parsed, if it names one.
  ///
  /// The report replaces only an empty file or an earlier report: such a command line can also name a key
  /// or an input.
  ///
  /// - Parameter arguments: without the program's name.
  static func write(_ failure: LoadError, namedIn arguments: [String]) {
    guard ["load", "run"].contains(arguments.first) else { return }
    guard var path = ConfiguredCommandLine.value(of: "report", in: arguments), !path.isEmpty
    else { return }
    // The day of a wrong command line is not known, and it has no run.
    let pattern = try? DayPattern(path)
    path = pattern?.path(on: RunOutputs.today).replacing("{load}", with: "0") ?? path
    if Output.identity(of: path) != nil {
      guard let file = FileHandle(forReadingAtPath: path),
        [Data(), Data("{\n".utf8)].contains((try? file.read(upToCount: 2)) ?? Data())
      else { return }
    }
    let report = RunReport(failedWith: failure, version: Version.current, clock: ReportClock())
    _ = Output(path, "the report").isWritten(try report.json())
  }
}
