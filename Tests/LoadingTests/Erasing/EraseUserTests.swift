import Loading
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// An erasure waits for the loads and the locks of other sessions.
///
/// The cases of erase.test say what it does.
@Suite(.serialized, .needsServer, .ownDatabase) struct EraseUserTests {
  let fixture: LoadFixture
  static let key = ErasureKey([UInt8](repeating: 7, count: 32))

  init() throws { fixture = try LoadFixture() }

  static var options: LoadOptions {
    var options = LoadFixture.options
    options.erasureKey = key
    return options
  }

  @Test func `an erasure waits for a running load and erases its rows`() throws {
    let other = try fixture.database.connect()
    try other.begin()
    try other.execute("lock table game.receipt in access exclusive mode")
    let load = Background {
      try fixture.load(lines: [Lines.receipt()], options: Self.options).exitCode
    }
    defer { _ = try? load.value() }
    _ = try fixture.database.processWaitingForLock()
    let erased = Background {
      try Change(on: try Connection(fixture.database.target))
        .erase("u1", appID: nil, key: Self.key)
    }
    defer { _ = try? erased.value() }
    _ = try fixture.database.processWaitingForLock(moreThan: 1)
    try other.commit()
    #expect(try load.value() == 0)
    #expect(try erased.value().contains { $0.place == "game.receipt" && $0.count == 1 })
    #expect(try fixture.factCount() == 0)
  }

  @Test func `an erasure waits for a grant, which changes the same catalog rows`() throws {
    let granting = try fixture.database.connect()
    try granting.execute(
      """
      begin; select pg_advisory_xact_lock(ingest.lock_key('migrate'));
      grant select on rollup.player to pg_monitor
      """)
    defer { granting.rollback() }
    let erased = Background {
      try Change(on: try Connection(fixture.database.target))
        .erase("u1", appID: nil, key: Self.key)
    }
    _ = try fixture.database.processWaitingForLock()
    try granting.commit()
    #expect(try erased.value().contains { $0.place == "game.receipt" })
  }
}
