import Postgres
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// Swift and SQL use the same lock names and the same keys for them.
@Suite(.serialized, .needsServer, .ownDatabase) struct LockNameTests {
  let database: TestDatabase

  init() throws { database = try LoadFixture().database }

  static let names =
    StreamCatalog.all.map { LockName.stream($0.name) } + [
      LockName.erasures, LockName.migrations,
      "stream é😀",
    ]

  @Test(arguments: names) func `a lock name has one key`(name: String) throws {
    let key = try database.rows("select ingest.lock_key($1)", [.text(name)])
    #expect(key.first?.first == String(LockName.key(name)))
  }

  @Test(arguments: [
    ("select ingest.hold_stream('receipt')", LockName.stream("receipt")),
    ("select ingest.ensure_partition('level_up', '2031-01-01')", LockName.migrations),
  ]) func `database functions take the locks that the program names`(
    statement: String, name: String
  ) throws {
    let holder = try database.connect()
    try holder.begin()
    try holder.query(statement)
    let held = try database.connect().query(
      Lock.holders, Lock.parameters(Self.names.map { .named($0) }))
    #expect(held.rows.map { $0[0] } == ["\(Lock.named(name))"])
  }
}
