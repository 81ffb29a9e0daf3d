import Postgres
import RecordPipeline
import TestSupport
import Testing

@testable import Loading

/// Swift and SQL use the same lock names and the same keys for them.
@Suite(.serialized, .needsServer, .ownDatabase) struct LockNameTests {
  let database: TestDatabase

  init() throws { database = try LoadFixture().database }

  @Test(
    arguments: StreamCatalog.all.map { "stream \($0.name)" } + [
      "erasures", "migrate", "stream é😀",
    ]) func `a lock name has one key`(name: String) throws
  {
    let key = try database.rows("select ingest.lock_key($1)", [.text(name)])
    #expect(key.first?.first == String(Lock.named(name).key))
  }

  @Test(arguments: [
    ("select ingest.hold_stream('receipt')", Lock.stream("receipt")),
    ("select ingest.ensure_partition('level_up', '2031-01-01')", Lock.migrations),
  ]) func `database functions take the locks that the program names`(
    statement: String, lock: Lock
  ) throws {
    let holder = try database.connect()
    try holder.begin()
    try holder.query(statement)
    let held = try database.connect().query(
      Lock.holders, Lock.parameters(Lock.streams + [.erasures, .migrations]))
    #expect(held.rows.map { $0[0] } == ["\(lock)"])
  }
}
