import Loading
import Postgres
import TestSupport
import Testing

/// The report on deleted rows after VACUUM, with and without a session that can still see them.
@Suite(.serialized, .needsServer, .ownDatabase) struct SpaceReclaimingTests {
  let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  /// Another session whose snapshot is older than the erasure.
  private func holder() throws -> (connection: Connection, pid: String) {
    let connection = try Connection(
      try fixture.database.target, applicationName: "report \u{1B}")
    try connection.execute("begin isolation level repeatable read")
    let pid = try connection.query("select pg_backend_pid(), count(*) from game.receipt")[0, 0]
    return (connection, try #require(pid))
  }

  private func erase(as connection: Connection) throws -> UInt64 {
    _ = try fixture.load(lines: [Lines.receipt()], options: EraseUserTests.options)
    return try UserErasure(userID: "u1", appID: nil, connection: connection)
      .erase(key: EraseUserTests.key).transaction
  }

  /// The tables of all schemas of the program, partitions included.
  private static let tables = """
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging') and c.relkind = 'r'
    """

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

  @Test func `rows that no snapshot sees are removed`() throws {
    let connection = try fixture.database.connect()
    let outcome = try SpaceReclaiming(connection).reclaim(after: try erase(as: connection))
    #expect(outcome.lines == ["VACUUM and ANALYZE are done"])
    let later = try holder()
    // A session that started later does not see the rows.
    #expect(
      try SpaceReclaiming(connection).reclaim(after: try erase(as: connection)).holders.count == 1)
    later.connection.rollback()
  }

  @Test func `a session that still sees the rows is reported with the statement to run later`()
    throws
  {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    let transaction = try erase(as: connection)
    let outcome = try SpaceReclaiming(connection).reclaim(after: transaction)
    let lines = outcome.lines
    #expect(
      lines.first
        == "VACUUM has run, but the deleted rows are still in the tables' files, held by:")
    let told = try #require(lines.first { $0.hasPrefix("- session \(other.pid) of user ") })
    // The server replaces a control character by a question mark, and since version 16 by its code.
    #expect(
      told.contains(
        #/, application report (\?|\\x1b), idle in transaction, in its transaction since /#))
    #expect(told.hasSuffix("or end it by select pg_terminate_backend(\(other.pid))"))
    #expect(lines.last == "When these have ended, run: \(outcome.statement)")
    #expect(outcome.statement.hasPrefix("vacuum (analyze, index_cleanup on) game."))
    other.connection.rollback()
    #expect(
      try SpaceReclaiming(connection).reclaim(after: transaction, waitSeconds: 30).lines
        == ["VACUUM and ANALYZE are done"])
  }

  @Test func `a transaction id in the same database holds the rows, one elsewhere does not`()
    throws
  {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try fixture.database.connect()
    try other.execute("begin")
    try other.query("select pg_current_xact_id()")
    let elsewhere = try TestServer.connect()
    try elsewhere.execute("begin isolation level repeatable read")
    try elsewhere.query("select pg_current_xact_id()")
    let transaction = try erase(as: connection)
    #expect(try !SpaceReclaiming(connection).reclaim(after: transaction).holders.isEmpty)
    other.rollback()
    // Without that transaction id, only other snapshots could hold the rows. None is open now but those of
    // an automatic ANALYZE, which ends soon.
    #expect(
      try SpaceReclaiming(connection).reclaim(after: transaction, waitSeconds: 30).lines
        == ["VACUUM and ANALYZE are done"])
    elsewhere.rollback()
  }

  @Test func `the wait ends when the last holder ends`() throws {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    let transaction = try erase(as: connection)
    let clock = ContinuousClock()
    let start = clock.now
    let waiting = Background {
      try SpaceReclaiming(try Connection(try fixture.database.target))
        .reclaim(after: transaction, waitSeconds: 600).lines
    }
    try fixture.database.wait(
      for: """
        select pid from pg_stat_activity where datname = current_database()
          and application_name = 'gamebase-ingest' and query like '%pg_read_all_stats%'
        """, "no session looks for holders")
    other.connection.rollback()
    #expect(try waiting.value() == ["VACUUM and ANALYZE are done"])
    #expect(clock.now - start < .seconds(300))
  }

  @Test func `the wait ends at its time limit, and the rows are reported as held`() throws {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    defer { other.connection.rollback() }
    let outcome = try SpaceReclaiming(connection)
      .reclaim(after: try erase(as: connection), waitSeconds: 1)
    #expect(outcome.isVacuumed && outcome.holders.count == 1)
  }

  @Test func `a signal ends the wait, and the error reports the state of the erasure`() throws {
    let connection = try fixture.database.connect()
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    defer { other.connection.rollback() }
    let transaction = try erase(as: connection)
    for (signal, code) in [(2, ExitCode.interrupted), (15, .terminated)] as [(Int32, ExitCode)] {
      let interruption = Interruption()
      interruption.request(signal: signal)
      let error = #expect(throws: LoadError.self) {
        try SpaceReclaiming(connection, interruption: interruption)
          .reclaim(after: transaction, waitSeconds: 600)
      }
      #expect(error?.exitCode == code)
      #expect(error?.message.contains("the users are erased") == true)
      #expect(
        error?.message.hasSuffix(
          "until VACUUM (ANALYZE, INDEX_CLEANUP ON) is run on all tables of the schemas game, ingest, "
            + "report, rollup and staging") == true)
    }
  }

  @Test func `a prepared transaction is reported by its name`() throws {
    let connection = try fixture.database.connect()
    // By default a server does not accept prepared transactions.
    guard try fixture.database.value("show max_prepared_transactions") != "0" else { return }
    let other = try fixture.database.connect()
    try other.execute("begin; select pg_current_xact_id(); prepare transaction 'it''s'")
    defer { try? other.execute("rollback prepared 'it''s'") }
    let outcome = try SpaceReclaiming(connection).reclaim(after: try erase(as: connection))
    #expect(outcome.lines.contains { $0.hasPrefix("- prepared transaction 'it's' of user ") })
  }

  @Test func `without the right to see sessions the report holds only VACUUM's findings`() throws {
    let name = "owner_\(UInt64.random(in: .min ... .max))"
    let admin = try fixture.database.connect()
    try admin.execute("create role \(name) login")
    defer {
      try? admin.execute(
        """
        reassign owned by \(name) to current_user; drop owned by \(name); drop role \(name);
        grant select on pg_catalog.pg_stat_activity to public
        """)
    }
    let tables = try fixture.database.rows(
      "select c.oid::regclass::text \(Self.tables.replacing("= 'r'", with: "in ('r', 'p')"))"
    ).compactMap { $0[0] }
    try admin.execute(
      """
      grant usage on schema game, staging, ingest, report, rollup to \(name);
      grant execute on function ingest.row_holders, ingest.is_held_by to \(name)
      """)
    for table in tables { try admin.execute("alter table \(table) owner to \(name)") }
    _ = try fixture.load(lines: [Lines.receipt()])
    let other = try holder()
    let transaction = try erase(as: admin)
    let owner = try Connection(
      ConnectionTarget(conninfo: TestServer.with("user", name, in: fixture.database.conninfo)))
    // Every role can see which session holds the rows, but not its activity.
    let partly = try SpaceReclaiming(owner).reclaim(after: transaction).lines
    #expect(
      partly.contains { $0.contains("session \(other.pid) of user") && $0.contains("cannot see") })
    try admin.execute("revoke select on pg_catalog.pg_stat_activity from public")
    let lines = try SpaceReclaiming(owner).reclaim(after: transaction).lines
    #expect(lines.count == 1)
    #expect(lines.first?.contains(/^VACUUM has run, but \d+ deleted rows are still/) == true)
    #expect(lines.first?.contains("held by sessions that this role cannot see") == true, "\(lines)")
    other.connection.rollback()
    #expect(
      try SpaceReclaiming(owner).reclaim(after: transaction).lines == [
        "VACUUM and ANALYZE are done"
      ])
  }
}
