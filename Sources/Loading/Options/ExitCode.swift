/// The exit code of the program, for orchestrators to branch on.
package enum ExitCode: Int32, Sendable, Comparable, CaseIterable {
  case success = 0
  case loadedWithFindings = 3
  case rejectLimitPassed = 4
  case fileFailed = 5
  case locked = 6
  case incomplete = 7
  case usage = 64
  case databaseUnavailable = 69
  case defect = 70
  case outputFailed = 74
  case temporary = 75
  case configuration = 78
  case interrupted = 130
  case terminated = 143

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The exit code of a run with two problems.
  ///
  /// A code from 64 on has ended the run and takes precedence; of two such codes the receiver's
  /// does. Below 64 the higher code takes precedence, but `incomplete` only over `success` and
  /// `loadedWithFindings`.
  package func joined(with other: Self) -> Self {
    if self >= .usage { return self }
    if other >= .usage { return other }
    if self == .incomplete { return other > .loadedWithFindings ? other : self }
    if other == .incomplete { return self > .loadedWithFindings ? self : other }
    return max(self, other)
  }

  /// One line for documentation and `--help`.
  package var summary: String {
    switch self {
    case .success: "everything loaded, or nothing to do"
    case .loadedWithFindings: "loaded, with rejects or conflicts"
    case .rejectLimitPassed:
      "a file was refused for its lines, and not loaded"
    case .fileFailed: "a file failed"
    case .locked: "another loader holds the lock"
    case .incomplete: "data is late, missing or implausible"
    case .usage: "the command line is wrong"
    case .databaseUnavailable: "the database cannot be reached"
    case .defect: "a defect of this program"
    case .outputFailed: "a requested output could not be written"
    case .temporary: "a temporary failure, try again"
    case .configuration: "the database or its settings do not fit"
    case .interrupted: "interrupted (SIGINT)"
    case .terminated: "terminated (SIGTERM)"
    }
  }
}
