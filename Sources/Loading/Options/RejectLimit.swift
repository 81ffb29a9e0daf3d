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
}
