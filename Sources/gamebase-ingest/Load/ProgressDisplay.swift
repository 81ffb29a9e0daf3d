internal import Foundation
internal import Loading

/// Shows how far a run is: a line that renews itself on a terminal, plain lines elsewhere.
final class ProgressDisplay: @unchecked Sendable {
  // Safe to share: nothing here changes but what the condition guards.
  private let progress: LoadProgress
  private let totalBytes: Int
  private let startedAt = ContinuousClock.now
  private let condition = NSCondition()
  private var isFinished = false
  private let isWatched = Terminal.isWatched

  /// A log wants to know that the run is alive, not to be filled.
  private static let plainInterval = 10.0
  private static let watchedInterval = 0.2

  /// - Parameter totalBytes: of all files on disk; 0 when that is not known.
  init(_ progress: LoadProgress, totalBytes: Int) {
    self.progress = progress
    self.totalBytes = totalBytes
    let interval = isWatched ? Self.watchedInterval : Self.plainInterval
    // A run that can have no thread for this goes on without.
    try? startThread(stackBytes: 512 * 1024) { [self] in show(every: interval) }
  }

  /// Ends the display and clears its line.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.signal()
      if isWatched { Terminal.overwrite("") }
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
    if isWatched { Terminal.overwrite(line) } else { Terminal.note(line) }
  }

  private func line() -> String {
    let (bytes, lines) = progress.totals
    let elapsed = ContinuousClock.now - startedAt
    let seconds = max(
      0.001,
      Double(elapsed.components.seconds)
        + Double(elapsed.components.attoseconds) / 1e18)
    let rate = Double(bytes) / seconds
    var text = "\(lines) lines, \(megabytes(bytes)) MB, \(Int(Double(lines) / seconds)) lines/s"
    if totalBytes > bytes, rate > 0 {
      let left = Int((Double(totalBytes - bytes) / rate).rounded(.up))
      text += ", \(100 * bytes / totalBytes) %, about \(duration(left)) left"
    }
    return text
  }

  private func megabytes(_ bytes: Int) -> String {
    "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
  }

  private func duration(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
