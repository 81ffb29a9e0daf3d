internal import RecordPipeline

/// A file whose refused lines may fail it, and the error that says so.
struct RefusedFile {
  private let story: FailedFile
  private let stream: RecordStream
  private let rules: NormalizationRules
  private let limit: RejectLimit

  init(_ story: FailedFile, stream: RecordStream, options: LoadOptions, run: FileLoad.Run) {
    self.story = story
    self.stream = stream
    rules = options.rules(startOfRun: run.startedAt)
    limit = options.rejectLimit
  }

  /// The error of a file that has been read to its end; nil: it may be loaded.
  ///
  /// - Parameter isPassed: the limit was passed on the way.
  func error(_ totals: FileTotals, isPassed: Bool) -> LoadError? {
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    if limit.failsWithoutGoodLine, totals.hasNoGoodLine {
      let diagnosis = FileDiagnosis(story.sample, stream: stream, rules: rules)
      return LoadError(
        .rejectLimitPassed,
        "\(diagnosis.message(rejected: rejected, lines: lines)); nothing was loaded, "
          + "and only --max-rejects unlimited would. \(whereToLook)",
        code: .noGoodLine, detail: diagnosis.detail)
    }
    guard isPassed || limit.isPassed(rejected: rejected, lines: lines) else { return nil }
    return LoadError(
      .rejectLimitPassed,
      "\(rejected) of \(lines) lines were refused, more than --max-rejects allows; nothing was "
        + "loaded. \(whereToLook)")
  }

  /// The error of a file that need not be read further.
  var errorSoFar: LoadError {
    let told =
      "\(story.rejectedCount) lines so far were refused, more than --max-rejects allows; nothing was loaded"
    guard story.rejectedCount == story.lineCount else {
      return LoadError(.rejectLimitPassed, "\(told). \(whereToLook)")
    }
    let diagnosis = FileDiagnosis(story.sample, stream: stream, rules: rules)
    return LoadError(
      .rejectLimitPassed, "\(told). None was good: \(diagnosis.guess). \(whereToLook)",
      code: .noGoodLine, detail: diagnosis.detail)
  }

  private var whereToLook: String {
    "The first of the lines: gamebase-ingest rejects list --file '\(story.path)'; all: validate"
  }
}

extension FileDiagnosis {
  /// For programs: what the file looks like, and the options that load it.
  fileprivate var detail: [String: String] {
    var detail = ["looks_like": kind.rawValue]
    detail["options"] = options
    return detail
  }
}
