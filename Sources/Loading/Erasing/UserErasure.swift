package import Postgres
package import RecordPipeline

/// Permanently erases one user's rows, refused lines, conflicts and fills in one transaction.
///
/// The role needs EXECUTE on three functions of the database and no other right.
package struct UserErasure {
  private let userID: String
  private let appID: String?
  private let connection: Connection
  private let interruption: Interruption

  /// - Parameters:
  ///   - userID: the stored id; compared by its bytes.
  ///   - appID: the application in which to erase the user; nil: all applications.
  package init(
    userID: String, appID: String?, connection: Connection,
    interruption: Interruption = Interruption()
  ) {
    self.userID = userID
    self.appID = appID
    self.connection = connection
    self.interruption = interruption
  }

  /// The number of the user's rows in one table.
  package struct Trace: Sendable, Equatable {
    /// A table, or the statistics of a table that the database could not refresh.
    package let place: String
    package let count: Int

    package var isOfStatistics: Bool { place.hasPrefix("statistics ") }
  }

  /// The result of an erasure.
  package struct Erased: Sendable {
    /// The erased rows by table.
    package let traces: [Trace]
    /// The transaction of the erasure; an older snapshot can still see the rows.
    package let transaction: TransactionNumber
  }

  /// Counts the user's rows; changes nothing and waits for no lock.
  package func count() throws(LoadError) -> [Trace] {
    try run("counting the user's traces") {
      try traces("select place, trace_count from ingest.count_user_traces($1, $2)", [])
    }
  }

  /// Erases the user and leaves a tombstone that suppresses later lines.
  ///
  /// Waits for running loads, replays and undos, and blocks new ones meanwhile. A repeated erasure changes
  /// nothing, except that a tombstone without a filter gets one.
  /// The planner's statistics are refreshed in a transaction of their own, because ANALYZE may have to
  /// wait and must not block loads meanwhile.
  /// - Throws: `LoadError`; then nothing of the user is erased, or the answer to COMMIT was lost.
  package func erase(key: ErasureKey) throws(LoadError) -> Erased {
    let erased = try eraseRows(key: key)
    let statistics = try run("refreshing the statistics") {
      try self.traces("select place, trace_count from ingest.forget_statistics()", parameters: [])
    }
    return Erased(traces: erased.traces + statistics, transaction: erased.transaction)
  }

  private func eraseRows(key: ErasureKey) throws(LoadError) -> Erased {
    try run("erasing the user") {
      let traces = try traces(
        "select place, trace_count from ingest.erase_user($1, $2, $3, $4, $5)",
        [
          .bytes(key.tombstone(of: userID.utf8)), .bytes(key.checkValue),
          .integer(Int(truncatingIfNeeded: key.filter(of: userID.utf8))),
        ])
      let number = try connection.query("select pg_catalog.pg_current_xact_id()")[0, 0]
      guard let transaction = TransactionNumber(number) else {
        throw LoadError(.defect, "erasing the user: the server returned no transaction number")
      }
      return Erased(traces: traces, transaction: transaction)
    }
  }

  private func traces(_ sql: String, _ more: [Parameter]) throws -> [Trace] {
    try traces(sql, parameters: [.text(userID), .optional(appID)] + more)
  }

  private func traces(_ sql: String, parameters: [Parameter]) throws -> [Trace] {
    try connection.query(sql, parameters).rows.compactMap { row in
      guard let place = row[0], let count = row[1].flatMap({ Int($0) }) else { return nil }
      return Trace(place: place, count: count)
    }
  }

  private func run<Value>(_ stage: String, _ body: () throws -> Value) throws(LoadError) -> Value {
    do {
      return try interruption.cancelling([connection], orSay: Self.interrupted) {
        try interruption.check()
        return try RetryPolicy().throughContention(during: stage, interruption: interruption) {
          try connection.writingTransaction(body)
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
