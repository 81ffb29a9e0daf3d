internal import Postgres
package import RecordPipeline

extension Change {
  /// The number of a user's rows in one table, or of what else an erasure touches or leaves.
  package struct Trace: Sendable, Equatable, Decodable {
    /// A table; `statistics of` and a table from whose statistics the database could not remove old
    /// values; or `bytes of` or `extra of` and a table with values that the first erasure empties.
    package let place: String
    package let count: Int
    /// The first day of the month whose values were emptied; nil for other traces.
    fileprivate let month: String?

    package var isOfStatistics: Bool { place.hasPrefix("statistics ") }
    package var isOfUser: Bool { !place.contains(" ") }
  }

  /// Counts what an erasure would delete or empty; changes nothing and waits for no lock.
  ///
  /// - Parameters:
  ///   - userID: the id as stored; it is compared by its bytes.
  ///   - appID: the application in which to look for the user; nil: all applications.
  package func countTraces(of userID: String, appID: String?) throws(LoadError) -> [Trace] {
    try step("counting the user's traces") {
      try traces("count_user_traces($1, $2)", [.text(userID), .text(appID)])
    }
  }

  /// Permanently erases a user's rows, refused lines, conflicts and fills, and leaves a tombstone by
  /// which later lines are suppressed.
  ///
  /// The role needs EXECUTE on the functions of `sql/grants/60_eraser.sql`, and reads what the figures
  /// of all players depend on. The erasure waits for running loads, replays and undos, and blocks new
  /// ones meanwhile. A repeated erasure changes nothing.
  ///
  /// Before the first erasure of a database, rows that belong to no user lose their `extra`, in which no
  /// erasure would find a user. Each month is a transaction of its own, so that loads can go on in between.
  ///
  /// The planner's statistics are refreshed in a last transaction, because ANALYZE may have to wait and
  /// must not block loads meanwhile.
  ///
  /// - Returns: the number of erased rows by table, and the statistics that are left.
  /// - Throws: `LoadError`. Unless the last transaction failed or the answer to a COMMIT was lost, nothing
  ///   of the user is erased.
  package func erase(
    _ userID: String, appID: String?, key: ErasureKey
  ) throws(LoadError) -> [Trace] {
    let months = try emptyMonths()
    let erased = try run(
      during: "erasing the user", remedy: Self.erasedStays, afterInterruption: Self.othersStay
    ) {
      // The function takes all its locks before it changes anything.
      let found = try connection.waiting(
        for: [.migrations] + Lock.streams + [.refresh, .erasures]
      ) {
        try traces(
          "erase_user($1, $2, $3, $4)",
          [
            .text(userID), .text(appID), .bytes(key.tombstone(of: userID.utf8)),
            .bytes(key.checkValue),
          ])
      }
      try connection.finishErasure()
      // Where the role may not refresh, newer loads wait for the next refresh.
      if try connection.canRefreshReports() { try connection.refreshReports() }
      return found
    }
    return try erased + months
      + step("refreshing the statistics") {
        try connection.waiting(for: [.refresh]) { try traces("forget_statistics()", []) }
      }
  }

  /// Does nothing once a user was erased.
  private func emptyMonths() throws(LoadError) -> [Trace] {
    var months: [Trace] = []
    for stream in StreamCatalog.all where !stream.hasUser {
      var last: String?
      repeat {
        let month = try step("emptying the months of \(stream.name)") {
          try connection.waiting(for: [.migrations, .stream(stream.name)]) {
            try traces("empty_month($1, $2)", [.text(stream.name), .text(last)]).first
          }
        }
        months += [month].compactMap(\.self)
        last = month?.month
      } while last != nil
    }
    return months
  }

  private static let erasedStays = "Run again: what is erased already stays erased"
  private static let othersStay =
    "the users listed as erased are erased, the others are not: run again"

  private func step<Value>(
    _ stage: String, _ body: () throws -> Value
  ) throws(LoadError) -> Value {
    try run(
      during: stage, remedy: Self.erasedStays, afterInterruption: Self.othersStay, isStep: true,
      body)
  }

  private func traces(_ call: String, _ parameters: [Parameter]) throws -> [Trace] {
    try connection.rows(
      "select place, trace_count as count, to_jsonb(t) ->> 'month' as month from ingest.\(call) t",
      parameters)
  }
}
