package import Postgres

/// Takes the values of refused lines as the truth, in one transaction, with a record of what stood there.
///
/// A line is accepted as a whole: its values replace those of the stored row, also where the row has
/// none. Lines of one key follow each other in the order in which they were refused; one older than an
/// accepted line needs its file, run or key named. Keys and the row's user never change.
package final class ConflictAcceptance {
  private let filter: ConflictFilter
  private let isDryRun: Bool
  private let listedChanges: Int
  private let connection: Connection
  private let interruption: Interruption

  /// - Parameters:
  ///   - filter: not empty.
  ///   - isDryRun: do all of it and keep nothing.
  ///   - listedChanges: changes to tell one by one.
  ///   - connection: to a database at this program's schema.
  package init(
    _ filter: ConflictFilter, isDryRun: Bool = false, listedChanges: Int = 50,
    connection: Connection, interruption: Interruption = Interruption()
  ) {
    self.filter = filter
    self.isDryRun = isDryRun
    self.listedChanges = listedChanges
    self.connection = connection
    self.interruption = interruption
  }

  /// - Throws: `LoadError`; nothing has been changed then, or the commit's answer was lost.
  package func run() throws(LoadError) -> AcceptanceReport {
    try connection.reversibleTransaction(
      during: "accepting conflicts", remedy: "Run again: what is accepted already is left alone",
      interruption: interruption, isKept: { [isDryRun] in !isDryRun && $0.acceptanceID != nil },
      accept)
  }

  private func accept() throws -> AcceptanceReport {
    // Always in this order, so that two of us never wait for each other in a circle.
    let streams = try connection.query(
      """
      select distinct c.stream from ingest.conflict c join ingest.source_file f using (source_file_id)
        where c.acceptance_id is null and \(ConflictFilter.condition) order by c.stream
      """, filter.parameters
    ).rows.compactMap { $0[0] }
    let locks = Locks(connection: connection)
    for stream in streams { try locks.holdStream(stream) }

    // Chosen behind the locks: an undo or another acceptance may have been faster.
    let result = try connection.query(
      """
      select a.acceptance_id, a.line_count, a.row_count, a.value_count, a.rowless_count,
          a.foreign_count, a.incomplete_count, a.superseded_count
        from ingest.accept_conflicts(string_to_array($6, ','), $1, $2, $3, $4::text::jsonb, $5) a
      """, filter.parameters + [.text(streams.joined(separator: ","))])
    let counts = (1...7).map { result.integer(row: 0, column: $0) ?? 0 }
    let acceptanceID = result.integer(row: 0, column: 0)
    return AcceptanceReport(
      isDryRun: isDryRun, acceptanceID: acceptanceID, lines: counts[0], rows: counts[1],
      changeCount: counts[2], linesWithoutRow: counts[3], linesOfOthers: counts[4],
      incompleteLines: counts[5], supersededLines: counts[6],
      changes: try acceptanceID.map(changes) ?? [])
  }

  private func changes(of acceptanceID: Int) throws -> [AcceptanceReport.Change] {
    try connection.query(
      """
      select f.path || ':' || v.line_number, v.stream, v.natural_key, v.field, v.before, v.after
        from ingest.accepted_value v join ingest.source_file f using (source_file_id)
        where v.acceptance_id = $1 and v.before is distinct from v.after
        order by v.accepted_value_id limit $2
      """, [.integer(acceptanceID), .integer(listedChanges)]
    ).rows.map {
      AcceptanceReport.Change(
        line: $0[0] ?? "", stream: $0[1] ?? "", naturalKey: $0[2] ?? "", field: $0[3] ?? "",
        before: $0[4], after: $0[5])
    }
  }
}

/// The result of an acceptance.
package struct AcceptanceReport: Sendable {
  /// A value that an accepted line changed, as PostgreSQL prints it; nil: none.
  package struct Change: Sendable, Equatable {
    /// Path and line number.
    package let line: String
    package let stream: String
    /// A JSON array.
    package let naturalKey: String
    package let field: String
    package let before: String?
    package let after: String?
  }

  package let isDryRun: Bool
  /// nil: no line could be accepted.
  package let acceptanceID: Int?
  /// Lines that were accepted.
  package let lines: Int
  package let rows: Int
  package let changeCount: Int
  /// Lines whose row is no longer stored; they were left.
  package let linesWithoutRow: Int
  /// Lines that name another user or application than the stored row; they were left.
  package let linesOfOthers: Int
  /// Lines of which an older version kept only what they contradicted; they were left.
  package let incompleteLines: Int
  /// Lines that were refused before one of their key that is accepted already; they were left, for neither
  /// their file nor their run nor their key was named.
  package let supersededLines: Int
  /// The first changes, in order.
  package let changes: [Change]

  /// Lines that were left and need somebody's decision.
  package var leftLines: Int { linesWithoutRow + linesOfOthers + incompleteLines }
}
