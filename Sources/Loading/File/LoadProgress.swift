internal import Synchronization

/// The progress of a run, written by the loading threads and read by the progress display.
package final class LoadProgress: Sendable {
  private let finished = Mutex((bytes: 0, lines: 0))
  private let workers = Mutex<[Worker]>([])

  /// One worker's progress in its current file.
  final class Worker: Sendable {
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

    /// Adds the current file to the finished ones.
    ///
    /// - Parameter bytes: the file's size on disk, because the total of the run is known only on
    ///   disk.
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

  func addWorker() -> Worker {
    let worker = Worker(self)
    workers.withLock { $0.append(worker) }
    return worker
  }

  /// The bytes and lines of the finished files, and of the current file of each worker.
  ///
  /// A finished file counts by its size on disk, a current file by its decoded bytes. A compressed
  /// file therefore looks further ahead than it is until it is finished.
  package var totals: (bytes: Int, lines: Int) {
    let current = workers.withLock { $0.map(\.current) }
    return finished.withLock { finished in
      current.reduce(into: finished) { $0 = ($0.bytes + $1.bytes, $0.lines + $1.lines) }
    }
  }
}
