internal import RecordPipeline

/// The number of refused lines above which a file fails.
package enum RejectLimit: Sendable, Equatable {
  /// The default: more than `standardCount` lines and more than `standardPercentage` of the lines.
  ///
  /// The count keeps a few bad lines from failing a small file, and the percentage keeps a few
  /// hundred from failing a file of a million lines.
  case standard
  /// More than this number of lines; 0 tolerates none.
  case count(Int)
  /// More than this percentage of the lines, 0...100.
  case percentage(Double)
  case unlimited

  package static let standardCount = 100
  package static let standardPercentage = 1

  /// Parses `N`, `P%` or `unlimited`; nil for any other text.
  package init?(_ text: String) {
    if text == "unlimited" {
      self = .unlimited
    } else if text.hasSuffix("%"), let percent = Double(text.dropLast()),
      (0...100).contains(percent)
    {
      self = .percentage(percent)
    } else if let count = Int(text), count >= 0 {
      self = .count(count)
    } else {
      return nil
    }
  }

  /// The cause for which a file that was read to its end fails; nil: its lines do not prevent the load.
  ///
  /// Unless the limit is `unlimited`, two kinds of files fail whatever the number of refused lines: one that
  /// ends in the middle of a line, because nothing tells how many lines are missing, and one without a good
  /// line, because it is the wrong file or was read with the wrong options.
  func refusal(of totals: FileTotals) -> ErrorCode? {
    if self != .unlimited, totals.cutLine != nil { return .fileTruncated }
    if self != .unlimited, totals.hasNoGoodLine { return .noGoodLine }
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    let isAbove =
      switch self {
      case .standard:
        rejected > Self.standardCount && 100 * rejected > Self.standardPercentage * lines
      case .count(let limit): rejected > limit
      case .percentage(let percent): 100 * Double(rejected) > percent * Double(lines)
      case .unlimited: false
      }
    return isAbove ? .rejectLimitPassed : nil
  }

  /// True before the end of a file that fails, whatever its further lines are.
  func hasFailed(rejected: Int) -> Bool {
    if case .count(let limit) = self { return rejected > limit }
    return false
  }

  /// The error of a file that was read to its end and fails for its lines; nil: they do not prevent the load.
  ///
  /// - Parameter path: of the file that a load refuses; nil: the file is only checked.
  func error(
    of totals: FileTotals, _ sample: RejectSample, stream: RecordStream,
    rules: NormalizationRules, loading path: String? = nil
  ) -> LoadError? {
    guard let code = refusal(of: totals) else { return nil }
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    var sentence = "\(rejected) of \(lines) lines were refused, more than --max-rejects allows"
    var (remedy, detail) = ("", [String: String]())
    if code == .fileTruncated, let line = totals.cutLine {
      (sentence, remedy) = sample.explain(line, goodCount: totals.rowCount)
    } else if code == .noGoodLine {
      let diagnosis = FileDiagnosis(sample, stream: stream, rules: rules)
      sentence = "not one line is good (\(rejected) of \(lines) refused): \(diagnosis.guess)"
      // For programs: the likely kind of the file, and the options that would load it.
      detail = ["looks_like": diagnosis.kind.rawValue]
      detail["options"] = diagnosis.options
    }
    guard let path else { return LoadError(code, sentence + remedy, detail: detail) }
    var text = "\(sentence); nothing was loaded\(remedy)"
    if code == .noGoodLine { text += ". --max-rejects unlimited loads the file anyway" }
    if code != .fileTruncated {
      text +=
        ". List the first lines: gamebase-ingest rejects list --file '\(path)'; list all: "
        + "validate --format json"
    }
    return LoadError(code, text, detail: detail)
  }
}
