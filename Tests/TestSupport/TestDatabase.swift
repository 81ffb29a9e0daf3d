internal import Foundation
package import Postgres
package import Testing

/// A database for one test suite, with a random name, dropped at the end of the suite.
///
///     @Suite(.serialized, .needsServer, .ownDatabase) struct SomeTests {
///       let database = TestDatabase.current
package struct TestDatabase: Sendable {
  package let name: String
  package let conninfo: String
  /// The cluster on which the database is spread; nil: one server.
  private let cluster: TestCluster?

  @TaskLocal private static var ofSuite: TestDatabase?

  /// The database of the suite that is running.
  package static var current: TestDatabase {
    get throws {
      guard let ofSuite else { throw MissingServer() }
      return ofSuite
    }
  }

  /// Creates a database; `with` is appended to the statement, for example an encoding.
  ///
  /// `scripts/test mutants` names an already migrated database in `TEST_TEMPLATE`, so that the tests
  /// check its functions.
  package init(with options: String? = nil) throws {
    name = "ingest_test_\(UInt64.random(in: .min ... .max))"
    conninfo = try TestServer.conninfo(database: name)
    cluster = nil
    var statement = "create database \(name) template "
    if options == nil, let template = ProcessInfo.processInfo.environment["TEST_TEMPLATE"] {
      statement += template
    } else {
      statement += options.map { "template0 \($0)" } ?? Self.empty
    }
    try TestServer.connect().execute(statement)
  }

  /// A database of a cluster, migrated and distributed.
  private init(on cluster: TestCluster) throws {
    (name, conninfo, self.cluster) = (cluster.name, cluster.conninfo, cluster)
    try migrateOnCluster()
  }

  private func migrateOnCluster() throws {
    for command in [["migrate"], ["distribute", "--shards", "4"]] {
      let result = try Command.gamebaseIngest.run(command + ["--database", conninfo])
      try #require(result.exitCode == 0, "\(result.errors)")
    }
  }

  /// Drops the database and creates it anew, as a copy of a migrated one without sessions.
  package func recreate(asCopyOf template: TestDatabase) throws {
    drop()
    if let cluster {
      try cluster.create()
      return try migrateOnCluster()
    }
    try TestServer.connect().execute(
      "create database \(name) template \(template.name) strategy file_copy")
  }

  private static let empty = "template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'"

  package func drop() {
    if let cluster { return cluster.drop() }
    try? TestServer.connect().execute("drop database if exists \(name) with (force)")
  }

  package var target: ConnectionTarget { get throws { try ConnectionTarget(conninfo: conninfo) } }

  package func connect() throws -> Connection {
    try Connection(target, applicationName: "test")
  }

  /// The rows of a query, all values as text.
  package func rows(_ sql: String, _ parameters: [Parameter] = []) throws -> [[String?]] {
    let connection = try connect()
    try connection.execute("set timezone = 'UTC'; set datestyle = 'ISO, YMD'")
    return try connection.query(sql, parameters).rows
  }

  /// The only value of a query.
  package func value(_ sql: String, _ parameters: [Parameter] = []) throws -> String? {
    try rows(sql, parameters).first?.first ?? nil
  }

  package func execute(_ sql: String) throws { try connect().execute(sql) }

  /// Creates a database for each suite with this trait.
  package struct Provider: SuiteTrait, TestScoping {
    /// True: the suite runs a second time on the cluster, if one is named.
    fileprivate var runsOnCluster = false

    package func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let database = try TestDatabase()
      defer { database.drop() }
      try await TestDatabase.$ofSuite.withValue(database, operation: function)
      guard runsOnCluster, TestCluster.conninfo != nil else { return }
      let spread = try TestDatabase(on: TestCluster())
      defer { spread.drop() }
      try await TestDatabase.$ofSuite.withValue(spread, operation: function)
    }
  }
}

extension Trait where Self == TestDatabase.Provider {
  package static var ownDatabase: Self { Self() }
  package static var ownDatabaseAlsoOnCluster: Self { Self(runsOnCluster: true) }
}
