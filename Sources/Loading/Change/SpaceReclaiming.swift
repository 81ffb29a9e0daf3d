package import Postgres

/// Runs VACUUM and ANALYZE on every table of the program's schemas.
///
/// Deleted rows stay in the tables' files until VACUUM, and common values stay in the statistics
/// until ANALYZE. The catalog names the tables, so that a new one cannot be missing. Those from
/// which the erasure deleted nothing can have rows of rolled-back loads. VACUUM keeps rows that
/// another session can still see and nevertheless reports success, so this type also searches for
/// the holders of such rows.
package struct SpaceReclaiming {
  private let connection: Connection
  private let interruption: Interruption

  package init(_ connection: Connection, interruption: Interruption = Interruption()) {
    self.connection = connection
    self.interruption = interruption
  }

  /// The partitions follow from their table, and TOAST tables and indexes from theirs.
  private static let ownTables = """
    c.relkind in ('r', 'p', 'm') and not c.relispartition
      and c.relnamespace in (select oid from pg_catalog.pg_namespace
        where nspname in ('game', 'ingest', 'report', 'rollup', 'staging'))
    """

  private static let allTables =
    "all tables of the schemas game, ingest, report, rollup and staging"

  /// The state of the deleted rows after `reclaim`.
  package struct Outcome: Sendable, Equatable {
    /// The statement to run as a role that has the right, when this role lacks it or holders are
    /// left.
    package let statement: String
    /// False when this role lacks the right, which the tables' owner has.
    package let isVacuumed: Bool
    /// The holders that were left before or after VACUUM; without VACUUM, those that are left now.
    package let holders: [RowHolder]
    /// The number of deleted rows that VACUUM kept although no holder is known, so that one must be
    /// hidden from this role.
    package let unexplainedRows: Int
  }

  /// Waits for holders of deleted rows, then runs VACUUM and ANALYZE, unless this role lacks the
  /// right.
  ///
  /// - Parameters:
  ///   - transaction: the last transaction that deleted rows.
  ///   - waitSeconds: the longest wait for the holders of the rows to end before VACUUM, which runs
  ///     again while the time lasts when another holder came during it; 0: no wait.
  /// - Throws: `LoadError`, with exit code 130 or 143 after an interruption; the users stay erased.
  package func reclaim(
    after transaction: UInt64, waitSeconds: Int = 0
  ) throws(LoadError) -> Outcome {
    do {
      return try interruption.cancelling(
        [connection],
        message:
          "interrupted; the users are erased, but the deleted rows stay in the tables' files until "
          + "VACUUM (ANALYZE, INDEX_CLEANUP ON) is run on \(Self.allTables)"
      ) {
        // VACUUM runs outside a transaction, whose settings would keep the role's timeouts away.
        try connection.execute("set statement_timeout = 0; set lock_timeout = 0")
        let end = ContinuousClock.now + .seconds(waitSeconds)
        let tables = try tables()
        let mayVacuum = try mayVacuum()
        while true {
          let before = try waitForHolders(of: transaction, until: end)
          guard mayVacuum else {
            return Outcome(
              statement: Self.statement(tables), isVacuumed: false, holders: before.holders,
              unexplainedRows: 0)
          }
          let outcome = try vacuum(tables, transaction, before)
          guard outcome.holders.contains(where: \.holdsRows), ContinuousClock.now < end else {
            return outcome
          }
        }
      }
    } catch {
      throw LoadError(
        wrapping: error, during: "reclaiming the space",
        remedy: "The users are erased; run VACUUM (ANALYZE, INDEX_CLEANUP ON) on \(Self.allTables)")
    }
  }

  /// Seconds between two searches for holders.
  private static let searchInterval = 0.2

  /// Waits until nothing holds the rows any more, or the time is over.
  ///
  /// - Returns: the holders that are left.
  private func waitForHolders(
    of transaction: UInt64, until end: ContinuousClock.Instant
  ) throws -> Found {
    while true {
      let found = try findHolders(of: transaction)
      guard found.holders.contains(where: \.holdsRows), ContinuousClock.now < end else {
        return found
      }
      try interruption.sleep(seconds: Self.searchInterval)
    }
  }

  private struct Found {
    var holders: [RowHolder] = []
    /// True when this role may not see all holders.
    var mayMissSome = true
  }

  private func findHolders(of transaction: UInt64) throws -> Found {
    do {
      return Found(
        holders: try connection.rows(
          of: RowHolder.self, "select * from ingest.row_holders($1::xid8)",
          [.text(String(transaction))]),
        mayMissSome: try connection.onlyRow(
          of: Bool.self, "select not pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')"))
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      return Found()
    }
  }

  private func tables() throws -> [String] {
    try connection.rows(
      of: String.self,
      """
      select pg_catalog.format('%I.%I', c.relnamespace::pg_catalog.regnamespace, c.relname)
        from pg_catalog.pg_class c where \(Self.ownTables) order by 1
      """)
  }

  private static func statement(_ tables: [String]) -> String {
    "vacuum (analyze, index_cleanup on) \(tables.joined(separator: ", "))"
  }

  private func vacuum(
    _ tables: [String], _ transaction: UInt64, _ before: Found
  ) throws -> Outcome {
    // This session's own counts must be flushed first, or they would be added to those of VACUUM.
    try connection.query("select pg_catalog.pg_stat_force_next_flush()")
    let list = tables.joined(separator: ", ")
    try connection.execute("vacuum (index_cleanup on) \(list)")
    let leftRows = try deadRows()
    // A session that connected during VACUUM can hold rows too: its snapshot reaches back to the
    // oldest transaction in any database.
    let after = try findHolders(of: transaction)
    try connection.execute("analyze \(list)")
    let known = Set(before.holders.map(\.name))
    let holders = before.holders + after.holders.filter { !known.contains($0.name) }
    let isExplained = holders.contains(where: \.holdsRows) || !before.mayMissSome
    return Outcome(
      statement: Self.statement(tables), isVacuumed: true, holders: holders,
      unexplainedRows: isExplained ? 0 : leftRows)
  }

  /// The number of deleted rows that VACUUM found and kept, as VACUUM itself counted them.
  private func deadRows() throws -> Int {
    try connection.onlyRow(
      of: Int.self,
      """
      select coalesce(sum(pg_catalog.pg_stat_get_dead_tuples(coalesce(p.relid, c.oid))), 0)
        from pg_catalog.pg_class c left join lateral pg_catalog.pg_partition_tree(c.oid) p on true
        where \(Self.ownTables)
      """)
  }

  /// True when this role may run VACUUM on all tables.
  ///
  /// This is checked first, because without the right PostgreSQL only warns, skips the table and
  /// reports success.
  private func mayVacuum() throws -> Bool {
    try connection.onlyRow(
      of: Bool.self,
      """
      select not exists (
        select from pg_catalog.pg_class c
          where (\(Self.ownTables)) and not pg_catalog.pg_has_role(c.relowner, 'USAGE')
            and not (select pg_catalog.pg_has_role(d.datdba, 'USAGE')
              from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
      """)
  }
}

/// A holder of deleted rows, which VACUUM cannot remove: a row of `ingest.row_holders`.
package struct RowHolder: Decodable, Sendable, Equatable {
  let name: String
  let details: String
  /// The action by which an operator ends the holder.
  let cure: String
  /// False for a holder of old statistics only.
  let holdsRows: Bool

  var line: String { printable("- \(name)\(details): \(cure)") }
}

extension SpaceReclaiming.Outcome {
  /// The result as lines of text: the state, the holders to wait for, and the statement to run
  /// afterwards.
  package var lines: [String] {
    let holding = holders.filter(\.holdsRows)
    let statistics = holders.filter { !$0.holdsRows }
    var lines: [String] = []
    if !isVacuumed {
      lines.append(
        "the deleted rows are still in the tables' files: this role may not run VACUUM. Have the "
          + "tables' owner run: \(statement)")
      if !holding.isEmpty { lines.append("VACUUM can remove the rows when these have ended:") }
    } else if !holding.isEmpty {
      lines.append(
        "VACUUM has run, but the deleted rows are still in the tables' files, held by:")
    } else if unexplainedRows > 0 {
      lines.append(
        "VACUUM has run, but \(unexplainedRows) deleted rows are still in the tables' files, held "
          + "by sessions that this role cannot see; a member of pg_read_all_stats can see them. When "
          + "they have ended, run: \(statement)")
    } else {
      lines.append("VACUUM and ANALYZE are done")
    }
    lines += holding.map(\.line)
    if isVacuumed, !holding.isEmpty {
      lines.append("When these have ended, run: \(statement)")
    }
    if !statistics.isEmpty {
      lines.append("old statistics are still in pg_catalog.pg_statistic, held by:")
      lines += statistics.map(\.line)
    }
    return lines
  }
}
