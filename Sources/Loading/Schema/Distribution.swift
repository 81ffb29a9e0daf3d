internal import Foundation
package import Postgres

/// Distributes the tables of a database over the servers of a Citus cluster.
///
/// `ingest.table_place` names the place of each table. Each table is distributed in a transaction
/// of its own, so an interrupted distribution continues where it stopped; loads work before,
/// between and after these transactions.
package struct Distribution {
  private let connection: Connection
  private let shards: Int
  private let wait: LockWait

  /// The oldest version of Citus that works; of a newer major version nothing is known.
  ///
  /// Before it, Citus takes no rights on columns, which analysts need. It also fills a table that
  /// draws numbers wrongly from distributed ones: refreshes failed, and servers crashed.
  private static let oldest = (major: 13, minor: 1)

  /// A table that is not distributed yet.
  package struct Table: Sendable, Equatable, Decodable {
    package let name: String
    package let column: String
    package let colocatedWith: String?
  }

  /// - Parameters:
  ///   - connection: to the coordinator, to a database at this program's schema.
  ///   - shards: the shards of each table.
  ///   - wait: says for whom the distribution waits.
  package init(connection: Connection, shards: Int, wait: LockWait = .silent) {
    self.connection = connection
    self.shards = shards
    self.wait = wait
  }

  /// Looks at the extension, its servers, the role of the owner and the tables.
  ///
  /// - Returns: the tables to distribute, those that others lie beside first.
  /// - Throws: `LoadError` that names everything to be changed first.
  package func plan() throws -> [Table] {
    try connection.transaction {
      try requireExtension()
      let problems = try problemsOfServers() + (try faults())
      guard problems.isEmpty else { throw Self.refusal(problems) }
      return try tables()
    }
  }

  /// The reasons why the owner does not reach the facts of a distributed database: on one server none.
  ///
  /// Loads and refreshes reach them as the owner, so a new owner has to be let in everywhere.
  package static func problems(of connection: Connection) throws -> [String] {
    try connection.transaction {
      try connection.becomeOwner()
      guard try connection.isDistributed() else { return [] }
      return try Distribution(connection: connection, shards: 1).problemsOfServers()
    }
  }

  /// Distributes one table; does nothing if another session has done it meanwhile.
  ///
  /// Readers go on. Loads, changes of loaded data and refreshes wait, and continue afterwards.
  package func distribute(_ table: Table) throws {
    try RetryPolicy.patient.throughContention(during: "distributing \(table.name)") {
      try connection.transaction {
        try Migrator(connection: connection, wait: wait).lock()
        try Locks(connection: connection, wait: wait).holdAllStreamsAndRefresh()
        guard try tables().contains(table) else { return }
        try connection.becomeOwner()
        try revokeInserts(on: table)
        // A distributed table takes no trigger. Rows then come only from functions of the owner,
        // which check the file themselves.
        try connection.execute("drop trigger if exists refuse_facts_without_file on \(table.name)")
        try connection.execute("set local citus.shard_count = \(shards)")
        try connection.execute("set local citus.shard_replication_factor = 1")
        try connection.query(
          "select create_distributed_table($1::regclass, $2, colocate_with => $3)",
          [.text(table.name), .text(table.column), .text(table.colocatedWith ?? "none")])
        // The copy on the coordinator is not read any more.
        try connection.query(
          "select truncate_local_data_after_distributing_table($1::regclass)", [.text(table.name)])
        // A move of shards loses the indexes of a table by months that has no month yet.
        try connection.query(
          """
          select ingest.ensure_partition(stream, (now() at time zone 'UTC')::date) from ingest.stream
            where partition_column is not null and format('game.%I', target_table) = $1
          """, [.text(table.name)])
        FaultPoint.beforeCommit.reached()
      }
    }
  }

  // MARK: - Implementation

  private func requireExtension() throws {
    let version = try connection.row(
      of: String.self, "select extversion from pg_extension where extname = 'citus'")
    guard let version else {
      throw Self.refusal([
        "the database has no extension citus: install Citus on all servers, add citus to "
          + "shared_preload_libraries, run create extension citus in this database of each server, and "
          + "citus_set_coordinator_host and citus_add_node here"
      ])
    }
    if let problem = Self.problem(ofVersion: version) { throw Self.refusal([problem]) }
  }

  /// The reason why a version of the extension, such as `13.2-1`, is refused; nil for one that works.
  package static func problem(ofVersion version: String) -> String? {
    let numbers = version.prefix { $0 != "-" }.split(separator: ".").map { Int($0) ?? 0 }
    let (major, minor) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
    if major == oldest.major && minor >= oldest.minor { return nil }
    let needed = "\(oldest.major).\(oldest.minor) or a later \(oldest.major)"
    return
      "Citus has version \(version), and this program needs \(needed): install it on all servers, restart them"
      + (major > oldest.major
        ? "" : ", and run alter extension citus update in this database of each")
  }

  /// The servers' problems: the coordinator's settings, and what each worker answers to the owner.
  private func problemsOfServers() throws -> [String] {
    try connection.becomeOwner()
    let owner = try connection.onlyRow(of: String.self, "select quote_ident(current_user)")
    let settings =
      "select concat_ws(' ', current_setting('wal_level'), current_setting('max_prepared_transactions'))"
    var answers = try connection.rows(
      of: Answer.self,
      "select 'the coordinator' as server, true as success, (\(settings)) as result")
    answers += try connection.rows(
      of: Answer.self,
      """
      select format('worker %s:%s', nodename, nodeport) as server, success, result
        from run_command_on_workers($1)
      """, [.text(settings)])
    var problems: [String] = []
    if answers.count == 1 {
      problems.append("the cluster has no active worker: run citus_add_node for each")
    }
    for answer in answers {
      guard answer.success else {
        problems.append(
          "\(answer.server) does not let the coordinator in as \(owner): on that server run set "
            + "citus.enable_alter_role_propagation = off; alter role \(owner) login, and let the coordinator "
            + "in by its pg_hba.conf")
        continue
      }
      let values = answer.result.split(separator: " ")
      if values.first != "logical" {
        problems.append("\(answer.server) has no wal_level = logical, which moves of shards need")
      }
      if values.last == "0" {
        problems.append(
          "\(answer.server) has max_prepared_transactions = 0: set at least twice its max_connections"
        )
      }
    }
    if try !connection.onlyRow(
      of: Bool.self,
      "select has_function_privilege('pg_catalog.recover_prepared_transactions()', 'execute')")
    {
      problems.append(
        "\(owner) cannot finish commits that a crash interrupted: as a superuser run grant execute on "
          + "function pg_catalog.recover_prepared_transactions() to \(owner)")
    }
    return problems
  }

  private struct Answer: Decodable {
    let server: String
    let success: Bool
    let result: String
  }

  private func faults() throws -> [String] {
    try connection.rows(of: String.self, "select ingest.place_faults()")
  }

  private func tables() throws -> [Table] {
    try connection.rows(
      of: Table.self,
      """
      select format('%I.%I', p.table_schema, p.table_name) as name, p.distribution_column as column,
          p.table_schema || '.' || p.colocated_with as colocated_with
        from ingest.table_place p
        where p.distribution_column is not null
          and not exists (select from pg_dist_partition d
            where d.logicalrelid = format('%I.%I', p.table_schema, p.table_name)::regclass)
        order by p.colocated_with is not null, p.table_name
      """)
  }

  /// The loader's right to add rows by itself ends with the trigger that checks them.
  private func revokeInserts(on table: Table) throws {
    let statements = try connection.rows(
      of: String.self,
      """
      select format('revoke insert on %s from %s', c.oid::regclass,
          case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end)
        from pg_class c, aclexplode(c.relacl) a
        where c.oid = $1::regclass and a.privilege_type = 'INSERT' and a.grantee <> c.relowner
      """, [.text(table.name)])
    for statement in statements { try connection.execute(statement) }
  }

  private static func refusal(_ problems: [String]) -> LoadError {
    LoadError(
      .configuration,
      "the tables cannot be distributed yet: \(problems.joined(separator: "; ")). Nothing was changed",
      endsRun: true)
  }
}
