internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// What `validate --format` can say.
enum ValidationFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github

  /// - Parameter show: how many refused lines of each file are told.
  func output(show: Int?) -> any ValidationOutput {
    switch self {
    case .text: TextValidationOutput(show: show ?? 20)
    case .json: JSONValidationOutput(show: show ?? .max)
    case .github: GitHubValidationOutput(show: show ?? 20)
    }
  }
}

/// How the verdicts of `validate` are told, as they come: memory does not grow with them.
protocol ValidationOutput: AnyObject {
  func begin() throws
  func begin(_ file: CheckedFile) throws
  func reject(_ reject: RejectedLine, of file: CheckedFile) throws
  func end(_ file: CheckedFile, _ result: ValidationResult) throws
  /// Ends the output, with the files that were left alone because they fit no stream.
  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws
}
