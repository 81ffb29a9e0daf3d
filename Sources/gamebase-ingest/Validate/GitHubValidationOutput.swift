internal import Loading
internal import RecordPipeline

/// For a pull request: workflow commands that GitHub shows beside the lines.
///
/// - Source: GitHub's documentation, "Workflow commands for GitHub Actions".
final class GitHubValidationOutput: TextValidationOutput {
  /// What is printed beside the annotations is no command itself: those begin a line with two
  /// colons, the older ones hold `##[` anywhere.
  override func safe(_ text: String) -> String {
    let text = super.safe(text).replacing("##[", with: "# #[")
    return text.hasPrefix("::") ? "./\(text)" : text
  }

  override func tell(_ reject: RejectedLine, of file: CheckedFile) throws {
    let rejection = reject.rejection
    let place = "file=\(property(file.path)),line=\(reject.lineNumber)"
    let field = rejection.field.map { "\($0): " } ?? ""
    try Terminal.output(
      "::error \(place),title=\(rejection.code.rawValue)::\(message(field + rejection.reason))")
  }

  override func tell(failure: String, of file: CheckedFile) {
    // Annotations are read from standard output; that one cannot be written is told at the end.
    try? Terminal.output("::error file=\(property(file.path))::\(message(failure))")
  }

  override func tell(skipped file: SkippedInput) {
    try? Terminal.output("::warning file=\(property(file.path))::skipped: \(message(file.reason))")
  }

  private func message(_ text: String) -> String {
    printable(text).replacing("%", with: "%25")
  }

  private func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
