internal import Foundation
internal import Postgres

/// Waits for the state of another session by polling the server, without assumed durations.
extension TestDatabase {
  package struct WaitFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// Waits until a session of this database waits for a lock, and returns its process id.
  package func processWaitingForLock(
    applicationName: String = "gamebase-ingest", moreThan count: Int = 0
  ) throws -> Int {
    try wait(
      for: """
        select pid from pg_stat_activity where datname = current_database()
          and application_name = '\(applicationName)' and wait_event_type = 'Lock'
          order by pid offset \(count)
        """, "no session of \(applicationName) waits for a lock")
  }

  /// Waits until a query gives a row, and returns its first value.
  @discardableResult
  package func wait(for sql: String, _ otherwise: String) throws -> Int {
    let connection = try connect()
    for _ in 0..<3000 {
      if let row = try connection.query(sql).rows.first {
        return row.first?.flatMap { Int($0) } ?? 0
      }
      _ = try connection.query("select pg_sleep(0.01)")
    }
    throw WaitFailure(description: otherwise)
  }

  /// Waits until all transactions that run now have ended, also those of other databases: VACUUM FULL keeps deleted rows
  /// that one of them may see.
  package func waitForOlderTransactions() throws {
    let current = try value("select pg_current_xact_id()") ?? ""
    try wait(
      for: "select 1 where pg_snapshot_xmin(pg_current_snapshot()) > '\(current)'",
      "an older transaction still runs")
  }
}

/// Runs blocking work on its own thread, so that a test can continue.
package final class Background<Value: Sendable>: @unchecked Sendable {
  // Safe to share: the semaphore orders the one write before every read.
  private let ended = DispatchSemaphore(value: 0)
  private var result: Result<Value, any Error>?

  package init(_ body: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      result = Result { try body() }
      ended.signal()
    }
    thread.stackSize = 8 * 1024 * 1024
    thread.start()
  }

  /// Waits until the work has ended.
  package func value() throws -> Value {
    ended.wait()
    defer { ended.signal() }
    guard let result else {
      throw TestDatabase.WaitFailure(description: "the thread ended without a result")
    }
    return try result.get()
  }
}
