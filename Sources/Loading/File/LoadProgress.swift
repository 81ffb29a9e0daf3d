internal import Synchronization

/// How far a run is, written by the loading threads and read by whoever shows it.
package final class LoadProgress: Sendable {
  private let finished = Mutex((bytes: 0, lines: 0))
  private let lanes = Mutex<[Lane]>([])

  /// How far one lane is with the file in hand.
  final class Lane: Sendable {
    private let bytes = Atomic<Int>(0)
    private let lines = Atomic<Int>(0)
    private let progress: LoadProgress

    fileprivate init(_ progress: LoadProgress) { self.progress = progress }

    fileprivate var current: (bytes: Int, lines: Int) {
      (bytes.load(ordering: .relaxed), lines.load(ordering: .relaxed))
    }

    func update(bytes: Int, lines: Int) {
      self.bytes.store(bytes, ordering: .relaxed)
      self.lines.store(lines, ordering: .relaxed)
    }

    /// Counts the file in hand as done.
    ///
    /// - Parameter bytes: its size on disk, so that the sum approaches the run's total.
    func finishFile(bytes: Int) {
      let lines = self.lines.exchange(0, ordering: .relaxed)
      self.bytes.store(0, ordering: .relaxed)
      progress.finished.withLock {
        $0.bytes += bytes
        $0.lines += lines
      }
    }
  }

  package init() {}

  func addLane() -> Lane {
    let lane = Lane(self)
    lanes.withLock { $0.append(lane) }
    return lane
  }

  /// Bytes and lines of all files so far.
  package var totals: (bytes: Int, lines: Int) {
    let current = lanes.withLock { $0.map(\.current) }
    return finished.withLock { finished in
      current.reduce(into: finished) { $0 = ($0.bytes + $1.bytes, $0.lines + $1.lines) }
    }
  }
}
