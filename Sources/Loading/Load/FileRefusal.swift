internal import RecordPipeline

/// The reason why a file that was read to its end fails for its lines.
struct FileRefusal {
  let code: ErrorCode
  /// A clause to print after the path.
  let sentence: String
  private var detail: [String: String] = [:]
  /// Begins with a full stop; empty where the sentence has the remedy.
  let remedy: String

  /// - Returns: nil when the refused lines do not prevent the load.
  init?(
    _ limit: RejectLimit, _ totals: FileTotals, _ sample: RejectSample, stream: RecordStream,
    rules: NormalizationRules
  ) {
    guard let code = limit.refusal(of: totals) else { return nil }
    self.code = code
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    if code == .fileTruncated, let line = totals.cutLine {
      (sentence, remedy) = sample.explain(line, goodCount: totals.rowCount)
    } else if code == .noGoodLine {
      let diagnosis = FileDiagnosis(sample, stream: stream, rules: rules)
      sentence = "not one line is good (\(rejected) of \(lines) refused): \(diagnosis.guess)"
      remedy = ""
      // For programs: the likely kind of the file, and the options that would load it.
      detail = ["looks_like": diagnosis.kind.rawValue]
      detail["options"] = diagnosis.options
    } else {
      sentence = "\(rejected) of \(lines) lines were refused, more than --max-rejects allows"
      remedy = ""
    }
  }

  /// The status of a file that is checked without a database.
  var status: FileVerdict.Status {
    switch code {
    case .fileTruncated: .failed
    case .noGoodLine: .noGoodLine
    default: .aboveLimit
    }
  }

  /// The error of a load.
  func error(of path: String) -> LoadError {
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
