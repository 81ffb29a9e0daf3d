internal import Foundation
internal import RecordPipeline

/// Reads and decodes a file on a thread of its own while the caller communicates with the server.
///
/// Both block for long, so neither is a Swift task: the cooperative pool has one thread for each core,
/// and a system call must not block one.
final class DecodeThread {
  enum Event: Sendable {
    case batch(Batch)
    case finished(FileTotals)
    case failed(any Error)
  }

  /// The consumer has stopped reading.
  private struct Cancelled: Error {}

  /// A value whose ownership passes from one thread to another.
  private struct Handover<Value>: @unchecked Sendable {
    let value: Value
  }

  private let queue = BoundedQueue<Event>(capacity: DecodeThread.queuedBatches)
  private let ended = DispatchSemaphore(value: 0)
  private var hasEnded = false

  /// With one batch being sent and one being decoded, two queued batches keep both sides busy while the
  /// other handles a large batch.
  private static let queuedBatches = 2

  /// - Throws: `LoadError` when the system cannot create a thread.
  init(
    _ pipeline: Pipeline, source: DecodedSource, routing: RoutingStart,
    progress: LoadProgress.Worker
  ) throws(LoadError) {
    let source = Handover(value: source)
    // A small stack is enough: nested lines are walked in loops, without recursion.
    try startThread(stackBytes: 1024 * 1024) { [queue, ended] in
      do {
        let totals = try pipeline.run(
          source.value, routing: routing,
          emit: { if !queue.push(.batch($0)) { throw Cancelled() } },
          progress: { progress.update(bytes: $0, lines: $1) })
        _ = queue.push(.finished(totals))
      } catch {
        _ = queue.push(.failed(error))
      }
      ended.signal()
    }
  }

  /// The next batch, or the totals after the last batch.
  ///
  /// - Parameter check: called while the source is slow; ends the wait by throwing.
  func next(checking check: () throws -> Void) throws -> Event { try queue.pop(checking: check) }

  /// Ends the thread and waits up to one second for its end.
  ///
  /// A thread that is blocked on a pipe cannot be woken, so it is abandoned together with the pipe.
  func stop() {
    guard !hasEnded else { return }
    hasEnded = true
    queue.cancel()
    _ = ended.wait(timeout: .now() + 1)
  }
}
