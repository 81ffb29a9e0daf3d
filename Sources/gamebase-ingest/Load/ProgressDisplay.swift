internal import Foundation
internal import Loading

/// Runs a load or a refresh, and shows its progress meanwhile.
///
/// On a terminal it overwrites one line, and clears it at the end; elsewhere it prints a line every ten
/// seconds.
func showingProgress<Value>(
  isQuiet: Bool, line: @escaping @Sendable () -> String?, _ body: () throws -> Value
) rethrows -> Value {
  if isQuiet { return try body() }
  let isTerminal = Terminal.isTerminal
  // In a log the lines only show that the run is alive.
  let interval = isTerminal ? 0.2 : 10
  let isOver = DispatchSemaphore(value: 0)
  // If the thread cannot be started, the run goes on without a display.
  let display = try? startThread(stackBytes: 512 * 1024) {
    while isOver.wait(timeout: .now() + interval) == .timedOut {
      guard let line = line() else { continue }
      if isTerminal { Terminal.overwrite(line) } else { Terminal.note(line) }
    }
  }
  defer {
    isOver.signal()
    display?.wait()
    if isTerminal { Terminal.overwrite("") }
  }
  return try body()
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
