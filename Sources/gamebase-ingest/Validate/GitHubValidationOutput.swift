internal import Loading
internal import RecordPipeline

/// Prints the verdicts as workflow commands, which GitHub shows beside the lines of a pull request.
///
/// - Source: GitHub's documentation, "Workflow commands for GitHub Actions".
final class GitHubValidationOutput: TextValidationOutput {
  /// Keeps other output from being read as a command.
  ///
  /// A command begins a line with two colons; its older form has `##[` anywhere in a line.
  override func safe(_ text: String) -> String {
    let text = super.safe(text).replacing("##[", with: "# #[")
    return text.hasPrefix("::") ? "./\(text)" : text
  }

  override func write(_ reject: RejectedLine, of file: CheckedFile) throws {
    let rejection = reject.rejection
    let place = "file=\(property(file.path)),line=\(reject.lineNumber)"
    let field = rejection.field.map { "\($0): " } ?? ""
    try Terminal.output(
      "::error \(place),title=\(rejection.code.rawValue)::\(message(field + rejection.reason))")
  }

  override func write(failure: String, of file: CheckedFile) {
    // GitHub reads annotations from standard output. A failed write is ignored here; the table at
    // the end fails, too, and reports it.
    try? Terminal.output("::error file=\(property(file.path))::\(message(failure))")
  }

  override func write(skipped file: SkippedInput) {
    try? Terminal.output("::warning file=\(property(file.path))::skipped: \(message(file.reason))")
  }

  private func message(_ text: String) -> String {
    printable(text).replacing("%", with: "%25")
  }

  private func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
