package import Postgres
package import RecordPipeline

/// Erases one user: rows, refused lines, conflicts and fills, in one transaction, and for good.
///
/// Needs EXECUTE on three functions of the database and nothing else.
package struct UserErasure {
  private let userID: String
  private let appID: String?
  private let connection: Connection
  private let interruption: Interruption

  /// - Parameters:
  ///   - userID: as it is stored: compared by its bytes.
  ///   - appID: only in this application; nil: in all of them.
  package init(
    userID: String, appID: String?, connection: Connection,
    interruption: Interruption = Interruption()
  ) {
    self.userID = userID
    self.appID = appID
    self.connection = connection
    self.interruption = interruption
  }

  /// How many rows of a table are the user's.
  package struct Trace: Sendable, Equatable {
    /// A table, or statistics of one that the database could not renew.
    package let place: String
    package let count: Int

    package var isOfStatistics: Bool { place.hasPrefix("statistics ") }
  }

  /// What an erasure has done.
  package struct Erased: Sendable {
    /// What was there.
    package let traces: [Trace]
    /// Whoever goes back before this can still see it.
    package let transaction: TransactionNumber
  }

  /// Looks only; waits for nobody.
  package func count() throws(LoadError) -> [Trace] {
    try run("counting the user's traces") {
      try traces("select place, trace_count from ingest.count_user_traces($1, $2)", [])
    }
  }

  /// Erases the user, and leaves a tombstone that keeps later lines out.
  ///
  /// Waits until no load, replay or undo is under way, and keeps them off. A second time changes
  /// nothing, but that a tombstone without a filter gets one.
  /// The planner's statistics follow in a transaction of their own: ANALYZE may have to wait, and no
  /// load waits for it.
  /// - Throws: `LoadError`; nothing of the user is erased then, or the commit's answer was lost.
  package func erase(key: ErasureKey) throws(LoadError) -> Erased {
    let erased = try eraseRows(key: key)
    let statistics = try run("renewing the statistics") {
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
        throw LoadError(.defect, "erasing the user: the server gave a transaction no number")
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
        "the database has no functions for erasing users, or those of another version; run "
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
  /// True for a schema or a function that is not there.
  fileprivate var isMissingName: Bool {
    sqlState == .undefinedFunction || sqlState == .invalidSchemaName
  }
}
