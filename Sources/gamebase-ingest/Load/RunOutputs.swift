internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// The outputs of one run: its report and its metrics.
struct RunOutputs {
  private let options: OutputOptions
  /// The day that placeholders in the name of the report stand for, such as `2026-01-31`.
  var day: String { didSet { isDayKnown = true } }
  /// The application whose feeds the metrics show; nil: all.
  var appID: String?
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
      throw Terminal.failure(.usage, "--report: \(error.description)")
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

  private func report(loadID: Int?) -> Output? {
    reportPath.map {
      Output($0.replacing("{load}", with: loadID.map { String($0) } ?? "0"), "the report")
    }
  }

  private var metrics: Output? { options.metrics.map { Output($0, "the metrics") } }

  /// Checks before the run whether the outputs can be written.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when one cannot be written.
  func check() throws {
    try report(loadID: nil)?.check("nothing was loaded")
    try metrics?.check("nothing was loaded")
  }

  /// Loads files, and writes and shows what came of it.
  ///
  /// - Throws: the exit code of the run unless it is 0; 74 when an output could not be written, and 64 when
  ///   an output would replace an input or the other output, which then is not written.
  func load(_ found: FoundInputs, _ options: LoadOptions, target: ConnectionTarget) throws {
    try refuseReplaced(found)
    let progress = LoadProgress()
    let display =
      isQuiet
      ? nil
      : ProgressDisplay(progress, totalBytes: found.inputs.map(\.sizeOnDisk).reduce(0, +))
    let report = LoadRun(
      options, target: target, logger: commandLogger(), progress: progress,
      interruption: .bySignals()
    ).load(found)
    display?.finish()
    if let night = report.night { show(night) }
    let areOutputsWritten = write(report, target: target)
    try show(report, isCommitted: !options.isDryRun && report.loadID != nil)
    guard areOutputsWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }

  private func refuseReplaced(_ found: FoundInputs) throws {
    for input in found.inputs where input.object == nil { OutputFile.keep(input.path) }
    var replaced = OutputFile.inputs
    for path in [reportPath, options.metrics].compactMap(\.self) where path != "-" {
      guard replaced.insert(OutputFile.identity(of: path) ?? path).inserted else {
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
  func write(_ report: RunReport, target: ConnectionTarget? = nil) -> Bool {
    let isReportWritten = writeReport(report)
    let areMetricsWritten = writeMetrics(report, target)
    return isReportWritten && areMetricsWritten
  }

  /// Prints the summary of a run.
  ///
  /// - Parameter isCommitted: true when the run has changed the database.
  private func show(_ report: RunReport, isCommitted: Bool) throws {
    let isOutputTaken = reportPath == "-"
    let summary = LoadSummary(report: report) { line in
      if isOutputTaken { Terminal.note(line) } else { try Terminal.output(line) }
    }
    summary.warn()
    guard !isQuiet else { return }
    try Terminal.output(of: isCommitted ? "the load" : nil) { try summary.show() }
  }

  /// A run that ended before it knew its day must not replace the report of another one.
  private func writeReport(_ report: RunReport) -> Bool {
    var outputs = self
    if !isDayKnown { outputs.day = Self.unknownDay }
    return outputs.report(loadID: report.loadID)?.isWritten(report) ?? true
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
          lastSuccess = try MetricsText.lastSuccess(
            of: report.night?.target, on: connection)
          if feeds.isEmpty { feeds = try Health(of: appID, on: connection).feeds }
        }
      } catch {
        Terminal.warning("the metrics lack the feeds: \(error)")
      }
    }
    let text = MetricsText(
      report, feeds: feeds, lastSuccess: lastSuccess, finishedAt: Date().timeIntervalSince1970
    ).text
    return (try? metrics.write(Data(text.utf8))) != nil
  }
}

extension Output {
  /// Writes a report; a failure is a message.
  fileprivate func isWritten(_ report: RunReport) -> Bool {
    (try? write(report.json())) != nil
  }

  /// Writes the report of a command line that could not be parsed, if it names one.
  ///
  /// The report replaces only an empty file or an earlier report: such a command line can also name a key
  /// or an input.
  ///
  /// - Parameter arguments: without the program's name.
  static func write(_ report: RunReport, namedIn arguments: [String]) {
    guard ["load", "run"].contains(arguments.first) else { return }
    var path: String?
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst(), argument != "--" {
      if argument == "--report" {
        path = rest.popFirst() ?? path
      } else if argument.hasPrefix("--report=") {
        path = String(argument.dropFirst("--report=".count))
      }
    }
    guard var path, !path.isEmpty else { return }
    // The day of a wrong command line is not known, and it has no run.
    let pattern = try? DayPattern(path)
    path = pattern?.path(on: RunOutputs.today).replacing("{load}", with: "0") ?? path
    if OutputFile.identity(of: path) != nil {
      guard let file = FileHandle(forReadingAtPath: path),
        [Data(), Data("{\n".utf8)].contains((try? file.read(upToCount: 2)) ?? Data())
      else { return }
    }
    _ = Output(path, "the report").isWritten(report)
  }
}
