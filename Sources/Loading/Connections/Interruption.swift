internal import Postgres
internal import Synchronization

/// A wish to end early, set by a signal and looked at between batches.
package final class Interruption: Sendable {
  private let signalNumber = Atomic<Int32>(0)
  /// By the lane whose connections they are.
  private let cancellers = Mutex<[Int: [Canceller]]>([:])

  package init() {}

  /// Asks the run to roll back the file in hand and to end; also cancels what the server is doing.
  package func request(signal: Int32) {
    signalNumber.store(signal, ordering: .sequentiallyConsistent)
    cancellers.withLock { for canceller in $0.values.joined() { canceller.cancel() } }
  }

  package var isRequested: Bool { signalNumber.load(ordering: .sequentiallyConsistent) != 0 }

  /// The connections of a lane whose statements are cancelled.
  func watch(_ connections: [Connection], lane: Int = 0) {
    let new = connections.compactMap { $0.canceller() }
    cancellers.withLock { $0[lane] = new }
  }

  /// Runs work on connections whose statements an interruption cancels.
  ///
  /// - Parameter message: how things are when the work ends early.
  /// - Throws: what the interruption was, if there is one, else what `body` throws.
  func cancelling<Value>(
    _ connections: [Connection], orSay message: String = fileIsRolledBack,
    _ body: () throws -> Value
  ) throws -> Value {
    watch(connections)
    defer { watch([]) }
    return try explainingFailure(orSay: message, body)
  }

  /// Runs work whose failure may come from an interruption: a cancelled statement is how an
  /// interruption reaches us when the server is at work.
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

  /// For work that is done file by file.
  static let fileIsRolledBack =
    "interrupted; the file in hand was rolled back, run again to load it"

  /// - Throws: `LoadError` when the run is to end.
  func check() throws { try check(orSay: Self.fileIsRolledBack) }

  /// - Parameter message: how things are when the run ends here.
  func check(orSay message: String) throws {
    let signal = signalNumber.load(ordering: .sequentiallyConsistent)
    guard signal != 0 else { return }
    throw LoadError(signal == 15 ? .terminated : .interrupted, message, endsRun: true)
  }
}
