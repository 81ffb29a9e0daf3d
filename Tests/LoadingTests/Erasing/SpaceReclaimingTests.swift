import Loading
import Postgres
import TestSupport
import Testing

/// The report on deleted rows after VACUUM, with and without a session that can still see them.
@Suite(.serialized, .needsServer, .ownDatabase) struct SpaceReclaimingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  /// Another session whose snapshot is older than the erasure.
  private func holder() throws -> Connection {
    let connection = try fixture.database.connect()
    try connection.execute(
      "begin isolation level repeatable read; select count(*) from game.receipt")
    return connection
  }

  /// Erases the only user, and returns what the end of the command says of the rows.
  private func erase(
    as connection: Connection, patience: Duration = .seconds(60),
    interruption: Interruption = Interruption()
  ) throws -> String {
    _ = try fixture.load(lines: [Lines.receipt()], options: EraseUserTests.options)
    _ = try Change(on: connection).erase("u1", appID: nil, key: EraseUserTests.key)
    return try Change(on: connection, interruption: interruption).reclaimSpace(patience: patience)
  }

  private static let done = "VACUUM and ANALYZE are done"

  @Test func `a month that is dropped meanwhile does not end the renewal of the statistics`()
    throws
  {
    let connection = try fixture.database.connect()
    try connection.execute("select ingest.ensure_partition('level_up', '2025-07-01')")
    let month = try #require(
      try fixture.database.value(
        "select relid::regclass::text from pg_partition_tree('game.level_up') where isleaf"))
    let dropping = try fixture.database.connect()
    try dropping.execute("begin; drop table \(month)")
    defer { dropping.rollback() }
    let database = fixture.database
    let renewal = Background {
      try Connection(database.target, applicationName: "renewal").query(
        "select count(*) from ingest.forget_statistics()"
      ).rowCount
    }
    _ = try fixture.database.processWaitingForLock(applicationName: "renewal")
    try dropping.execute("commit")
    _ = try renewal.value()
  }

  @Test func `the command names the statement to run later while a session sees the rows`() throws {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    let told = try erase(as: connection, patience: .milliseconds(500))
    #expect(
      told.contains(/^VACUUM has run, but [1-9]\d* deleted rows are still in the tables' files/))
    #expect(told.contains(": vacuum (analyze, index_cleanup on) game.currency, "), "\(told)")
    other.rollback()
    #expect(try Change(on: connection).reclaimSpace(patience: .seconds(60)) == Self.done)
    // A session that begins later does not see them.
    let later = try holder()
    #expect(try Change(on: connection).reclaimSpace() == Self.done)
    later.rollback()
  }

  @Test func `a transaction of another database holds no rows, and one without a snapshot does`()
    throws
  {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let elsewhere = try TestServer.connect()
    try elsewhere.execute("begin isolation level repeatable read")
    try elsewhere.query("select pg_current_xact_id()")
    #expect(try erase(as: connection) == Self.done)
    elsewhere.rollback()
    let other = try fixture.database.connect()
    try other.execute("begin; select pg_current_xact_id()")
    #expect(try erase(as: connection, patience: .zero) != Self.done)
    other.rollback()
  }

  @Test func `the rows go when the last session that sees them ends`() throws {
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    let waiting = Background {
      try erase(as: try fixture.database.connect(), patience: .seconds(600))
    }
    try fixture.database.wait(
      for: """
        select pid from pg_stat_activity where datname = current_database()
          and query like '%pg_stat_get_dead_tuples%' and pid <> pg_backend_pid()
        """, "no session counts the rows that are left")
    other.rollback()
    #expect(try waiting.value() == Self.done)
  }

  @Test(arguments: [(2, ExitCode.interrupted), (15, .terminated)] as [(Int32, ExitCode)])
  func `a signal ends the command, and the error tells the state of the erasure`(
    signal: Int32, code: ExitCode
  ) throws {
    let interruption = Interruption()
    interruption.request(signal: signal)
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    defer { other.rollback() }
    let error = #expect(throws: LoadError.self) {
      try erase(as: connection, interruption: interruption)
    }
    #expect(error?.exitCode == code)
    #expect(
      error?.message.hasSuffix(
        "the users are erased, but the deleted rows stay in the tables' files until VACUUM (ANALYZE, "
          + "INDEX_CLEANUP ON) is run on all tables of the schemas game, ingest, report, rollup and "
          + "staging") == true, "\(error?.message ?? "")")
  }
}
