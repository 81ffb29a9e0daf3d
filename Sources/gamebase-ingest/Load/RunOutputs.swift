internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import RecordPipeline

/// The outputs of one run: its report and its metrics.
struct RunOutputs {
  private let options: RunOptions
  private var isQuiet: Bool { options.waiting.quiet }

  /// - Parameter day: the day that placeholders in the name of the report stand for, such as `2026-01-31`;
  ///   nil: the run does not know its day in the reporting zone yet.
  /// - Throws: `LoadError` with exit code 74 when an output cannot be written.
  init(_ options: RunOptions, day: String?) throws {
    self.options = options
    ConfiguredCommandLine.current?.day = day
    let (yesterday, state) = (Self.day(of: .now - 86_400), "nothing was loaded")
    try Self.report(options.report, on: day ?? yesterday, state: state)?.check()
    try options.metrics.map { Output($0, "the metrics", state: state) }?.check()
  }

  /// The day by this machine's clock and time zone.
  static func day(of date: Date = .now) -> String {
    date.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }

  /// The report of a run, by the name that the command line has; nil: none is wanted.
  ///
  /// - Parameter day: nil: that of the run. One that ended before it knew its day must not replace the
  ///   report of another one.
  private static func report(
    _ name: String?, on day: String? = nil, of loadID: Int? = nil, state: String? = nil
  ) throws(ConfigurationError) -> Output? {
    guard let name else { return nil }
    let day = day ?? ConfiguredCommandLine.current?.day ?? "0000-00-00"
    let path = try DayPattern(name).path(on: day).replacing("{load}", with: String(loadID ?? 0))
    return Output(path, "the report", state: state)
  }

  /// Writes the report and the metrics of a command that failed before its run, if its command line names them.
  ///
  /// They replace only an empty file or earlier ones: a wrong command line can also name a key or an input.
  ///
  /// - Parameter arguments: without the program's name.
  static func write(_ failure: LoadError, namedIn arguments: [String], since clock: ReportClock) {
    guard let command = arguments.first, ["load", "run"].contains(command),
      failure.code != .outputFailed, !arguments.contains("--plan")
    else { return }
    var report = RunReport(failedWith: failure, version: Version.current, clock: clock)
    if command == "run" {
      report.night = NightReport(Night(target: ConfiguredCommandLine.current?.target?.name))
    }
    func replace(_ output: Output, beginningWith start: String, _ content: Data) {
      if Output.identity(of: output.path) != nil {
        guard let file = FileHandle(forReadingAtPath: output.path),
          [Data(), Data(start.utf8)].contains((try? file.read(upToCount: 2)) ?? Data())
        else { return }
      }
      _ = output.isWritten(content)
    }
    if let name = ConfiguredCommandLine.value(of: "report", in: arguments), !name.isEmpty,
      let output = try? self.report(name, on: command == "load" ? day() : nil),
      let json = try? report.json()
    {
      replace(output, beginningWith: "{\n", json)
    }
    if let path = ConfiguredCommandLine.value(of: "metrics", in: arguments), !path.isEmpty,
      !arguments.contains("--dry-run")
    {
      replace(Output(path, "the metrics"), beginningWith: "# ", metrics(report, in: path))
    }
  }

  /// The metrics of a run; without the database, the last success stays the one that it was.
  private static func metrics(
    _ report: RunReport, in path: String, lastSuccess: Double? = nil, feeds: [FeedHealth] = []
  ) -> Data {
    let earlier = try? String(contentsOfFile: path, encoding: .utf8)
    return Data(
      MetricsText(
        report, feeds: feeds, lastSuccess: lastSuccess ?? MetricsText.lastSuccess(in: earlier),
        finishedAt: Date().timeIntervalSince1970
      ).text.utf8)
  }

  /// Loads files, and writes and shows what came of it.
  ///
  /// - Throws: the exit code of the run unless it is 0; 74 when an output could not be written, and 64 when
  ///   an output would replace an input or the other output, which then is not written.
  func load(_ found: FoundInputs, _ load: LoadOptions, target: ConnectionTarget) throws {
    for input in found.inputs where input.object == nil { Output.keep(input.path) }
    var replaced = Output.inputs
    for path in [try Self.report(options.report)?.path, options.metrics] {
      guard let path, path != "-" else { continue }
      guard replaced.insert(Output.identity(of: path) ?? path).inserted else {
        Terminal.problem(
          "the output \(path) is an input or another output; give it a name of its own")
        throw Terminal.code(.usage)
      }
    }
    let progress = LoadProgress()
    let bytes = found.inputs.map(\.sizeOnDisk).reduce(0, +)
    let start = ContinuousClock.now
    let run = LoadRun(load, target: target, progress: progress, interruption: .bySignals())
    let report = showingProgress(
      isQuiet: isQuiet, line: { progress.line(of: bytes, since: start) }
    ) { run.load(found) }
    show(report.night)
    let output = try Self.report(options.report, of: report.loadID)
    let isReportWritten = output?.isWritten(try report.json()) ?? true
    let areMetricsWritten = load.isDryRun || writesMetrics(report, target)
    report.warnings.forEach(Terminal.warning)
    if !isQuiet {
      let isCommitted = !load.isDryRun && report.loadID != nil
      let isTaken = options.report == "-"
      try Terminal.output(of: isCommitted ? "the load" : nil) {
        for line in report.summary { try isTaken ? Terminal.note(line) : Terminal.output(line) }
      }
      report.hints.forEach(Terminal.note)
    }
    guard isReportWritten, areMetricsWritten else { throw Terminal.code(.outputFailed) }
    if report.exitCode != 0 { throw ArgumentParser.ExitCode(report.exitCode) }
  }

  /// Prints the verdicts of a night that are not ok.
  private func show(_ night: NightReport?) {
    guard let night else { return }
    for finding in isQuiet ? [] : night.earlierFindings {
      Terminal.problem(
        "\(finding.path) was loaded by load \(finding.loadID), with "
          + "\(counted(finding.rejected, "refused line")) and "
          + counted(finding.conflicts, "conflict"))
    }
    for line in night.healthLines + [night.conclusion].compactMap(\.self) { Terminal.problem(line) }
  }

  /// Writes the figures of the run, and of the feeds as far as the database gives them.
  private func writesMetrics(_ report: RunReport, _ target: ConnectionTarget) -> Bool {
    guard let path = options.metrics else { return true }
    var (feeds, lastSuccess) = (report.night?.health ?? [], Double?.none)
    do {
      let connection = try Connection(target)
      try connection.transaction(.readOnlySnapshot) {
        lastSuccess = try MetricsText.lastSuccess(of: report.night?.target, on: connection) ?? 0
        let records = options.inputs.records
        let app = report.night == nil ? nil : records.appId ?? records.expectApp
        if feeds.isEmpty { feeds = try Health(of: app, on: connection).feeds }
      }
    } catch {
      Terminal.warning("the metrics lack the feeds: \(error)")
    }
    return Output(path, "the metrics").isWritten(
      Self.metrics(report, in: path, lastSuccess: lastSuccess, feeds: feeds))
  }
}
