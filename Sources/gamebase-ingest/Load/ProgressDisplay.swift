internal import Foundation
internal import Loading

/// Shows the progress of a run or of a refresh.
///
/// On a terminal it overwrites one line; elsewhere it prints a line every ten seconds.
final class ProgressDisplay: @unchecked Sendable {
  // Safe to share: only `isFinished` changes, and the condition guards it.
  /// The line to show; nil: nothing yet.
  private let line: @Sendable () -> String?
  private let condition = NSCondition()
  private var isFinished = false
  private let isTerminal = Terminal.isTerminal

  /// The interval in seconds without a terminal: in a log the lines only show that the run is
  /// alive.
  private static let plainInterval = 10.0
  /// The interval in seconds on a terminal.
  private static let terminalInterval = 0.2

  private init(_ line: @escaping @Sendable () -> String?) {
    self.line = line
    let interval = isTerminal ? Self.terminalInterval : Self.plainInterval
    // If the thread cannot be started, the run goes on without a display.
    try? startThread(stackBytes: 512 * 1024) { [self] in show(every: interval) }
  }

  /// - Parameter totalBytes: the size of all files on disk; 0 when it is not known.
  convenience init(_ progress: LoadProgress, totalBytes: Int) {
    let startedAt = ContinuousClock.now
    self.init { Self.line(of: progress, totalBytes: totalBytes, startedAt: startedAt) }
  }

  convenience init(_ progress: RefreshProgress) {
    self.init { progress.current.map { Self.text(since: $0.since, $0.phase) } }
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
    guard let line = line() else { return }
    if isTerminal { Terminal.overwrite(line) } else { Terminal.note(line) }
  }

  private static func line(
    of progress: LoadProgress, totalBytes: Int, startedAt: ContinuousClock.Instant
  ) -> String {
    let (bytes, lines) = progress.totals
    if let refresh = progress.refresh.current {
      return "\(lines) lines, \(megabytes(bytes)) MB; \(text(since: refresh.since, refresh.phase))"
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

  private static func text(
    since start: ContinuousClock.Instant, _ phase: RefreshProgress.Phase
  ) -> String {
    let part =
      switch phase {
      case .preparing: "preparing"
      case .collecting: "collecting what has changed"
      case .players(let done, let all): "\(done) of \(counted(all, "player"))"
      case .sums: "adding up days, cohorts and levels"
      }
    return "refreshing the reports for \(duration(Int(elapsed(since: start)))): \(part)"
  }

  /// Seconds.
  private static func elapsed(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  private static func megabytes(_ bytes: Int) -> String {
    "\(bytes / 1_000_000).\(bytes / 100_000 % 10)"
  }

  private static func duration(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }
}
