internal import Foundation
internal import Postgres
internal import Synchronization

/// A request to end early, set by a signal handler and checked between batches.
package final class Interruption: Sendable {
  private let signalNumber = Atomic<Int32>(0)
  /// By the number of the worker that uses the connections.
  private let cancellers = Mutex<[Int: [Canceller]]>([:])

  package init() {}

  /// Requests that the run roll back the current file and end; also cancels the running statements.
  package func request(signal: Int32) {
    signalNumber.store(signal, ordering: .sequentiallyConsistent)
    cancellers.withLock { for canceller in $0.values.joined() { canceller.cancel() } }
  }

  package var isRequested: Bool { signalNumber.load(ordering: .sequentiallyConsistent) != 0 }

  /// Sets the connections of a worker whose statements an interruption cancels.
  func watch(_ connections: [Connection], worker: Int = 0) {
    let new = connections.compactMap { $0.canceller() }
    cancellers.withLock { $0[worker] = new }
  }

  /// Runs work on connections whose statements an interruption cancels.
  ///
  /// - Parameter message: the state of the work when it ends early.
  /// - Throws: the interruption as a `LoadError` if there is one, else the error of `body`.
  func cancelling<Value>(
    _ connections: [Connection], orSay message: String = fileIsRolledBack,
    _ body: () throws -> Value
  ) throws -> Value {
    watch(connections)
    defer { watch([]) }
    return try explainingFailure(orSay: message, body)
  }

  /// Runs work whose failure may be caused by an interruption, which cancels the running statement.
  ///
  /// - Throws: as `cancelling` does.
  func explainingFailure<Value>(
    orSay message: String = fileIsRolledBack, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch {
      try check(orSay: message)
      throw error
    }
  }

  /// The message for work that is done file by file.
  static let fileIsRolledBack =
    "interrupted; the current file was rolled back, run again to load it"

  /// - Throws: `LoadError` when an interruption is requested.
  func check() throws { try check(orSay: Self.fileIsRolledBack) }

  /// - Parameter message: the state of the work when it ends here.
  func check(orSay message: String) throws {
    let signal = signalNumber.load(ordering: .sequentiallyConsistent)
    guard signal != 0 else { return }
    throw LoadError(signal == 15 ? .terminated : .interrupted, message, endsRun: true)
  }

  /// Waits; an interruption ends the wait by throwing.
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
