package import Postgres

/// Accepts conflicting lines in one transaction: their values lie over the loaded ones from then on,
/// and the rollups are refreshed.
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
        from ingest.accepted_changes(array(
            select conflict_id from ingest.conflict
              where acceptance_id = $1 and refused_row is not null)) with ordinality v
          join ingest.source_file f using (source_file_id)
        order by v.ordinality limit $2
      """, [.integer(acceptanceID), .integer(listedChanges)])
  }
}

/// A filter for conflicts; a nil value matches every conflict.
package struct ConflictFilter: Sendable {
  /// A file's path, the end of its path after a `/`, or its `source_file_id`.
  package var file: String?
  package var loadID: Int?
  package var stream: String?
  /// A natural key, as a JSON array.
  package var naturalKey: String?
  /// The column in which a line contradicts the stored row.
  package var field: String?

  package init() {}

  package var isEmpty: Bool {
    file == nil && loadID == nil && stream == nil && naturalKey == nil && field == nil
  }

  /// The SQL condition of the filter, on `ingest.conflict c` and its `ingest.source_file f`.
  ///
  /// `$1` to `$5` are `parameters`.
  package static let condition = """
    ($1::text is null or f.path = $1 or right(f.path, length($1) + 1) = '/' || $1
        or f.source_file_id::text = $1)
      and ($2::bigint is null or f.load_id = $2) and ($3::text is null or c.stream = $3)
      and ($4::text is null or c.natural_key = $4::jsonb) and ($5::text is null or c.field = $5)
    """

  package var parameters: [Parameter] {
    [
      .optional(file), .optional(loadID), .optional(stream), .optional(naturalKey),
      .optional(field),
    ]
  }
}

/// The result of an acceptance.
package struct AcceptanceReport: Sendable {
  /// A changed value; `before` and `after` are text as PostgreSQL prints it, nil for NULL.
  package struct Change: Sendable, Equatable, Decodable {
    /// The line that the new value comes from, as `path:line`.
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
  /// The number of accepted lines.
  package let lines: Int
  /// The number of stored rows that the accepted lines belong to.
  package let rows: Int
  /// The number of changed values, including those that `changes` leaves out.
  package let changeCount: Int
  /// Lines whose row is no longer stored; not accepted.
  package let linesWithoutRow: Int
  /// Lines that name another user or application than the stored row, or another currency and no
  /// amount; not accepted.
  package let linesOfOthers: Int
  /// Lines of which an older version of this program stored only the contradicting values; not
  /// accepted.
  package let incompleteLines: Int
  /// Lines that are older than an accepted line of their key; not accepted, because the filter
  /// names neither their file nor their run nor their key.
  package let supersededLines: Int
  /// The first changes, in the order in which they were made.
  package let changes: [Change]

  /// Lines that were not accepted and need a decision.
  package var leftLines: Int { linesWithoutRow + linesOfOthers + incompleteLines }
}
