package import Postgres

/// The stored conflicts that a filter selects, as tables for `conflicts list`.
package struct ConflictListing {
  private let parameters: [Parameter]
  private let accepted: Bool
  private let connection: Connection

  private static let selection = """
    from ingest.conflict c join ingest.source_file f using (source_file_id)
      left join ingest.acceptance a using (acceptance_id)
    where f.undone_at is null and (c.acceptance_id is not null) = $7
      and \(ConflictFilter.condition)
    """

  /// - Parameters:
  ///   - accepted: true to list accepted conflicts, false to list open ones.
  ///   - connection: inside a transaction, so that both tables show the same conflicts.
  package init(_ filter: ConflictFilter, accepted: Bool, on connection: Connection) {
    parameters = filter.parameters + [.boolean(accepted)]
    self.accepted = accepted
    self.connection = connection
  }

  /// One row per stream and column, the most frequent first.
  ///
  /// Columns: `stream`, `field`, `lines`, `first_example` (`path:line`).
  package func groups() -> Listing {
    Listing(
      """
      select c.stream, c.field, count(*) as lines,
        (array_agg(f.path || ':' || c.line_number order by c.conflict_id))[1] as first_example
      \(Self.selection) group by c.stream, c.field order by count(*) desc, c.stream, c.field
      """, parameters, on: connection)
  }

  /// One row per conflict, oldest first.
  ///
  /// Columns: `line` (`path:line`), `stream`, `key` (a JSON array), `field`, `kept`, `refused`; for
  /// accepted conflicts also `acceptance`, `accepted_by`, `accepted_at`.
  package func conflicts(limit: Int) -> Listing {
    let acceptance = """
      , c.acceptance_id as acceptance, a.accepted_by, a.accepted_at
      """
    return Listing(
      """
      select f.path || ':' || c.line_number as line, c.stream, c.natural_key as key, c.field, c.kept,
        c.refused
        \(accepted ? acceptance : "")
      \(Self.selection) order by c.conflict_id limit $8
      """, parameters + [.integer(limit)], on: connection)
  }
}
