internal import RecordPipeline

/// Builds the error of a file that its refused lines fail, as `RejectLimit` decides.
struct RejectLimitErrors {
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
    case .truncated(let line):
      let (sentence, remedy) = failureReport.sample.explain(line, goodCount: totals.rowCount)
      return LoadError(
        .fileFailed, "\(sentence); nothing was loaded\(remedy)", code: .fileTruncated)
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
    guard !failureReport.hasGoodLine else {
      return LoadError(.rejectLimitPassed, "\(message). \(hint)")
    }
    let diagnosis = FileDiagnosis(failureReport.sample, stream: stream, rules: rules)
    return LoadError(
      .rejectLimitPassed,
      "\(message). None was good: \(diagnosis.guess). --max-rejects unlimited loads the file anyway. \(hint)",
      detail: diagnosis.detail)
  }

  private var hint: String {
    "List the first lines: gamebase-ingest rejects list --file '\(failureReport.path)'; list all: "
      + "validate --format json"
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
