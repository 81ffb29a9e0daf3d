internal import Foundation
internal import Loading

/// Shows the progress of a run.
///
/// On a terminal it overwrites one line; elsewhere it prints a line every ten seconds.
final class ProgressDisplay: @unchecked Sendable {
  // Safe to share: only `isFinished` changes, and the condition guards it.
  private let progress: LoadProgress
  private let totalBytes: Int
  private let startedAt = ContinuousClock.now
  private let condition = NSCondition()
  private var isFinished = false
  private let isTerminal = Terminal.isTerminal

  /// The interval in seconds without a terminal: in a log the lines only show that the run is
  /// alive.
  private static let plainInterval = 10.0
  /// The interval in seconds on a terminal.
  private static let terminalInterval = 0.2

  /// - Parameter totalBytes: the size of all files on disk; 0 when it is not known.
  init(_ progress: LoadProgress, totalBytes: Int) {
    self.progress = progress
    self.totalBytes = totalBytes
    let interval = isTerminal ? Self.terminalInterval : Self.plainInterval
    // If the thread cannot be started, the run goes on without a display.
    try? startThread(stackBytes: 512 * 1024) { [self] in show(every: interval) }
  }

  /// Ends the display and clears its line.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.signal()
      if isTerminal { Terminal.overwrite("") }
    }
  }

  private func show(every interval: TimeInterval) {
    condition.withLock {
      while !isFinished {
        let isOver = condition.wait(until: Date(timeIntervalSinceNow: interval))
        if !isOver, !isFinished { show() }
      }
    }
  }

  private func show() {
    let line = line()
    if isTerminal { Terminal.overwrite(line) } else { Terminal.note(line) }
  }

  private func line() -> String {
    let (bytes, lines) = progress.totals
    if let start = progress.refreshingSince {
      return "\(lines) lines, \(megabytes(bytes)) MB; refreshing the reports for "
        + duration(Int(elapsed(since: start)))
    }
    let seconds = max(0.001, elapsed(since: startedAt))
    let rate = Double(bytes) / seconds
    var text = "\(lines) lines, \(megabytes(bytes)) MB, \(Int(Double(lines) / seconds)) lines/s"
    if totalBytes > bytes, rate > 0 {
      let left = Int((Double(totalBytes - bytes) / rate).rounded(.up))
      text += ", \(100 * bytes / totalBytes) %, about \(duration(left)) left"
    }
    return text
  }

  /// Seconds.
  private func elapsed(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  private func megabytes(_ bytes: Int) -> String {
    "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
  }

  private func duration(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
