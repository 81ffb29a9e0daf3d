internal import Foundation
internal import Postgres

extension LoadRun {
  /// Writes to the ledger at intervals that the run is alive, on a thread of its own.
  ///
  /// Without heartbeats a killed run looks like a running one. Each has a connection of its own, because
  /// those of the files are busy for minutes at a time, and one that idles can be closed by a server or a
  /// firewall.
  ///
  /// - Returns: ends the heartbeat when it is signalled; an update in progress may still be committed.
  func startHeartbeat() -> DispatchSemaphore {
    let ended = DispatchSemaphore(value: 0)
    // If the thread cannot be started, the run goes on without a heartbeat.
    _ = try? startThread(stackBytes: 512 * 1024) {
      var hasWarned = false
      var wait = options.heartbeat.first
      while ended.wait(timeout: .now() + wait) == .timedOut {
        wait = options.heartbeat.interval
        do {
          let connection = try Connection(target)
          try connection.transaction {
            try connection.query(
              "update ingest.load set seen_at = clock_timestamp() where load_id = $1",
              [.integer(loadID)])
          }
        } catch  where !hasWarned {
          // The next heartbeat may succeed, so the thread goes on; one warning is enough.
          hasWarned = true
          target.warn(
            "the heartbeat of the run failed, so status may show the run as killed: \(error)"
          )
        } catch {}
      }
    }
    return ended
  }
}
