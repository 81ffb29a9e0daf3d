internal import Postgres

extension Change {
  /// The tables of our schemas `c`, with their database `d`; partitions, TOAST tables and indexes follow from them.
  private static let ownTables = """
    from pg_class c join pg_database d on d.datname = current_database()
      where c.relkind in ('r', 'p', 'm') and not c.relispartition
        and c.relnamespace::regnamespace::text in ('game', 'ingest', 'report', 'rollup', 'staging')
    """

  private static let allTables =
    "all tables of the schemas game, ingest, report, rollup and staging"

  private struct OwnTables: Decodable {
    let names: String
    let mayVacuum: Bool
  }

  /// Removes the deleted rows of erased users from the tables' files, by VACUUM and ANALYZE.
  ///
  /// Deleted rows stay in the files until VACUUM, and the values of columns in the statistics until
  /// ANALYZE. The catalog names the tables, so that a new one cannot be missing; those from which the
  /// erasure deleted nothing can have rows of rolled-back loads. VACUUM keeps rows that an older
  /// snapshot can still see and nevertheless reports success, so its own count of them decides.
  ///
  /// - Parameter patience: how long VACUUM runs again while rows are left, because a short query or
  ///   an automatic ANALYZE can see them for a moment.
  /// - Returns: one sentence on the deleted rows, with the statement to run where they are left.
  /// - Throws: `LoadError`, with exit code 130 or 143 after an interruption; the users stay erased.
  package func reclaimSpace(patience: Duration = .seconds(10)) throws(LoadError) -> String {
    let end = ContinuousClock.now + patience
    do {
      return try interruption.cancelling(
        [connection],
        message:
          "interrupted; the users are erased, but the deleted rows stay in the tables' files until "
          + "VACUUM (ANALYZE, INDEX_CLEANUP ON) is run on \(Self.allTables)"
      ) {
        // VACUUM runs outside a transaction, whose settings would keep those of the role away.
        try connection.execute(
          "set statement_timeout = 0; set lock_timeout = 0; set search_path = pg_catalog, pg_temp")
        // Without the right PostgreSQL only warns, skips the table and reports success.
        let tables = try connection.onlyRow(
          of: OwnTables.self,
          """
          select string_agg(c.oid::regclass::text, ', ' order by c.relnamespace::regnamespace::text, c.relname) as names,
              bool_and(pg_has_role(c.relowner, 'usage') or pg_has_role(d.datdba, 'usage')) as may_vacuum
            \(Self.ownTables)
          """)
        let statement = "vacuum (analyze, index_cleanup on) \(tables.names)"
        guard tables.mayVacuum else {
          return
            "the deleted rows are still in the tables' files: this role may not run VACUUM. Have the "
            + "tables' owner run: \(statement)"
        }
        var leftRows = try vacuum(tables.names)
        while leftRows > 0, ContinuousClock.now < end {
          try interruption.sleep(seconds: 0.2)
          leftRows = try vacuum(tables.names)
        }
        try connection.execute("analyze \(tables.names)")
        return leftRows == 0
          ? "VACUUM and ANALYZE are done"
          : "VACUUM has run, but \(leftRows) deleted rows are still in the tables' files, because an "
            + "older snapshot can still see them: of a session, a prepared transaction, a standby or a "
            + "replication slot. The page Commands of the documentation has the query that names it, under "
            + "Erasure. When it has ended, run: "
            + statement
      }
    } catch {
      throw LoadError(
        wrapping: error, during: "reclaiming the space",
        remedy: "The users are erased; run VACUUM (ANALYZE, INDEX_CLEANUP ON) on \(Self.allTables)")
    }
  }

  /// - Returns: the deleted rows that VACUUM found and kept, as VACUUM itself counted them.
  private func vacuum(_ tables: String) throws -> Int {
    // This session's own counts must be flushed first, or they would be added to those of VACUUM.
    try connection.query("select pg_stat_force_next_flush()")
    try connection.execute("vacuum (index_cleanup on) \(tables)")
    return try connection.onlyRow(
      of: Int.self,
      """
      select sum((select sum(pg_stat_get_dead_tuples(relid))
          from (select relid from pg_partition_tree(c.oid) union select c.oid) part))
        \(Self.ownTables)
      """)
  }
}
