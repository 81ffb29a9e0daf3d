package import Postgres
internal import RecordPipeline

/// Runs VACUUM and ANALYZE on every table that can hold data of an erased user.
///
/// Deleted rows stay in the tables' files until VACUUM, and common values stay in the statistics
/// until ANALYZE. All tables are included, even those from which the erasure deleted nothing,
/// because they can also have rows of rolled-back loads. VACUUM keeps rows that another session can
/// still see and nevertheless reports success, so this type also searches for the holders of such
/// rows.
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
      "ingest.accepted_value", "report.current_game_user_rollup", "report.first_observation",
      "report.level_event_rollup", "report.player_character_rollup", "report.player_rollup",
      "report.purchase_rollup", "report.touched_row",
    ]
  private static let tableList = tables.joined(separator: ", ")

  /// The statement to run as a role that has the right, when this role lacks it or holders are
  /// left.
  package static let statement = "vacuum (analyze, index_cleanup on) \(tableList)"

  /// The state of the deleted rows after `reclaim`.
  package struct Outcome: Sendable, Equatable {
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
  ///   - waitSeconds: the longest wait for the holders of the rows to end before VACUUM; 0: no
  ///     wait.
  /// - Throws: `LoadError`, with exit code 130 or 143 after an interruption; the users stay erased.
  package func reclaim(
    after transaction: TransactionNumber, waitSeconds: Int = 0
  ) throws(LoadError) -> Outcome {
    do {
      return try interruption.cancelling(
        [connection],
        orSay:
          "interrupted; the users are erased, but the deleted rows stay in the tables' files until this "
          + "is run: \(Self.statement)"
      ) {
        let search = RowHolderSearch(connection: connection, transaction: transaction)
        let before = try waitForHolders(search, seconds: waitSeconds)
        guard try mayVacuum() else {
          return Outcome(isVacuumed: false, holders: before.holders, unexplainedRows: 0)
        }
        return try vacuum(search, before)
      }
    } catch {
      throw LoadError(
        wrapping: error, during: "reclaiming the space",
        remedy: "The users are erased; run \(Self.statement)")
    }
  }

  /// Seconds between two searches for holders.
  private static let searchInterval = 0.2

  /// Waits until nothing holds the rows any more, or the time is over.
  ///
  /// - Returns: the holders that are left.
  private func waitForHolders(
    _ search: RowHolderSearch, seconds: Int
  ) throws -> RowHolderSearch.Found {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while true {
      let found = try search.find()
      guard found.holders.contains(where: \.holdsRows), clock.now < end else { return found }
      try interruption.sleep(seconds: Self.searchInterval)
    }
  }

  private func vacuum(
    _ search: RowHolderSearch, _ before: RowHolderSearch.Found
  ) throws -> Outcome {
    // This session's own counts must be flushed first, or they would be added to those of VACUUM.
    try connection.query("select pg_catalog.pg_stat_force_next_flush()")
    try connection.execute("vacuum (index_cleanup on) \(Self.tableList)")
    let leftRows = try deadRows()
    // A session that connected during VACUUM can hold rows too: its snapshot reaches back to the
    // oldest transaction in any database.
    let after = try search.find()
    try connection.execute("analyze \(Self.tableList)")
    let known = Set(before.holders.map(\.identity))
    let holders = before.holders + after.holders.filter { !known.contains($0.identity) }
    let isExplained = holders.contains(where: \.holdsRows) || !before.mayMissSome
    return Outcome(
      isVacuumed: true, holders: holders, unexplainedRows: isExplained ? 0 : leftRows)
  }

  /// The number of deleted rows that VACUUM found and kept, as VACUUM itself counted them.
  private func deadRows() throws -> Int {
    try connection.query(
      """
      select coalesce(sum(pg_catalog.pg_stat_get_dead_tuples(coalesce(p.relid, t.name))), 0)
        from pg_catalog.unnest($1::pg_catalog.regclass[]) t (name)
        left join lateral pg_catalog.pg_partition_tree(t.name) p on true
      """, [.text("{\(Self.tables.joined(separator: ","))}")]
    ).integer(row: 0, column: 0) ?? 0
  }

  /// True when this role may run VACUUM on all tables.
  ///
  /// This is checked first, because without the right PostgreSQL only warns, skips the table and
  /// reports success.
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
  /// The result as lines of text: the state, the holders to wait for, and the statement to run
  /// afterwards.
  package var lines: [String] {
    let holding = holders.filter(\.holdsRows)
    let statistics = holders.filter { !$0.holdsRows }
    var lines: [String] = []
    if !isVacuumed {
      lines.append(
        "the deleted rows are still in the tables' files: this role may not run VACUUM. Have the "
          + "tables' owner run: \(SpaceReclaiming.statement)")
      if !holding.isEmpty { lines.append("VACUUM can remove the rows when these have ended:") }
    } else if !holding.isEmpty {
      lines.append(
        "VACUUM has run, but the deleted rows are still in the tables' files, held by:")
    } else if unexplainedRows > 0 {
      lines.append(
        "VACUUM has run, but \(unexplainedRows) deleted rows are still in the tables' files, held "
          + "by sessions that this role cannot see; a member of pg_read_all_stats can see them. When "
          + "they have ended, run: \(SpaceReclaiming.statement)")
    } else {
      lines.append("VACUUM and ANALYZE are done")
    }
    lines += holding.map { "- \($0.description)" }
    if isVacuumed, !holding.isEmpty {
      lines.append("When these have ended, run: \(SpaceReclaiming.statement)")
    }
    if !statistics.isEmpty {
      lines.append("old statistics are still in pg_catalog.pg_statistic, held by:")
      lines += statistics.map { "- \($0.description)" }
    }
    return lines
  }
}
