internal import Foundation
internal import RecordPipeline

/// Reads and decodes a file on a thread of its own, while the caller's thread sends rows to the
/// server.
///
/// Both threads block for long times. A Swift task must not: the cooperative pool has one thread
/// for each core, and a blocking system call would take that thread away from all tasks.
final class DecodeThread {
  enum Event: Sendable {
    case batch(Batch)
    case finished(FileTotals)
    case failed(any Error)
  }

  /// Ends the pipeline when the consumer has stopped reading.
  private struct Cancelled: Error {}

  private let queue = BoundedQueue<Event>(capacity: DecodeThread.queuedBatches)
  private let ended: DispatchSemaphore

  /// The number of batches that wait between the two threads.
  ///
  /// With two of them both threads stay busy while one of them handles a large batch. One more
  /// batch is being decoded and one is being sent, so a file has four batches in memory.
  private static let queuedBatches = 2

  /// - Throws: `LoadError` when the system cannot create a thread.
  init(
    _ pipeline: Pipeline, source: InputFile, routing: RoutingStart,
    progress: @escaping @Sendable (_ bytesOnDisk: Int, _ lines: Int) -> Void
  ) throws(LoadError) {
    // From now on only the thread uses it.
    nonisolated(unsafe) let source = source
    // A small stack is enough: nested lines are walked in loops, without recursion.
    ended = try startThread(stackBytes: 1024 * 1024) { [queue] in
      do {
        let totals = try pipeline.run(source, routing: routing) { batch in
          if !queue.push(.batch(batch)) { throw Cancelled() }
          progress(source.bytesRead, batch.position.lines)
        }
        progress(source.bytesRead, totals.lineCount)
        _ = queue.push(.finished(totals))
      } catch {
        _ = queue.push(.failed(error))
      }
    }
  }

  /// The next batch, or the totals after the last batch.
  ///
  /// - Parameter check: called while the source is slow; ends the wait by throwing.
  func next(checking check: () throws -> Void) throws -> Event { try queue.pop(checking: check) }

  /// Ends the thread, and waits up to one second for its end.
  ///
  /// A thread that is blocked on a pipe cannot be woken, so it is left behind together with the
  /// pipe.
  func stop() {
    queue.cancel()
    _ = ended.wait(timeout: .now() + 1)
  }
}
