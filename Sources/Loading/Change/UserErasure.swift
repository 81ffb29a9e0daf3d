package import Postgres
package import RecordPipeline

/// Permanently erases one user's rows, refused lines, conflicts and fills in one transaction.
///
/// The role needs EXECUTE on eight functions of the database, and reads what the figures of all players depend on.
package struct UserErasure {
  private let userID: String
  private let appID: String?
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - userID: the id as stored; it is compared by its bytes.
  ///   - appID: the application in which to erase the user; nil: all applications.
  ///   - wait: says for whom the erasure waits.
  package init(
    userID: String, appID: String?, connection: Connection,
    wait: LockWait = .silent, interruption: Interruption = Interruption()
  ) {
    self.userID = userID
    self.appID = appID
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  /// The number of the user's rows in one table, or of what else an erasure touches or leaves.
  package struct Trace: Sendable, Equatable, Decodable {
    /// A table; `statistics of` and a table from whose statistics the database could not remove old
    /// values; or `bytes of` or `extra of` and a table with values that the first erasure empties.
    package let place: String
    package let count: Int

    package var isOfStatistics: Bool { place.hasPrefix("statistics ") }
    package var isOfUser: Bool { !place.contains(" ") }
  }

  /// Counts what an erasure would delete or empty; changes nothing and waits for no lock.
  package func count() throws(LoadError) -> [Trace] {
    try run("counting the user's traces") {
      try traces("select place, trace_count as count from ingest.count_user_traces($1, $2)", [])
    }
  }

  /// Erases the user, and leaves a tombstone by which later lines are suppressed.
  ///
  /// Before the first erasure of a database, rows that belong to no user lose their `extra`, in which no
  /// erasure would find a user. Each month is a transaction of its own, so that loads can go on in between.
  ///
  /// The erasure waits for running loads, replays and undos, and blocks new ones meanwhile. A
  /// repeated erasure changes nothing, except that a tombstone without a filter gets one.
  ///
  /// The planner's statistics are refreshed in a second transaction, because ANALYZE may have to
  /// wait and must not block loads meanwhile.
  ///
  /// - Returns: the number of erased rows by table, and the statistics that are left.
  /// - Throws: `LoadError`. If the first transaction failed, nothing of the user is erased, unless
  ///   the answer to its COMMIT was lost. If the second one failed, the user is erased, and only
  ///   old statistics are left.
  package func erase(key: ErasureKey) throws(LoadError) -> [Trace] {
    var months: [Trace] = []
    for stream in StreamCatalog.all where !stream.hasUser {
      try emptyMonths(of: stream, noting: &months)
    }
    let erased = try eraseRows(key: key)
    FaultPoint.afterCommit.reached()
    let statistics = try run("refreshing the statistics") {
      try wait(for: [.refresh], on: connection) {
        try connection.rows(
          of: Trace.self, "select place, trace_count as count from ingest.forget_statistics()")
      }
    }
    return erased + months + statistics
  }

  /// Does nothing once a user was erased.
  private func emptyMonths(
    of stream: RecordStream, noting traces: inout [Trace]
  ) throws(LoadError) {
    var last: String?
    repeat {
      let month = try run("emptying the months of \(stream.name)") {
        try wait(
          for: [.named(LockName.migrations), .named(LockName.stream(stream.name))], on: connection
        ) {
          try connection.row(
            of: Month.self,
            "select month, place, trace_count as count from ingest.empty_month($1, $2)",
            [.text(stream.name), .optional(last)])
        }
      }
      if let month { traces.append(Trace(place: month.place, count: month.count)) }
      last = month?.month
    } while last != nil
  }

  private struct Month: Decodable {
    let month: String
    let place: String
    let count: Int
  }

  private func eraseRows(key: ErasureKey) throws(LoadError) -> [Trace] {
    try run("erasing the user") {
      // The function takes all its locks before it changes anything.
      let locks = StreamCatalog.all.map { Lock.named(LockName.stream($0.name)) }
      let found = try wait(
        for: [.named(LockName.migrations)] + locks + [.refresh, .named(LockName.erasures)],
        on: connection
      ) {
        try self.traces(
          "select place, trace_count as count from ingest.erase_user($1, $2, $3, $4)",
          [.bytes(key.tombstone(of: userID.utf8)), .bytes(key.checkValue)])
      }
      try connection.finishErasure()
      // Where the role may not refresh, newer loads wait for the next refresh.
      if try connection.canRefreshReports() { try connection.refreshReports() }
      FaultPoint.beforeCommit.reached()
      return found
    }
  }

  private func traces(_ sql: String, _ more: [Parameter]) throws -> [Trace] {
    try connection.rows(of: Trace.self, sql, [.text(userID), .optional(appID)] + more)
  }

  private func run<Value>(_ stage: String, _ body: () throws -> Value) throws(LoadError) -> Value {
    do {
      return try interruption.cancelling([connection], message: Self.interrupted) {
        try interruption.check()
        return try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.transaction { try body() }
        }
      }
    } catch let error as PostgresError where error.isMissingName {
      throw LoadError(
        .configuration,
        "the database has no functions for erasing users, or has those of another version; run "
          + "gamebase-ingest migrate")
    } catch {
      throw LoadError(
        wrapping: error, during: stage, remedy: "Run again: what is erased already stays erased")
    }
  }

  private static let interrupted =
    "interrupted; the users listed as erased are erased, the others are not: run again"
}

extension PostgresError {
  /// True when a schema or a function does not exist.
  fileprivate var isMissingName: Bool {
    sqlState == .undefinedFunction || sqlState == .invalidSchemaName
  }
}
