internal import RecordPipeline

extension RejectLimit {
  /// The error of a file that was read to its end; nil: its refused lines do not prevent the load.
  func error(
    _ totals: FileTotals, _ report: FailureReport, stream: RecordStream, rules: NormalizationRules
  ) -> LoadError? {
    let (rejected, lines) = (totals.rejectedCount, totals.lineCount)
    let hint =
      "List the first lines: gamebase-ingest rejects list --file '\(report.path)'; list all: "
      + "validate --format json"
    switch verdict(on: totals) {
    case .loads: return nil
    case .truncated(let line):
      let (sentence, remedy) = report.sample.explain(line, goodCount: totals.rowCount)
      return LoadError(
        .fileFailed, "\(sentence); nothing was loaded\(remedy)", code: .fileTruncated)
    case .noGoodLine:
      let diagnosis = FileDiagnosis(report.sample, stream: stream, rules: rules)
      // For programs: the likely kind of the file, and the options that would load it.
      var detail = ["looks_like": diagnosis.kind.rawValue]
      detail["options"] = diagnosis.options
      return LoadError(
        .rejectLimitPassed,
        "\(diagnosis.message(rejected: rejected, lines: lines)); nothing was loaded. "
          + "--max-rejects unlimited loads the file anyway. \(hint)",
        code: .noGoodLine, detail: detail)
    case .aboveLimit:
      return LoadError(
        .rejectLimitPassed,
        "\(rejected) of \(lines) lines were refused, more than --max-rejects allows; nothing was "
          + "loaded. \(hint)")
    }
  }
}
