internal import Synchronization

/// The progress of a run, written by the loading threads and read by the progress display.
package final class LoadProgress: Sendable {
  private let finished = Mutex((bytes: 0, lines: 0))
  /// The refresh of the reports, after all files.
  package let refresh = RefreshProgress()
  private let workers = Mutex<[Worker]>([])

  /// One worker's progress in its current file: the bytes read from disk, and the decoded lines.
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
    /// - Parameters:
    ///   - bytes: the file's size on disk; of a pipe, the bytes read count instead.
    ///   - lines: the lines read.
    func finishFile(bytes: Int, lines: Int) {
      progress.finished.withLock {
        $0.bytes += max(bytes, self.bytes.exchange(0, ordering: .relaxed))
        $0.lines += max(lines, self.lines.exchange(0, ordering: .relaxed))
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
  /// Bytes are those on disk, also of a compressed file, because only they are known of all files.
  package var totals: (bytes: Int, lines: Int) {
    let current = workers.withLock { $0.map(\.current) }
    return finished.withLock { finished in
      current.reduce(into: finished) { $0 = ($0.bytes + $1.bytes, $0.lines + $1.lines) }
    }
  }
}
