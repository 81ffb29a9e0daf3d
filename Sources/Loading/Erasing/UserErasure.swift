package import Postgres
package import RecordPipeline

/// Erases one user: rows, refused lines, conflicts and fills, in one transaction, and for good.
///
/// Needs EXECUTE on two functions of the database and nothing else.
package struct UserErasure {
  private let userID: String
  private let appID: String?
  private let connection: Connection

  /// - Parameters:
  ///   - userID: as it is stored: compared by its bytes.
  ///   - appID: only in this application; nil: in all of them.
  package init(userID: String, appID: String?, connection: Connection) {
    self.userID = userID
    self.appID = appID
    self.connection = connection
  }

  /// How many rows of a table are the user's.
  package struct Trace: Sendable, Equatable {
    /// A table, or statistics of one that the database could not renew.
    package let place: String
    package let count: Int

    package var isOfStatistics: Bool { place.hasPrefix("statistics ") }
  }

  /// Looks only; waits for nobody.
  package func count() throws(LoadError) -> [Trace] {
    try run("select place, trace_count from ingest.count_user_traces($1, $2)", [])
  }

  /// Erases the user, and leaves a tombstone that keeps later lines out.
  ///
  /// Waits until no load, replay or undo is under way, and keeps them off. A second time changes
  /// nothing.
  /// - Returns: what was there.
  package func erase(key: ErasureKey) throws(LoadError) -> [Trace] {
    try run(
      "select place, trace_count from ingest.erase_user($1, $2, $3, $4)",
      [.bytes(key.tombstone(of: userID.utf8)), .bytes(key.checkValue)])
  }

  private func run(_ sql: String, _ more: [Parameter]) throws(LoadError) -> [Trace] {
    do {
      let result = try connection.writingTransaction {
        try connection.query(sql, [.text(userID), .optional(appID)] + more)
      }
      return result.rows.compactMap { row in
        guard let place = row[0], let count = row[1].flatMap({ Int($0) }) else { return nil }
        return Trace(place: place, count: count)
      }
    } catch let error as PostgresError where error.isMissingName {
      throw LoadError(
        .configuration,
        "the database has no functions for erasing users; run gamebase-ingest migrate")
    } catch {
      throw LoadError(
        wrapping: error, during: "erasing the user",
        remedy: "Run again: what is erased already stays erased")
    }
  }
}

extension PostgresError {
  /// True for a schema or a function that is not there.
  fileprivate var isMissingName: Bool {
    sqlState == .undefinedFunction || sqlState == .invalidSchemaName
  }
}
