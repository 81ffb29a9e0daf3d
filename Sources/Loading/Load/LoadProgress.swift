internal import Synchronization

/// The progress of a run, written by the loading threads and read by the progress display.
///
/// Bytes are those on disk, also of a compressed file, because only they are known of all files.
package final class LoadProgress: Sendable {
  /// The refresh of the reports, after all files.
  package let refresh = RefreshProgress()
  private let state = Mutex(
    (finished: (bytes: 0, lines: 0), current: [Int: (bytes: Int, lines: Int)]()))

  package init() {}

  /// Sets how far a worker, named by its number, has read its current file.
  func update(_ worker: Int, bytes: Int, lines: Int) {
    state.withLock { $0.current[worker] = (bytes, lines) }
  }

  /// Adds the current file of a worker to the finished ones.
  ///
  /// - Parameters:
  ///   - bytes: the file's size on disk; of a pipe, the bytes read count instead.
  ///   - lines: the lines read.
  func finishFile(of worker: Int, bytes: Int, lines: Int) {
    state.withLock {
      let read = $0.current.removeValue(forKey: worker) ?? (0, 0)
      $0.finished.bytes += max(bytes, read.bytes)
      $0.finished.lines += max(lines, read.lines)
    }
  }

  /// The bytes and lines of the finished files, and of the current file of each worker.
  package var totals: (bytes: Int, lines: Int) {
    state.withLock { state in
      state.current.values.reduce(into: state.finished) {
        $0 = ($0.bytes + $1.bytes, $0.lines + $1.lines)
      }
    }
  }
}
