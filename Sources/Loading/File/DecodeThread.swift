internal import Foundation
internal import RecordPipeline

/// Reads and decodes a file on a thread of its own while the caller talks to the server.
///
/// Both block for long, which is why neither is a Swift task: the cooperative pool has a thread a
/// core and must not lose one to a system call.
final class DecodeThread {
  enum Event: Sendable {
    case batch(Batch)
    case finished(FileTotals)
    case failed(any Error)
  }

  private struct GivenUp: Error {}

  /// A value that one thread gives away for good and another takes over.
  private struct Handover<Value>: @unchecked Sendable {
    let value: Value
  }

  private let queue = BoundedQueue<Event>(capacity: DecodeThread.queuedBatches)
  private let ended = DispatchSemaphore(value: 0)
  private var hasEnded = false

  /// One batch is being sent, one decoded, and two wait, so that neither side starves while the
  /// other is busy with a large one.
  private static let queuedBatches = 2

  /// - Throws: `LoadError` when the system has no thread to give.
  init(
    _ pipeline: Pipeline, source: DecodedSource, routing: RoutingStart,
    progress: LoadProgress.Lane
  ) throws(LoadError) {
    let source = Handover(value: source)
    // Lines of any depth are walked in loops: nothing here calls itself.
    try startThread(stackBytes: 1024 * 1024) { [queue, ended] in
      do {
        let totals = try pipeline.run(
          source.value, routing: routing,
          emit: { if !queue.push(.batch($0)) { throw GivenUp() } },
          progress: { progress.update(bytes: $0, lines: $1) })
        _ = queue.push(.finished(totals))
      } catch {
        _ = queue.push(.failed(error))
      }
      ended.signal()
    }
  }

  /// The next batch, then the totals.
  ///
  /// - Parameter check: ends the wait for a source that is slow to give anything, by throwing.
  func next(checking check: () throws -> Void) throws -> Event { try queue.pop(checking: check) }

  /// Makes the thread end, and waits a moment until it has.
  ///
  /// A thread that waits for a pipe cannot be woken; it is left behind, with the pipe.
  func stop() {
    guard !hasEnded else { return }
    hasEnded = true
    queue.cancel()
    _ = ended.wait(timeout: .now() + 1)
  }
}
