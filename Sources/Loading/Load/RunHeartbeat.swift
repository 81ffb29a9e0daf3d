internal import Foundation
internal import Postgres

/// Writes to the ledger at intervals that a run is alive.
///
/// Without heartbeats a killed run looks like a running one. Each has a connection of its own, because
/// those of the files are busy for minutes at a time, and one that idles can be closed by a server or a
/// firewall.
package final class RunHeartbeat: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  init(_ run: LoadRun) {
    let (loadID, timing) = (run.loadID, run.options.heartbeat)
    // If the thread cannot be started, the run goes on without a heartbeat.
    _ = try? startThread(stackBytes: 512 * 1024) { [ended] in
      var hasWarned = false
      var wait = timing.first
      while ended.wait(timeout: .now() + wait) == .timedOut {
        wait = timing.interval
        do {
          let connection = try Connection(run.target)
          try connection.transaction {
            try connection.query(
              "update ingest.load set seen_at = clock_timestamp() where load_id = $1",
              [.integer(loadID)])
          }
        } catch  where !hasWarned {
          // The next heartbeat may succeed, so the thread goes on; one warning is enough.
          hasWarned = true
          run.target.warn(
            "the heartbeat of the run failed, so status may show the run as killed: \(error)"
          )
        } catch {}
      }
    }
  }

  /// Ends the heartbeat; an update in progress may still be committed.
  func stop() { ended.signal() }
}
