package import Postgres
internal import RecordPipeline

/// VACUUM and ANALYZE of every table that can have held a user.
///
/// Deleted rows stay in their files until VACUUM, and common values in the statistics until ANALYZE.
/// Of all of these tables, for rows of loads that were rolled back lie in them too. What somebody may
/// still see, VACUUM passes over, and calls that a success: so it is asked who that is.
package struct SpaceReclaiming {
  private let connection: Connection
  private let interruption: Interruption

  package init(_ connection: Connection, interruption: Interruption = Interruption()) {
    self.connection = connection
    self.interruption = interruption
  }

  private static let tables =
    StreamCatalog.all.map(\.targetTable) + [
      "ingest.reject", "ingest.failed_reject", "ingest.conflict", "ingest.fill",
      "ingest.accepted_value",
    ]
  private static let tableList = tables.joined(separator: ", ")

  /// For whoever may run it.
  package static let statement = "vacuum (analyze, index_cleanup on) \(tableList)"

  /// The state of the deleted rows.
  package struct Outcome: Sendable, Equatable {
    /// False when this role may not: it is for the tables' owner.
    package let isVacuumed: Bool
    /// The holders of rows when VACUUM ran, or those that would hold them if it ran now.
    package let holders: [RowHolder]
    /// Deleted rows that VACUUM has left for nobody who can be seen.
    package let unexplainedRows: Int
  }

  /// Runs both, unless this role may not.
  ///
  /// - Parameters:
  ///   - transaction: the last that deleted rows.
  ///   - waitSeconds: how long to wait beforehand for those who hold the rows; 0: not at all.
  /// - Throws: `LoadError`; with exit code 130 or 143 when it was interrupted.
  package func reclaim(
    after transaction: TransactionNumber, waitSeconds: Int = 0
  ) throws(LoadError) -> Outcome {
    do {
      return try interruption.cancelling(
        [connection],
        orSay: "interrupted; what was to be erased is erased, but the deleted rows are still in "
          + "the tables' files until somebody runs: \(Self.statement)"
      ) {
        let search = RowHolderSearch(connection: connection, transaction: transaction)
        let before = try waited(search, seconds: waitSeconds)
        guard try mayVacuum() else {
          return Outcome(isVacuumed: false, holders: before.holders, unexplainedRows: 0)
        }
        return try vacuum(search, before)
      }
    } catch {
      throw LoadError(
        wrapping: error, during: "reclaiming the space",
        remedy: "What was to be erased is erased; run \(Self.statement)")
    }
  }

  /// Seconds between two looks.
  private static let lookSeconds = 0.2

  /// The holders of the rows, once there are none or the time is over.
  private func waited(
    _ search: RowHolderSearch, seconds: Int
  ) throws -> RowHolderSearch.Found {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while true {
      let found = try search.find()
      guard found.holders.contains(where: \.holdsRows), clock.now < end else { return found }
      try interruption.sleep(seconds: Self.lookSeconds)
    }
  }

  private func vacuum(
    _ search: RowHolderSearch, _ before: RowHolderSearch.Found
  ) throws -> Outcome {
    // What this session has counted so far, or it would be added to what VACUUM counts.
    try connection.query("select pg_catalog.pg_stat_force_next_flush()")
    try connection.execute("vacuum (index_cleanup on) \(Self.tableList)")
    let leftRows = try deadRows()
    // Who came meanwhile may go back as far, for the sake of a transaction of another database.
    let after = try search.find()
    try connection.execute("analyze \(Self.tableList)")
    let known = Set(before.holders.map(\.identity))
    let holders = before.holders + after.holders.filter { !known.contains($0.identity) }
    let isExplained = holders.contains(where: \.holdsRows) || !before.mayMissSome
    return Outcome(
      isVacuumed: true, holders: holders, unexplainedRows: isExplained ? 0 : leftRows)
  }

  /// Rows that VACUUM has found deleted and has had to leave: it counts them.
  private func deadRows() throws -> Int {
    try connection.query(
      """
      select coalesce(sum(pg_catalog.pg_stat_get_dead_tuples(coalesce(p.relid, t.name))), 0)
        from pg_catalog.unnest($1::pg_catalog.regclass[]) t (name)
        left join lateral pg_catalog.pg_partition_tree(t.name) p on true
      """, [.text("{\(Self.tables.joined(separator: ","))}")]
    ).integer(row: 0, column: 0) ?? 0
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

extension SpaceReclaiming.Outcome {
  /// For people: what is done, what is still to wait for, and what to run then.
  package var lines: [String] {
    let holding = holders.filter(\.holdsRows)
    let statistics = holders.filter { !$0.holdsRows }
    var lines: [String] = []
    if !isVacuumed {
      lines.append(
        "the deleted rows are still in the tables' files: this role may not run VACUUM. Have the "
          + "tables' owner run: \(SpaceReclaiming.statement)")
      if !holding.isEmpty { lines.append("It can take the rows away when these have ended:") }
    } else if !holding.isEmpty {
      lines.append(
        "VACUUM has run, but the deleted rows are still in the tables' files, for the sake of:")
    } else if unexplainedRows > 0 {
      lines.append(
        "VACUUM has run, but \(unexplainedRows) deleted rows are still in the tables' files, for the "
          + "sake of sessions that this role cannot see; a member of pg_read_all_stats can. When "
          + "they have ended, run: \(SpaceReclaiming.statement)")
    } else {
      lines.append("VACUUM and ANALYZE are done")
    }
    lines += holding.map { "- \($0.description)" }
    if isVacuumed, !holding.isEmpty {
      lines.append("When these have ended, run: \(SpaceReclaiming.statement)")
    }
    if !statistics.isEmpty {
      lines.append("old statistics are still in pg_catalog.pg_statistic, for the sake of:")
      lines += statistics.map { "- \($0.description)" }
    }
    return lines
  }
}
