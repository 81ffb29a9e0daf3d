internal import Foundation

/// A thread that can be joined.
///
/// Loads block on the server for long times, so they never run on Swift's cooperative pool.
final class WorkerThread: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  /// - Throws: `LoadError` when the system cannot create a thread.
  init(_ body: @escaping @Sendable () -> Void) throws(LoadError) {
    try startThread(stackBytes: 4 * 1024 * 1024) { [ended] in
      body()
      ended.signal()
    }
  }

  func join() { ended.wait() }
}
