internal import Synchronization

/// The progress of a refresh, written by it and read by the progress display.
package final class RefreshProgress: Sendable {
  package enum Phase: Sendable, Equatable {
    /// Users of past months get an index, or another session's refresh is waited for.
    case preparing
    /// The files, rows and players that have changed are collected.
    case collecting
    /// The figures of single players.
    case players(done: Int, of: Int)
    /// Days, cohorts, months, levels.
    case sums
  }

  private let state = Mutex<(since: ContinuousClock.Instant, phase: Phase)?>(nil)

  package init() {}

  func enter(_ phase: Phase) { state.withLock { $0 = ($0?.since ?? .now, phase) } }

  /// The start of the refresh and its phase; nil before it.
  package var current: (since: ContinuousClock.Instant, phase: Phase)? { state.withLock { $0 } }
}
