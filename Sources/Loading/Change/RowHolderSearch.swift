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
    let seesAll = try connection.onlyRow(
      of: Bool.self, "select pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE')")
    if !seesAll { found.mayMissSome = true }
    return found
  }

  private func isHeld(by xids: UInt32?...) -> Bool {
    xids.compactMap(\.self).contains { transaction.isHeld(by: $0) }
  }

  private static let timeFormat = "'YYYY-MM-DD HH24:MI:SS\" UTC\"'"

  private struct Session: Decodable {
    let backendXmin: UInt32?
    let backendXid: UInt32?
    let pid: Int
    let user: String?
    let application: String?
    let state: String?
    let since: String?
  }

  /// The sessions whose snapshot or transaction holds the rows.
  ///
  /// Sessions of other databases and sessions that run VACUUM do not hold rows here. WAL senders
  /// are left to `standbys`.
  private func sessions() throws -> [RowHolder] {
    try connection.rows(
      of: Session.self,
      """
      select a.backend_xmin, a.backend_xid, a.pid, a.usename as user,
          a.application_name as application, a.state,
          pg_catalog.to_char(a.xact_start at time zone 'UTC', \(Self.timeFormat)) as since
        from pg_catalog.pg_stat_activity a
        where a.pid <> pg_catalog.pg_backend_pid() and a.leader_pid is null
          and (a.datname is null or a.datname = pg_catalog.current_database())
          and (a.backend_xmin is not null or a.backend_xid is not null)
          and not exists (select from pg_catalog.pg_stat_replication r where r.pid = a.pid)
          and not exists (select from pg_catalog.pg_stat_progress_vacuum v where v.pid = a.pid)
        order by a.pid
      """
    ).filter { isHeld(by: $0.backendXmin, $0.backendXid) }.map { session in
      var details = session.user.map { " of user \(printable($0))" } ?? ""
      if let application = session.application, !application.isEmpty {
        details += ", application \(printable(application))"
      }
      details += session.state.map { ", \($0)" } ?? ", in a state that this role cannot see"
      if let since = session.since { details += ", in its transaction since \(since)" }
      return RowHolder(
        identity: "session \(session.pid)", details: details,
        cure: "let its transaction end, or end it by select pg_terminate_backend(\(session.pid))",
        holdsRows: true)
    }
  }

  private struct PreparedTransaction: Decodable {
    let transaction: UInt32
    let gid: String
    let owner: String?
    let since: String
  }

  private func preparedTransactions() throws -> [RowHolder] {
    try connection.rows(
      of: PreparedTransaction.self,
      """
      select transaction, gid, owner,
          pg_catalog.to_char(prepared at time zone 'UTC', \(Self.timeFormat)) as since
        from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database() order by gid
      """
    ).filter { isHeld(by: $0.transaction) }.map { prepared in
      RowHolder(
        identity: "prepared transaction '\(printable(prepared.gid))'",
        details: " of user \(printable(prepared.owner ?? "?")), since \(prepared.since)",
        cure: "COMMIT PREPARED or ROLLBACK PREPARED ends it", holdsRows: true)
    }
  }

  private struct Standby: Decodable {
    let backendXmin: UInt32
    let pid: Int
    let name: String?
    let address: String?
    let state: String?
    let since: String?
  }

  /// The standbys that hold the rows by hot_standby_feedback without a slot.
  ///
  /// A logical WAL sender holds rows only through its slot, which `slots` covers.
  private func standbys() throws -> [RowHolder] {
    try connection.rows(
      of: Standby.self,
      """
      select r.backend_xmin, r.pid, r.application_name as name, r.client_addr as address, r.state,
          pg_catalog.to_char(r.backend_start at time zone 'UTC', \(Self.timeFormat)) as since
        from pg_catalog.pg_stat_replication r
        where r.backend_xmin is not null and not exists (
          select from pg_catalog.pg_replication_slots s
            where s.active_pid = r.pid and s.slot_type = 'logical')
        order by r.pid
      """
    ).filter { isHeld(by: $0.backendXmin) }.map { standby in
      var details = standby.address.map { " at \($0)" } ?? ""
      details += " (session \(standby.pid))"
      if let state = standby.state { details += ", \(state)" }
      if let since = standby.since { details += ", connected since \(since)" }
      return RowHolder(
        identity: "standby \(printable(standby.name ?? "?"))", details: details,
        cure: "end the long queries on it, which it reports by hot_standby_feedback",
        holdsRows: true)
    }
  }

  private struct Slot: Decodable {
    let xmin: UInt32?
    let catalogXmin: UInt32?
    let name: String
    let type: String
    let isActive: Bool
  }

  private func slots() throws -> [RowHolder] {
    try connection.rows(
      of: Slot.self,
      """
      select xmin, catalog_xmin, slot_name as name, slot_type as type, active as is_active
        from pg_catalog.pg_replication_slots order by slot_name
      """
    ).filter { isHeld(by: $0.xmin, $0.catalogXmin) }.map { slot in
      let name = printable(slot.name)
      return RowHolder(
        identity: "\(slot.type) replication slot \(name)",
        details: slot.isActive ? ", in use" : ", not in use",
        cure: "let its consumer catch up, or drop it by "
          + "select pg_drop_replication_slot('\(name)')",
        holdsRows: isHeld(by: slot.xmin))
    }
  }
}

/// A session, prepared transaction, standby or replication slot that keeps VACUUM from removing
/// deleted rows.
package struct RowHolder: Sendable, Equatable {
  /// The kind and name of the holder, which do not change while it exists.
  let identity: String
  /// Further facts about the holder, escaped for display.
  let details: String
  /// The action by which an operator ends the holder.
  let cure: String
  /// False for a holder of old statistics only, which are rows of a system catalog.
  let holdsRows: Bool

  package var description: String { "\(identity)\(details): \(cure)" }
}

/// The 64-bit number of a transaction (`xid8`), which never wraps around.
package struct TransactionNumber: Sendable, Equatable {
  private let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  /// True when a snapshot can still see the rows that this transaction has deleted.
  ///
  /// - Parameter oldest: the oldest transaction that the snapshot sees as running. It is an `xid`,
  ///   the lower 32 bits of a number; modulo 2^32, an `xid` precedes the 2^31 numbers after it.
  package func isHeld(by oldest: UInt32) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: value) &- oldest) >= 0
  }
}
