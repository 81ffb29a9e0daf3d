internal import Synchronization

/// How far a run is, written by the loading threads and read by whoever shows it.
package final class LoadProgress: Sendable {
  private let bytesRead = Atomic<Int>(0)
  private let linesRead = Atomic<Int>(0)
  private let finishedBytes = Atomic<Int>(0)
  private let finishedLines = Atomic<Int>(0)

  package init() {}

  /// Bytes and lines of all files so far.
  package var totals: (bytes: Int, lines: Int) {
    (
      finishedBytes.load(ordering: .relaxed) + bytesRead.load(ordering: .relaxed),
      finishedLines.load(ordering: .relaxed) + linesRead.load(ordering: .relaxed)
    )
  }

  /// How far the file in hand is.
  func update(bytes: Int, lines: Int) {
    bytesRead.store(bytes, ordering: .relaxed)
    linesRead.store(lines, ordering: .relaxed)
  }

  /// Counts the file in hand as done.
  ///
  /// - Parameter bytes: its size on disk, so that the sum approaches the run's total.
  func finishFile(bytes: Int) {
    finishedLines.add(linesRead.exchange(0, ordering: .relaxed), ordering: .relaxed)
    bytesRead.store(0, ordering: .relaxed)
    finishedBytes.add(bytes, ordering: .relaxed)
  }
}
