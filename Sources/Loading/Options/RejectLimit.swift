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

  /// The consequence of the refused lines of a file for its load.
  enum Verdict: Equatable { case loads, truncated(CutLine), noGoodLine, aboveLimit }

  /// The verdict on a file that was read to its end.
  ///
  /// Unless the limit is `unlimited`, two kinds of files fail whatever the number of refused lines: one that
  /// ends in the middle of a line, because nothing tells how many lines are missing, and one without a good
  /// line, because it is the wrong file or was read with the wrong options.
  func verdict(on totals: FileTotals) -> Verdict {
    if self != .unlimited, let line = totals.cutLine { return .truncated(line) }
    if self != .unlimited, totals.hasNoGoodLine { return .noGoodLine }
    let isAbove = isExceeded(rejected: totals.rejectedCount, lines: totals.lineCount)
    return isAbove ? .aboveLimit : .loads
  }

  /// The verdict before the end of the file: true when it fails, whatever its further lines are.
  func hasFailed(rejected: Int) -> Bool {
    if case .count(let limit) = self { return rejected > limit }
    return false
  }

  /// True when lines that were read to their end are above the limit.
  private func isExceeded(rejected: Int, lines: Int) -> Bool {
    switch self {
    case .standard:
      rejected > Self.standardCount && 100 * rejected > Self.standardPercentage * lines
    case .count(let limit): rejected > limit
    case .percentage(let percent): 100 * Double(rejected) > percent * Double(lines)
    case .unlimited: false
    }
  }
}
