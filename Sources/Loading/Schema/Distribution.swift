internal import Foundation
package import Postgres

/// Distributes the tables of a database over the servers of a Citus cluster.
///
/// `ingest.table_place` names the place of each table. Each table is distributed in a transaction
/// of its own, so an interrupted distribution continues where it stopped; loads work before,
/// between and after these transactions.
///
/// All connections are to the coordinator, to a database at this program's schema.
package enum Distribution {
  /// A table that is not distributed yet.
  package struct Table: Sendable, Equatable, Decodable {
    package let name: String
    package let column: String
    package let colocatedWith: String?
  }

  /// Looks at the extension, its servers, the role of the owner and the tables.
  ///
  /// - Returns: the tables to distribute, those that others lie beside first.
  /// - Throws: `LoadError` that names everything to be changed first.
  package static func plan(on connection: Connection) throws -> [Table] {
    try connection.transaction {
      let version = try connection.row(
        of: String.self, "select extversion from pg_extension where extname = 'citus'")
      try connection.becomeOwner()
      // The servers answer only where the extension works.
      let problems =
        try problem(ofVersion: version).map { [$0] }
        ?? connection.rows(
          of: String.self,
          "\(EmbeddedSQL.servers.text) union all select ingest.place_faults()")
      guard problems.isEmpty else {
        throw LoadError(
          .configuration,
          "the tables cannot be distributed yet: \(problems.joined(separator: "; ")). "
            + "Nothing was changed")
      }
      return try tables(on: connection)
    }
  }

  /// The reasons why the owner does not reach the facts of a distributed database: on one server none.
  ///
  /// Loads and refreshes reach them as the owner, so a new owner has to be let in everywhere.
  package static func problems(of connection: Connection) throws -> [String] {
    try connection.transaction {
      try connection.becomeOwner()
      return try connection.isDistributed()
        ? connection.rows(of: String.self, EmbeddedSQL.servers.text) : []
    }
  }

  /// Distributes one table; does nothing if another session has done it meanwhile.
  ///
  /// Readers go on. Loads, changes of loaded data and refreshes wait, and continue afterwards.
  package static func distribute(
    _ table: Table, shards: Int, on connection: Connection
  ) throws {
    try RetryPolicy.patient.throughContention(during: "distributing \(table.name)") {
      try connection.transaction {
        try Migrator(connection: connection).lock()
        try connection.holdAllStreamsAndRefresh()
        guard try tables(on: connection).contains(table) else { return }
        try connection.becomeOwner()
        try connection.execute(
          EmbeddedSQL.distribution.filled(
            with: [
              "table": table.name, "column": table.column, "beside": table.colocatedWith ?? "none",
              "shards": String(shards),
            ], on: connection))
        FaultPoint.beforeCommit.reached()
      }
    }
  }

  // MARK: - Implementation

  /// The reason why a version of the extension, such as `13.2-1`, is refused; nil for one that works.
  ///
  /// Before 13.1, Citus takes no rights on columns, which analysts need. It also fills a table that
  /// draws numbers wrongly from distributed ones: refreshes failed, and servers crashed. Of a newer major
  /// version nothing is known.
  ///
  /// - Parameter version: nil: the extension is missing.
  package static func problem(ofVersion version: String?) -> String? {
    guard let version else {
      return "the database has no extension citus: install Citus on all servers, add citus to "
        + "shared_preload_libraries, run create extension citus in this database of each server, and "
        + "citus_set_coordinator_host and citus_add_node here"
    }
    if version.starts(with: /13\.[1-9]/) { return nil }
    let isNewer = Int(version.prefix { $0 != "." }) ?? 0 > 13
    return
      "Citus has version \(version), and this program needs 13.1 or a later 13: install it on all servers, restart them"
      + (isNewer ? "" : ", and run alter extension citus update in this database of each")
  }

  private static func tables(on connection: Connection) throws -> [Table] {
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
}
