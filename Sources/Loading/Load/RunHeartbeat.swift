internal import Foundation
internal import Logging
internal import Postgres

/// Writes to the ledger at intervals that a run is alive.
///
/// Without heartbeats a killed run looks like a running one. They have a connection of their own,
/// because the other connections are busy for minutes at a time. It is opened only after
/// `HeartbeatTiming.first`, so a short run costs only a thread.
final class RunHeartbeat: @unchecked Sendable {
  // Safe to share: only the thread uses the connection.
  private let loadID: Int
  private let target: ConnectionTarget
  private let timing: HeartbeatTiming
  private let logger: Logger
  private let ended = DispatchSemaphore(value: 0)
  private var connection: Connection?

  init(loadID: Int, target: ConnectionTarget, timing: HeartbeatTiming, logger: Logger) {
    self.loadID = loadID
    self.target = target
    self.timing = timing
    self.logger = logger
    // If the thread cannot be started, the run goes on without a heartbeat.
    try? startThread(stackBytes: 512 * 1024) { [self] in run() }
  }

  /// Ends the heartbeat; an update in progress may still be committed.
  func stop() { ended.signal() }

  private func run() {
    var hasWarned = false
    var wait = timing.first
    while ended.wait(timeout: .now() + wait) == .timedOut {
      do {
        // A server or a firewall closes connections that idle, so a lost one is opened again first.
        do { try beat() } catch let error as PostgresError where error.isConnectionLost {
          connection = nil
          try beat()
        }
      } catch {
        connection = nil
        // The next heartbeat may succeed, so the thread goes on; one warning is enough.
        if !hasWarned {
          logger.warning(
            "the heartbeat of the run failed, so status may show the run as killed: \(printable("\(error)"))"
          )
        }
        hasWarned = true
      }
      wait = timing.interval
    }
  }

  private func beat() throws {
    let connection = try self.connection ?? Connection(target)
    self.connection = connection
    // No session state outlives the transaction, so a pooler in transaction mode works.
    try connection.transaction {
      try connection.query(
        "update ingest.load set seen_at = clock_timestamp() where load_id = $1", [.integer(loadID)])
    }
  }
}
