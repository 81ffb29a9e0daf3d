internal import Loading
internal import RecordPipeline

/// Prints one line of text for each refused line, and a table of the files at the end.
class TextValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  init(show: Int) { self.show = show }

  func begin() throws {}

  func begin(_ file: CheckedFile) throws { shown = 0 }

  /// Makes the name or the content of a file safe to print in this format.
  func safe(_ text: String) -> String { printable(text) }

  final func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    shown += 1
    try write(reject, of: file)
  }

  func write(_ reject: RejectedLine, of file: CheckedFile) throws {
    try Terminal.output(
      "\(printable(file.path)):\(reject.lineNumber): \(reject.rejection.sentence)")
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    if let error = result.error { write(failure: error, of: file) }
    let totals = result.totals
    if totals.rejectedCount > shown, show > 0 {
      try Terminal.output(
        "\(safe(file.path)): \(totals.rejectedCount - shown) more refused lines; "
          + "--show N prints more")
    }
    if result.looksTruncated {
      Terminal.note("\(safe(file.path)) \(FileDiagnosis.truncation)")
    }
    note(totals.unknownFields, of: file)
    let counts = [totals.lineCount, totals.rowCount, totals.rejectedCount, totals.blankCount]
    table.add(
      [safe(file.path), file.stream ?? "-", result.status.rawValue.replacing("_", with: " ")]
        + counts.map { String($0) })
  }

  /// Prints unknown fields to standard error, because they do not affect the verdict.
  private func note(_ unknown: [UnknownField], of file: CheckedFile) {
    guard !unknown.isEmpty else { return }
    let listed = unknown.prefix(Self.listedFields).map { field in
      "\(field.name.map(safe) ?? "further names") (\(field.lineCount))"
    }
    let more = unknown.count > listed.count ? ", and \(unknown.count - listed.count) more" : ""
    Terminal.note(
      "\(safe(file.path)): unknown fields, kept in extra: "
        + listed.joined(separator: ", ") + more)
  }

  func write(skipped file: SkippedInput) {
    Terminal.problem("skipped \(file.path): \(file.reason)")
  }

  func write(failure: String, of file: CheckedFile) {
    Terminal.problem("\(file.path): \(failure)")
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    for file in skipped { write(skipped: file) }
    for line in table.lines { try Terminal.output(line) }
  }
}
