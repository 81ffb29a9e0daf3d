internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import Postgres
internal import ReportPage

/// The outputs of one run: its report, its metrics, and the program that gets the report.
struct RunOutputs {
  private let options: OutputOptions
  private let day: String
  private let isQuiet: Bool
  /// nil: no report is wanted.
  private let reportPath: String?

  /// - Parameters:
  ///   - day: for placeholders in the name of the report, such as `2026-01-31`.
  /// - Throws: `CommandFailure` with exit code 64 when the name has an unknown placeholder.
  init(_ options: OutputOptions, day: String, quiet: Bool) throws {
    self.options = options
    self.day = day
    isQuiet = quiet
    do throws(ConfigurationError) {
      reportPath = try options.report.map { text throws(ConfigurationError) in
        try DayPattern(text).path(on: day)
      }
    } catch {
      throw Terminal.failure(.usage, "--report: \(error.message)")
    }
  }

  /// The day by this machine's clock and time zone.
  static var today: String { text(of: Date()) }

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
    let isReportWritten = destination(loadID: report.loadID)?.write(report) ?? true
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

  private func writeMetrics(_ report: RunReport, _ target: ConnectionTarget?) -> Bool {
    guard let path = options.metrics else { return true }
    var feeds = report.night?.health ?? []
    var lastSuccess: Double?
    if let target {
      // Without the database the figures of the run are written all the same.
      do {
        let connection = try Connection(target)
        try connection.transaction {
          lastSuccess = try MetricsText.lastSuccess(on: connection)
          if feeds.isEmpty { feeds = try HealthListing(on: connection).feeds() }
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
