/// The exit code of a run that loaded its files, with refused lines or conflicts.
///
/// Schedulers retry or raise an alarm for every code but 0, and some feeds have a refused line on most
/// days.
package struct FindingsPolicy: Sendable {
  /// The refused lines that count as none; nil: each one counts.
  private let accepted: RejectLimit?
  /// The exit code instead of 3.
  private let exitCode: Int32

  /// - Parameters:
  ///   - accepted: nil: not given.
  ///   - exitCode: nil: not given.
  package init(accepted: RejectLimit? = nil, exitCode: Int32? = nil) {
    self.accepted = accepted
    self.exitCode = exitCode ?? ExitCode.loadedWithFindings.rawValue
  }

  /// Sets the exit code of a run that ended with 3; every other code stays.
  ///
  /// The findings stay in the report, and in its `load_exit_code`.
  package func apply(to report: inout RunReport) {
    guard report.exitCode == ExitCode.loadedWithFindings.rawValue else { return }
    report.exitCode = accepts(report) ? ExitCode.success.rawValue : exitCode
  }

  /// True when there is no conflict, and the refused lines of all files together are within the limit.
  private func accepts(_ report: RunReport) -> Bool {
    guard let accepted else { return false }
    let earlier = report.night?.earlierFindings ?? []
    let conflicts =
      report.files.map { $0.conflicts + ($0.embedded?.conflicts ?? 0) }.reduce(0, +)
      + earlier.map(\.conflicts).reduce(0, +)
    let rejected =
      report.files.map(\.rejected).reduce(0, +) + earlier.map(\.rejected).reduce(0, +)
    let lines = report.files.map(\.lines).reduce(0, +) + (report.night?.earlierLines ?? 0)
    return conflicts == 0 && !accepted.isPassed(rejected: rejected, lines: lines)
  }
}
