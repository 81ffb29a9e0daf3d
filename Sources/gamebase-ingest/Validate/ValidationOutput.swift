internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// The values of `validate --format`.
enum ValidationFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github

  /// - Parameter show: the most refused lines to print per file; nil: all in JSON, 20 in other
  ///   formats.
  func output(show: Int?) -> any ValidationOutput {
    switch self {
    case .text: TextValidationOutput(show: show ?? 20)
    case .json: JSONValidationOutput(show: show ?? .max)
    case .github: GitHubValidationOutput(show: show ?? 20)
    }
  }
}

/// Prints the verdicts of `validate` in one format.
///
/// Each call prints at once, so memory does not grow with the number of refused lines.
protocol ValidationOutput: AnyObject {
  func begin() throws
  func begin(_ file: CheckedFile) throws
  func reject(_ reject: RejectedLine, of file: CheckedFile) throws
  func end(_ file: CheckedFile, _ result: ValidationResult) throws
  /// - Parameter skipped: the files that fit no stream and were not read.
  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws
}
