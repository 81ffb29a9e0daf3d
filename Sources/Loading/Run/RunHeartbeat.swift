internal import Foundation
internal import Logging
internal import Postgres

/// Notes in the ledger, as long as a run lasts, that the run is alive.
///
/// Without it a run that was killed looks like one that still works. It has a connection of its own,
/// for the others are busy for minutes at a time, and opens it when the run has lasted a while: most
/// runs are over by then, and pay nothing but a thread.
final class RunHeartbeat: @unchecked Sendable {
  // Safe to share: the condition guards what changes; the connection is used by the thread alone.
  private let loadID: Int
  private let target: ConnectionTarget
  private let timing: HeartbeatTiming
  private let logger: Logger
  private let condition = NSCondition()
  private var isStopped = false
  private var connection: Connection?

  init(loadID: Int, target: ConnectionTarget, timing: HeartbeatTiming, logger: Logger) {
    self.loadID = loadID
    self.target = target
    self.timing = timing
    self.logger = logger
    // A run that can have no thread for this goes on without.
    try? startThread(stackBytes: 512 * 1024) { [self] in run() }
  }

  /// Ends the heartbeat; a note that is on its way may still arrive.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }

  private func run() {
    var isToldOf = false
    var wait = timing.first
    while waitIsOver(seconds: wait) {
      do {
        try beat()
      } catch {
        connection = nil
        // The next one may pass, and one line says enough.
        if !isToldOf {
          logger.warning(
            "the run could not note that it is alive, so status may call it killed: \(printable("\(error)"))"
          )
        }
        isToldOf = true
      }
      wait = timing.interval
    }
  }

  /// - Returns: false when the run ended before.
  private func waitIsOver(seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while !isStopped {
        if !condition.wait(until: deadline) { return !isStopped }
      }
      return false
    }
  }

  private func beat() throws {
    let connection = try self.connection ?? Connection(target)
    self.connection = connection
    // Nothing outlives the transaction, so a pooler in transaction mode may stand between.
    try connection.transaction {
      try connection.query(
        "update ingest.load set seen_at = clock_timestamp() where load_id = $1", [.integer(loadID)])
    }
  }
}

/// How often a run notes that it is alive; in seconds.
package struct HeartbeatTiming: Sendable {
  /// After the start of the run.
  package var first = 10.0
  package var interval = 15.0

  /// A run that has not been heard of for so long is taken for dead: it has missed three notes.
  package static let patience = 60

  package init() {}
}
