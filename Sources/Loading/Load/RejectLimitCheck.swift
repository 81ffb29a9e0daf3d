internal import RecordPipeline

/// Decides whether a file's refused lines fail the file, and builds the error.
struct RejectLimitCheck {
  private let failureReport: FailureReport
  private let stream: RecordStream
  private let rules: NormalizationRules
  private let limit: RejectLimit

  init(_ failureReport: FailureReport, stream: RecordStream, options: LoadOptions, run: RunContext)
  {
    self.failureReport = failureReport
    self.stream = stream
    rules = options.rules(startOfRun: run.startedAt)
    limit = options.rejectLimit
  }

  /// The error of a file that was read to its end; nil: its refused lines do not prevent the load.
  func error(_ totals: FileTotals) -> LoadError? {
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    switch limit.verdict(on: totals) {
    case .loads: return nil
    case .noGoodLine:
      let diagnosis = FileDiagnosis(failureReport.sample, stream: stream, rules: rules)
      return LoadError(
        .rejectLimitPassed,
        "\(diagnosis.message(rejected: rejected, lines: lines)); nothing was loaded. "
          + "--max-rejects unlimited loads the file anyway. \(hint)",
        code: .noGoodLine, detail: diagnosis.detail)
    case .aboveLimit:
      return LoadError(
        .rejectLimitPassed,
        "\(rejected) of \(lines) lines were refused, more than --max-rejects allows; nothing was "
          + "loaded. \(hint)")
    }
  }

  /// The error of a file that passes the limit before its end.
  var errorSoFar: LoadError {
    let message =
      "\(failureReport.rejectedCount) lines so far were refused, more than --max-rejects allows; nothing "
      + "was loaded"
    guard failureReport.rejectedCount == failureReport.lineCount else {
      return LoadError(.rejectLimitPassed, "\(message). \(hint)")
    }
    let diagnosis = FileDiagnosis(failureReport.sample, stream: stream, rules: rules)
    return LoadError(
      .rejectLimitPassed, "\(message). None was good: \(diagnosis.guess). \(hint)",
      code: .noGoodLine, detail: diagnosis.detail)
  }

  private var hint: String {
    "List the first lines: gamebase-ingest rejects list --file '\(failureReport.path)'; list all: "
      + "validate"
  }
}

extension FileDiagnosis {
  /// For programs: the likely kind of the file, and the options that would load it.
  fileprivate var detail: [String: String] {
    var detail = ["looks_like": kind.rawValue]
    detail["options"] = options
    return detail
  }
}

/// The exit code of a run that loaded its files, with refused lines or conflicts.
///
/// Schedulers retry or raise an alarm for every code but 0, and some feeds have a refused line on most
/// days.
package struct FindingsPolicy: Sendable {
  /// The refused lines that count as none; nil: each one counts.
  private let accepted: RejectLimit?
  /// The exit code instead of 3.
  private let exitCode: Int32

  /// - Parameters:
  ///   - accepted: nil: not given.
  ///   - exitCode: nil: not given.
  package init(accepted: RejectLimit? = nil, exitCode: Int32? = nil) {
    self.accepted = accepted
    self.exitCode = exitCode ?? ExitCode.loadedWithFindings.rawValue
  }

  /// Sets the exit code of a run that ended with 3; every other code stays.
  ///
  /// The findings stay in the report, and in its `load_exit_code`.
  package func apply(to report: inout RunReport) {
    guard report.exitCode == ExitCode.loadedWithFindings.rawValue else { return }
    report.exitCode = accepts(report) ? ExitCode.success.rawValue : exitCode
  }

  /// True when there is no conflict, and the refused lines of all files together are within the limit.
  private func accepts(_ report: RunReport) -> Bool {
    guard let accepted else { return false }
    let earlier = report.night?.earlierFindings ?? []
    let conflicts =
      report.files.map { $0.conflicts + ($0.embedded?.conflicts ?? 0) }.reduce(0, +)
      + earlier.map(\.conflicts).reduce(0, +)
    let rejected =
      report.files.map(\.rejected).reduce(0, +) + earlier.map(\.rejected).reduce(0, +)
    let lines = report.files.map(\.lines).reduce(0, +) + earlier.map(\.lines).reduce(0, +)
    return conflicts == 0 && !accepted.isPassed(rejected: rejected, lines: lines)
  }
}
