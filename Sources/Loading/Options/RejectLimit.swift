internal import RecordPipeline

/// How many lines of a file may be refused before the file itself is.
package enum RejectLimit: Sendable, Equatable {
  /// More than 100 lines and more than 1 % of them: a few bad lines in a small file are no reason
  /// to lose it, and a hundred in a million are not either.
  case standard
  /// More than this many lines; 0 tolerates none.
  case count(Int)
  /// More than this percentage of the lines, 0...100.
  case percentage(Double)
  case unlimited

  /// Reads `N`, `P%` or `unlimited`; nil for anything else.
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

  /// True when a file with refused lines and not one good line fails, however few they are: it is the
  /// wrong file, or was read with the wrong options.
  package var failsWithoutGoodLine: Bool { self != .unlimited }

  /// True when no line that may follow can bring the file back within the limit.
  func isPassedForGood(rejected: Int) -> Bool {
    if case .count(let limit) = self { return rejected > limit }
    return false
  }

  /// True when a file of which this was read must not be loaded.
  func refuses(_ totals: FileTotals) -> Bool {
    failsWithoutGoodLine && totals.hasNoGoodLine
      || isPassed(rejected: totals.rejectedCount, lines: totals.lineCount)
  }

  /// True when a file that has been read to its end is above the limit.
  package func isPassed(rejected: Int, lines: Int) -> Bool {
    switch self {
    case .standard: rejected > 100 && 100 * rejected > lines
    case .count(let limit): rejected > limit
    case .percentage(let percent): 100 * Double(rejected) > percent * Double(lines)
    case .unlimited: false
    }
  }
}
