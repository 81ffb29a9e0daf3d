import Foundation
package import Postgres
package import Testing

/// A database on all servers of a Citus cluster, with a random name.
///
/// `TEST_CITUS_DATABASE` is the connection string of a superuser to a database of the coordinator
/// that has the extension and knows the workers. All servers let the user and the roles of the tests
/// in without a password.
package struct TestCluster {
  /// nil: no cluster is named, and the tests that need one are reported as skipped.
  package static let conninfo = ProcessInfo.processInfo.environment["TEST_CITUS_DATABASE"]
    .flatMap { $0.isEmpty ? nil : $0 }

  package let name = "ingest_test_\(UInt64.random(in: .min ... .max))"
  /// To the database on the coordinator.
  package let conninfo: String
  /// To the database on each worker.
  package let workers: [String]
  private let servers: [String]
  /// The nodes, the coordinator first: group, host, port.
  private let nodes: [[String]]

  package init() throws {
    let cluster = try #require(Self.conninfo)
    let nodes = try Self.connect(cluster).query(
      "select groupid, nodename, nodeport from pg_dist_node order by groupid"
    ).rows.map { $0.map { $0 ?? "" } }
    servers = nodes.map {
      TestServer.with("port", $0[2], in: TestServer.with("host", $0[1], in: cluster))
    }
    let name = name
    let databases = servers.map { TestServer.with("dbname", name, in: $0) }
    conninfo = databases[0]
    workers = Array(databases.dropFirst())
    self.nodes = nodes
    try create()
  }

  /// Creates the database on all nodes.
  package func create() throws {
    for (server, database) in zip(servers, [conninfo] + workers) {
      let connection = try Self.connect(server)
      try connection.execute("set citus.enable_create_database_propagation = off")
      try connection.execute("create database \(name) template template0 encoding 'UTF8'")
      try Self.connect(database).execute("create extension citus")
    }
    let coordinator = try Self.connect(conninfo)
    for node in nodes {
      let function = node[0] == "0" ? "citus_set_coordinator_host" : "citus_add_node"
      try coordinator.query(
        "select \(function)($1, $2::integer)", [.text(node[1]), .text(node[2])])
    }
  }

  package func drop() {
    for server in servers {
      try? Self.connect(server).execute("drop database if exists \(name) with (force)")
    }
  }

  package static func connect(_ conninfo: String) throws -> Connection {
    try Connection(ConnectionTarget(conninfo: conninfo), applicationName: "test")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests without a cluster.
  package static var needsCluster: Self {
    .enabled(
      if: TestCluster.conninfo != nil, "TEST_CITUS_DATABASE names no coordinator of a Citus cluster"
    )
  }
}
