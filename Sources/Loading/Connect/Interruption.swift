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
  /// - Parameter message: the state of the data after an interruption, for the user.
  /// - Throws: the interruption as a `LoadError` if one is requested, else the error of `body`.
  func cancelling<Value>(
    _ connections: [Connection], message: String = fileIsRolledBack,
    _ body: () throws -> Value
  ) throws -> Value {
    watch(connections)
    defer { watch([]) }
    return try explainingFailure(message: message, body)
  }

  /// Runs work, and reports its failure as the interruption if one is requested.
  ///
  /// An interruption cancels the running statement, so the server's error would only name its
  /// effect.
  ///
  /// - Throws: as `cancelling` does.
  func explainingFailure<Value>(
    message: String = fileIsRolledBack, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch {
      try check(message: message)
      throw error
    }
  }

  /// The message for work that goes file by file, each in its own transaction.
  static let fileIsRolledBack =
    "interrupted; the current file was rolled back, run again to load it"

  /// - Throws: `LoadError` when an interruption is requested.
  package func check() throws { try check(message: Self.fileIsRolledBack) }

  /// - Parameter message: the state of the data after the interruption, for the user.
  /// - Throws: `LoadError` with `message` when an interruption is requested.
  func check(message: String) throws {
    let signal = signalNumber.load(ordering: .sequentiallyConsistent)
    guard signal != 0 else { return }
    throw LoadError(signal == 15 ? .terminated : .interrupted, message)
  }

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
