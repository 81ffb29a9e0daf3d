package import Postgres
internal import RecordPipeline

/// VACUUM and ANALYZE of every table that can have held a user.
///
/// Deleted rows stay in their files until VACUUM, and common values in the statistics until ANALYZE.
/// Of all of these tables, for rows of loads that were rolled back lie in them too.
package struct SpaceReclaiming {
  private let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  private static let tables =
    StreamCatalog.all.map(\.targetTable) + [
      "ingest.reject", "ingest.failed_reject", "ingest.conflict", "ingest.fill",
    ]

  /// For whoever may run it.
  package static let statement = "vacuum (analyze) \(tables.joined(separator: ", "))"

  /// - Returns: false when this role may not: it is for the tables' owner.
  package func reclaim() throws(LoadError) -> Bool {
    do {
      guard try mayVacuum() else { return false }
      try connection.execute(Self.statement)
      return true
    } catch {
      throw LoadError(
        wrapping: error, during: "reclaiming the space",
        remedy: "The user is erased; run \(Self.statement)")
    }
  }

  /// Asked for beforehand: PostgreSQL passes a table over with a warning, and calls it a success.
  private func mayVacuum() throws -> Bool {
    let result = try connection.query(
      """
      select not exists (
        select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where n.nspname || '.' || c.relname = any ($1::text[])
            and not pg_catalog.pg_has_role(c.relowner, 'USAGE')
            and not (select pg_catalog.pg_has_role(d.datdba, 'USAGE')
              from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
      """, [.text("{\(Self.tables.joined(separator: ","))}")])
    return result[0, 0] == "t"
  }
}
