package import Postgres

/// The stored rejects that a filter selects, as tables for `rejects list`.
package struct RejectListing {
  private let filter: RejectFilter
  private let connection: Connection

  private static let selection = "from \(RejectFilter.source) where \(RejectFilter.condition)"

  /// - Parameter connection: inside a transaction, so that both tables show the same rejects.
  package init(_ filter: RejectFilter, on connection: Connection) {
    self.filter = filter
    self.connection = connection
  }

  /// One row per stream, code and field, the most frequent first.
  ///
  /// Columns: `stream`, `code`, `field`, `lines`, `first_example` (`path:line`).
  package func groups() throws -> QueryResult {
    try connection.query(
      """
      select stream as stream, code as code, coalesce(field, '-') as field, count(*)::text as lines,
        (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1]
          as first_example
      \(Self.selection)
      group by stream, code, field order by count(*) desc, stream, code, field
      """, filter.parameters)
  }

  /// One row per refused line, oldest reject first; rejects of failed files come last.
  ///
  /// Columns: `line` (`path:line`), `byte_offset`, `code`, `field`, `status`, `reason`.
  package func lines(limit: Int) throws -> QueryResult {
    try connection.query(
      """
      select path || ':' || line_number as line, byte_offset::text as byte_offset,
        code as code, coalesce(field, '-') as field,
        case when resolved_at is null then status else 'resolved' end as status,
        reason as reason
      \(Self.selection) order by reject_id, path, line_number limit $9
      """, filter.parameters + [.integer(limit)])
  }
}
