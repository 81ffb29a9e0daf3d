internal import Foundation
internal import Loading

/// Shows the progress of a run or of a refresh.
///
/// On a terminal it overwrites one line; elsewhere it prints a line every ten seconds.
final class ProgressDisplay: @unchecked Sendable {
  // Safe to share: only `isFinished` changes, and the condition guards it.
  private let condition = NSCondition()
  private var isFinished = false
  private let isTerminal = Terminal.isTerminal

  /// - Parameter line: the line to show; nil: nothing yet.
  init(_ line: @escaping @Sendable () -> String?) {
    // In a log the lines only show that the run is alive.
    let interval: TimeInterval = isTerminal ? 0.2 : 10
    // If the thread cannot be started, the run goes on without a display.
    _ = try? startThread(stackBytes: 512 * 1024) { [self] in
      condition.withLock {
        while !isFinished {
          let isOver = condition.wait(until: Date(timeIntervalSinceNow: interval))
          if !isOver, !isFinished, let line = line() {
            if isTerminal { Terminal.overwrite(line) } else { Terminal.note(line) }
          }
        }
      }
    }
  }

  /// Ends the display and clears its line.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.signal()
      if isTerminal { Terminal.overwrite("") }
    }
  }
}

extension LoadProgress {
  /// The progress in one line, for a person.
  ///
  /// - Parameter allBytes: the size of all files on disk; 0 when it is not known.
  func line(of allBytes: Int, since start: ContinuousClock.Instant) -> String {
    let (bytes, lines) = totals
    let done = "\(lines) lines, \(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    if let refresh = refresh.line { return "\(done); \(refresh)" }
    let seconds = max(0.001, (ContinuousClock.now - start) / .seconds(1))
    let text = "\(done), \(Int(Double(lines) / seconds)) lines/s"
    guard allBytes > bytes, bytes > 0 else { return text }
    let left = seconds * Double(allBytes - bytes) / Double(bytes)
    return "\(text), \(100 * bytes / allBytes) %, about \(elapsedText(left)) left"
  }
}

extension RefreshProgress {
  /// The progress in one line, for a person; nil: the refresh has not begun.
  var line: String? {
    guard let (start, phase) = current else { return nil }
    let part =
      switch phase {
      case .preparing: "preparing"
      case .collecting: "collecting what has changed"
      case .players(let done, let all): "\(done) of \(counted(all, "player"))"
      case .sums: "adding up days, cohorts and levels"
      }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    return "refreshing the reports for \(elapsedText(elapsed)): \(part)"
  }
}
