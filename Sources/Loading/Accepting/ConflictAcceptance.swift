package import Postgres

/// Accepts conflicting lines in one transaction: their values replace the stored ones, which are
/// recorded, and the rollups are refreshed.
///
/// A line is accepted as a whole: its values replace those of the stored row, and fill absent ones.
/// Lines of one key are applied in the order in which they were refused. A line that is older than
/// an accepted line of its key is accepted only when the filter names its file, run or key. Keys
/// and the row's user never change.
package final class ConflictAcceptance {
  private let filter: ConflictFilter
  private let isDryRun: Bool
  private let listedChanges: Int
  private let connection: Connection
  private let wait: LockWait
  private let interruption: Interruption

  /// - Parameters:
  ///   - filter: not empty.
  ///   - isDryRun: do all the work but the refresh, and roll it back.
  ///   - listedChanges: the number of changes to list in the report.
  ///   - connection: to a database at this program's schema.
  ///   - wait: says for whom the command waits.
  package init(
    _ filter: ConflictFilter, isDryRun: Bool = false, listedChanges: Int = 50,
    connection: Connection, wait: LockWait = .silent,
    interruption: Interruption = Interruption()
  ) {
    self.filter = filter
    self.isDryRun = isDryRun
    self.listedChanges = listedChanges
    self.connection = connection
    self.wait = wait
    self.interruption = interruption
  }

  /// - Throws: `LoadError`. Nothing was changed then, unless the connection broke after COMMIT was
  ///   sent and before the answer arrived.
  package func run() throws(LoadError) -> AcceptanceReport {
    try connection.reversibleTransaction(
      during: "accepting conflicts",
      remedy: "Run again: lines that are accepted already are left alone",
      interruption: interruption, isKept: { [isDryRun] in !isDryRun && $0.acceptanceID != nil },
      accept)
  }

  private func accept() throws -> AcceptanceReport {
    let streams = try connection.rows(
      of: String.self,
      """
      select distinct c.stream from ingest.conflict c join ingest.source_file f using (source_file_id)
        where c.acceptance_id is null and \(ConflictFilter.condition) order by c.stream
      """, filter.parameters)
    if !streams.isEmpty { try Locks(connection: connection, wait: wait).holdAllStreamsAndRefresh() }

    // Selected under the locks, because an undo or another acceptance may have changed the
    // conflicts.
    let accepted = try connection.onlyRow(
      of: Accepted.self,
      """
      select a.acceptance_id, a.line_count, a.row_count, a.value_count, a.rowless_count,
          a.foreign_count, a.incomplete_count, a.superseded_count
        from ingest.accept_conflicts(string_to_array($6, ','), $1, $2, $3, $4::text::jsonb, $5) a
      """, filter.parameters + [.text(streams.joined(separator: ","))])
    let acceptanceID = accepted.acceptanceID
    if acceptanceID != nil, !isDryRun { try connection.refreshReports() }
    return AcceptanceReport(
      isDryRun: isDryRun, acceptanceID: acceptanceID, lines: accepted.lineCount,
      rows: accepted.rowCount, changeCount: accepted.valueCount,
      linesWithoutRow: accepted.rowlessCount, linesOfOthers: accepted.foreignCount,
      incompleteLines: accepted.incompleteCount, supersededLines: accepted.supersededCount,
      changes: try acceptanceID.map(changes) ?? [])
  }

  private struct Accepted: Decodable {
    let acceptanceID: Int?
    let lineCount: Int
    let rowCount: Int
    let valueCount: Int
    let rowlessCount: Int
    let foreignCount: Int
    let incompleteCount: Int
    let supersededCount: Int
  }

  private func changes(of acceptanceID: Int) throws -> [AcceptanceReport.Change] {
    try connection.rows(
      of: AcceptanceReport.Change.self,
      """
      select f.path || ':' || v.line_number as line, v.stream, v.natural_key, v.field, v.before,
          v.after
        from ingest.accepted_value v join ingest.source_file f using (source_file_id)
        where v.acceptance_id = $1 and v.before is distinct from v.after
        order by v.accepted_value_id limit $2
      """, [.integer(acceptanceID), .integer(listedChanges)])
  }
}
