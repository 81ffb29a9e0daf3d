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
  package func groups() -> Listing {
    Listing(
      """
      select stream, code, field, count(*) as lines,
        (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1]
          as first_example
      \(Self.selection)
      group by stream, code, field order by count(*) desc, stream, code, field
      """, filter.parameters, on: connection)
  }

  /// One row per refused line, oldest reject first; rejects of failed files come last.
  ///
  /// Columns: `line` (`path:line`), `byte_offset`, `code`, `field`, `status`, `reason`.
  package func lines(limit: Int) -> Listing {
    Listing(
      """
      select path || ':' || line_number as line, byte_offset, code, field,
        case when resolved_at is null then status else 'resolved' end as status, reason
      \(Self.selection) order by reject_id, path, line_number limit $9
      """, filter.parameters + [.integer(limit)], on: connection)
  }
}
