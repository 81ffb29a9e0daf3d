internal import Postgres

/// Finds everything that keeps VACUUM from removing the rows that a transaction has deleted.
struct RowHolderSearch {
  let connection: Connection
  let transaction: TransactionNumber

  struct Found {
    var holders: [RowHolder] = []
    /// True when this role may not see all holders.
    var mayMissSome = false
  }

  func find() throws -> Found {
    var found = Found()
    for search in [sessions, preparedTransactions, standbys, slots] {
      do { found.holders += try search() } catch let error as PostgresError
        where error.sqlState == .insufficientPrivilege
      {
        found.mayMissSome = true
      }
    }
    let seesAll = try connection.query(
      "select pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')")
    if seesAll[0, 0] != "t" { found.mayMissSome = true }
    return found
  }

  private func isHeld(by xids: String?...) -> Bool {
    xids.compactMap { $0.flatMap { UInt32($0) } }.contains { transaction.isHeld(by: $0) }
  }

  private static let timeFormat = "'YYYY-MM-DD HH24:MI:SS\" UTC\"'"

  /// The sessions whose snapshot or transaction holds the rows.
  ///
  /// Sessions of other databases and sessions that run VACUUM do not hold rows here. WAL senders
  /// are left to `standbys`.
  private func sessions() throws -> [RowHolder] {
    try connection.query(
      """
      select a.backend_xmin, a.backend_xid, a.pid, a.usename, a.application_name, a.state,
          pg_catalog.to_char(a.xact_start at time zone 'UTC', \(Self.timeFormat))
        from pg_catalog.pg_stat_activity a
        where a.pid <> pg_catalog.pg_backend_pid() and a.leader_pid is null
          and (a.datname is null or a.datname = pg_catalog.current_database())
          and (a.backend_xmin is not null or a.backend_xid is not null)
          and not exists (select from pg_catalog.pg_stat_replication r where r.pid = a.pid)
          and not exists (select from pg_catalog.pg_stat_progress_vacuum v where v.pid = a.pid)
        order by a.pid
      """
    ).rows.filter { isHeld(by: $0[0], $0[1]) }.map { row in
      let pid = row[2] ?? "?"
      var details = row[3].map { " of user \(printable($0))" } ?? ""
      if let application = row[4], !application.isEmpty {
        details += ", application \(printable(application))"
      }
      details += row[5].map { ", \($0)" } ?? ", in a state that this role cannot see"
      if let since = row[6] { details += ", in its transaction since \(since)" }
      return RowHolder(
        identity: "session \(pid)", details: details,
        cure: "let its transaction end, or end it by select pg_terminate_backend(\(pid))",
        holdsRows: true)
    }
  }

  private func preparedTransactions() throws -> [RowHolder] {
    try connection.query(
      """
      select transaction, gid, owner,
          pg_catalog.to_char(prepared at time zone 'UTC', \(Self.timeFormat))
        from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database() order by gid
      """
    ).rows.filter { isHeld(by: $0[0]) }.map { row in
      RowHolder(
        identity: "prepared transaction '\(printable(row[1] ?? "?"))'",
        details: " of user \(printable(row[2] ?? "?")), since \(row[3] ?? "?")",
        cure: "COMMIT PREPARED or ROLLBACK PREPARED ends it", holdsRows: true)
    }
  }

  /// The standbys that hold the rows by hot_standby_feedback without a slot.
  ///
  /// A logical WAL sender holds rows only through its slot, which `slots` covers.
  private func standbys() throws -> [RowHolder] {
    try connection.query(
      """
      select r.backend_xmin, r.pid, r.application_name, r.client_addr, r.state,
          pg_catalog.to_char(r.backend_start at time zone 'UTC', \(Self.timeFormat))
        from pg_catalog.pg_stat_replication r
        where r.backend_xmin is not null and not exists (
          select from pg_catalog.pg_replication_slots s
            where s.active_pid = r.pid and s.slot_type = 'logical')
        order by r.pid
      """
    ).rows.filter { isHeld(by: $0[0]) }.map { row in
      var details = row[3].map { " at \($0)" } ?? ""
      details += " (session \(row[1] ?? "?"))"
      if let state = row[4] { details += ", \(state)" }
      if let since = row[5] { details += ", connected since \(since)" }
      return RowHolder(
        identity: "standby \(printable(row[2] ?? "?"))", details: details,
        cure: "end the long queries on it, which it reports by hot_standby_feedback",
        holdsRows: true)
    }
  }

  private func slots() throws -> [RowHolder] {
    try connection.query(
      """
      select xmin, catalog_xmin, slot_name, slot_type, active
        from pg_catalog.pg_replication_slots order by slot_name
      """
    ).rows.filter { isHeld(by: $0[0], $0[1]) }.map { row in
      let name = printable(row[2] ?? "?")
      return RowHolder(
        identity: "\(row[3] ?? "") replication slot \(name)",
        details: row[4] == "t" ? ", in use" : ", not in use",
        cure: "let its consumer catch up, or drop it by "
          + "select pg_drop_replication_slot('\(name)')",
        holdsRows: isHeld(by: row[0]))
    }
  }
}
