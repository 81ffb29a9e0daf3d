internal import Foundation
internal import Postgres
internal import Synchronization

/// A request to end the command early: a signal handler makes it, and the work checks for it
/// between steps.
package final class Interruption: Sendable {
  private let signalNumber = Atomic<Int32>(0)
  /// The cancellers of each worker's connections, by the worker's number.
  private let cancellers = Mutex<[Int: [Canceller]]>([:])

  package init() {}

  /// Requests the end of the command, and cancels the statements on watched connections from now on.
  ///
  /// Again and again, because one that begins just after the request would wait as if there was none.
  package func request(signal: Int32) {
    signalNumber.store(signal, ordering: .sequentiallyConsistent)
    Thread.detachNewThread { [weak self] in
      while let self {
        self.cancellers.withLock { for canceller in $0.values.joined() { canceller.cancel() } }
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
  }

  package var isRequested: Bool { signalNumber.load(ordering: .sequentiallyConsistent) != 0 }

  /// Sets the connections of one worker on which an interruption cancels the running statement.
  ///
  /// They replace the connections that the worker set before; an empty list ends the watch.
  func watch(_ connections: [Connection], worker: Int = 0) {
    let new = connections.compactMap { $0.canceller() }
    cancellers.withLock { $0[worker] = new }
  }

  /// Runs work, and lets an interruption cancel its statements on these connections.
  ///
  /// The server's error would then only name the effect of the interruption.
  ///
  /// - Parameter message: the state of the data after an interruption, for the user.
  /// - Throws: the interruption as a `LoadError` if one is requested, else the error of `body`.
  func cancelling<Value>(
    _ connections: [Connection], message: String, _ body: () throws -> Value
  ) throws -> Value {
    watch(connections)
    defer { watch([]) }
    do { return try body() } catch { throw self.error(message) ?? error }
  }

  /// The error of interrupted work; nil: no interruption is requested.
  ///
  /// - Parameter message: the state of the data, for the user.
  func error(
    _ message: String = "interrupted; the current file was rolled back, run again to load it"
  ) -> LoadError? {
    let signal = signalNumber.load(ordering: .sequentiallyConsistent)
    return signal == 0 ? nil : LoadError(signal == 15 ? .terminated : .interrupted, message)
  }

  /// - Throws: `error` when an interruption is requested.
  package func check() throws { if let error = error() { throw error } }
  func check(message: String) throws { if let error = error(message) { throw error } }

  /// Waits, and throws within 0.2 seconds of an interruption.
  func sleep(seconds: Double) throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      try check()
      let left = deadline.timeIntervalSinceNow
      guard left > 0 else { return }
      Thread.sleep(forTimeInterval: min(left, 0.2))
    }
  }
}
