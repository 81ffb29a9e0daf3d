import Postgres
import TestSupport
import Testing

@testable import Loading

/// Analysts see the reports, monitors their health, erasers nothing; the owner migrates.
@Suite(.serialized, .needsServer) struct ReaderRoleTests {
  let fixture: RoleFixture

  init() throws { fixture = try RoleFixture() }

  private static let schemas = ["game", "ingest", "report", "rollup", "staging"]

  /// The tables of schema `game` that every analyst reads: all but those of streams.
  private static let isReference = """
    n.nspname = 'game' and not c.relispartition
      and c.relname not in (select target_table from ingest.stream)
    """
  /// Statements forbidden to analysts and erasers.
  private func forbidden() throws -> [String] {
    var statements: [String] = []
    for statement in [
      "insert into $ default values", "delete from $", "truncate $", "drop table $",
    ] {
      statements += try fixture.forEachTable(
        in: ["game", "ingest", "rollup", "staging"], where: "c.relkind <> 'v'", statement)
    }
    for statement in ["select * from $", "select count(*) from $", "copy $ to stdout"] {
      statements += try fixture.forEachTable(
        in: ["game", "ingest", "rollup", "staging"], where: "not (\(Self.isReference))", statement)
    }
    statements += Self.schemas.map { "create table \($0).mine (a int)" }
    return statements + [
      "create table public.mine (a int)", "create schema mine",
      "select staging.merge('receipt', 1)",
      "select ingest.ensure_partition('level_up', '2030-01-01')",
      "select ingest.clear_failures('a', 'receipt', null)",
      "select nextval('ingest.source_file_source_file_id_seq')",
      "select rollup.begin_refresh()", "select rollup.begin_refresh(p_is_full => true)",
      "select rollup.open_player_rows()", "select rollup.read_players_again('{1}')",
      "select rollup.index_users_of_past_month()", "select rollup.apply_players()",
      "select rollup.finish_refresh()",
      "select rollup.forget_user('u', null)", "select rollup.create_working_tables(false)",
      "lock table rollup.refresh_lock in exclusive mode",
      "select pg_catalog.pg_read_file('/etc/passwd')", "copy (select 1) to program 'true'",
    ]
  }

  @Test func `the analyst reads every report`() throws {
    let path = try fixture.folder.write(
      "receipt.jsonl", lines: [Lines.receipt(["purchaseToken": #""secret""#]), "x"])
    var options = LoadFixture.options
    options.refreshes = true
    #expect(try fixture.load([path], options: options).exitCode == 3)
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    let views = try fixture.forEachTable(
      in: ["report"], where: "c.relkind = 'v'", "select * from $")
    #expect(views.count == EmbeddedSQL.views.count { $0.name.hasPrefix("report.") })
    let tables = try fixture.forEachTable(in: ["game"], where: Self.isReference, "select * from $")
    #expect(tables.contains { $0.hasSuffix("game.currency") })
    #expect(tables.contains { $0.hasSuffix("game.exchange_rate") })
    for view in views + tables {
      let rows = try analyst.query(view).rows
      #expect(!rows.contains { $0.contains { $0?.contains("secret") ?? false } })
    }
    #expect(try analyst.query("select * from report.revenue_by_day").rowCount == 1)
    #expect(try analyst.query("select * from report.reject_summary").rowCount == 1)
    #expect(
      try analyst.query("select value from report.setting where name = 'time-zone'").rows
        == [["UTC"]])
  }

  @Test func `the analyst cannot read anything else or write`() throws {
    var statements = try forbidden()
    statements += try fixture.forEachTable(
      in: ["report"], where: "c.relkind = 'v'", "drop view $")
    statements += [
      "create or replace view report.load_history as select 1",
      "alter function rollup.reporting_zone() owner to current_user",
      "select stavalues1 from pg_catalog.pg_statistic",
    ]
    try fixture.expectForbidden(statements, to: fixture.roles.analyst)
    // Statistics hold values of rows, so a role sees none of tables that it may not read.
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    try fixture.database.execute("analyze")
    let references = try fixture.database.rows(
      """
      select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where \(Self.isReference)
      """)
    #expect(
      try analyst.query(
        """
        select from pg_stats
          where schemaname in ('game', 'ingest') and tablename <> all ($1::text[])
        """,
        [.texts(references.compactMap { $0[0] })]
      ).rowCount == 0)
  }

  @Test func `a created analyst role starts read-only, with a timeout and settings for dashboards`()
    throws
  {
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    #expect(try analyst.query("show default_transaction_read_only")[0, 0] == "on")
    #expect(try analyst.query("show statement_timeout")[0, 0] == "5min")
    #expect(try analyst.query("show jit")[0, 0] == "off")
    #expect(try analyst.query("show random_page_cost")[0, 0] == "1.1")
    #expect(try analyst.query("show work_mem")[0, 0] == "16MB")
  }

  @Test func `the eraser cannot read or write a table`() throws {
    var statements = try forbidden()
    statements += try fixture.forEachTable(in: ["report"], "select * from $")
    try fixture.expectForbidden(statements, to: fixture.roles.eraser)
  }

  @Test func `the monitor reads the health of the reports and nothing else`() throws {
    let monitor = try fixture.connect(as: fixture.roles.monitor)
    let opened = ["freshness", "health", "load_history", "open_failure", "setting"]
    for view in opened { try monitor.query("select * from report.\(view)") }
    let list = opened.map { "'\($0)'" }.joined(separator: ", ")
    var statements = try forbidden()
    statements += try fixture.forEachTable(
      in: ["report"], where: "c.relname not in (\(list))", "select * from $")
    statements += try fixture.forEachTable(in: ["game"], "select * from $")
    statements += try fixture.forEachTable(in: ["report"], "drop view $")
    try fixture.expectForbidden(statements, to: fixture.roles.monitor)
    #expect(try monitor.query("show default_transaction_read_only")[0, 0] == "on")
    #expect(try monitor.query("show statement_timeout")[0, 0] == "5min")
  }

  /// Migrations run by the owner with a login, by a member of the owner role, and by an
  /// administrator.
  @Test(arguments: ["owner", "member", "administrator"])
  func `migrations run as the owner, and only a grant opens a new view to analysts`(
    who: String
  ) throws {
    let server = try fixture.database.connect()
    let role = try server.quotedIdentifier(fixture.roles.owner)
    let migrating: Connection
    switch who {
    case "owner":
      try server.execute("alter role \(role) login")
      migrating = try fixture.connect(as: fixture.roles.owner)
    case "member":
      // The eraser serves as the member, because it can log in here.
      let member = try server.quotedIdentifier(fixture.roles.eraser)
      try server.execute("grant \(role) to \(member)")
      migrating = try fixture.connect(as: fixture.roles.eraser)
    default: migrating = server
    }
    let text = """
      create table game.refund (refund_id text collate "C" primary key, refunded_at timestamptz);
      create table report.refund_rollup (user_id text);
      insert into ingest.stream (stream, target_table, key_columns, compared_columns)
        values ('refund', 'refund', '{refund_id}', '{refunded_at}');
      create schema archive;
      """
    let newer = SQLFile(name: "29990101000000_create_refund", text: text)
    let view = SQLFile(
      name: "report.refund",
      text: "create or replace view report.refund as select * from game.refund;")
    let views = EmbeddedSQL.views + [view]
    #expect(
      try Migrator(
        connection: migrating, migrations: EmbeddedSQL.migrations + [newer], views: views
      ).migrate() == 1)
    #expect(
      try fixture.database.rows(
        """
        select distinct relowner::regrole::text from pg_class
          where relname = 'refund' and relkind in ('r', 'v')
        """) == [[fixture.roles.owner]])
    try server.execute("insert into game.refund values ('r', now())")
    let loader = try fixture.connect(as: fixture.roles.loader)
    try loader.execute("select * from game.refund")
    try fixture.expectForbidden(
      [
        "insert into game.refund values ('s', now())", "delete from game.refund",
        "create table archive.a (b int)",
      ], to: fixture.roles.loader)
    let closed = ["select * from game.refund", "select * from report.refund_rollup"]
    try fixture.expectForbidden(
      closed + ["select * from report.refund"], to: fixture.roles.analyst)
    if who == "member" {
      try server.execute(
        "revoke \(role) from \(try server.quotedIdentifier(fixture.roles.eraser))")
    }
    try fixture.apply()
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    #expect(try analyst.query("select * from report.refund").rowCount == 1)
    try fixture.expectForbidden(closed, to: fixture.roles.analyst)
  }

  /// Default privileges that open new tables, and a table that got its rights by them.
  private func openNewTables() throws {
    let connection = try fixture.database.connect()
    let owner = try connection.quotedIdentifier(fixture.roles.owner)
    let analyst = try connection.quotedIdentifier(fixture.roles.analyst)
    try connection.execute(
      """
      alter default privileges for role \(owner) in schema report grant select on tables to \(analyst);
      set role \(owner);
      create table report.earlier_rollup (user_id text);
      reset role
      """)
    #expect(
      try fixture.database.value(
        "select has_table_privilege($1, 'report.earlier_rollup', 'select')",
        [.text(fixture.roles.analyst)]) == "t")
  }

  @Test func `a grant ends default privileges, so that no later table is open`() throws {
    try openNewTables()
    let earlier = "revoke select on report.earlier_rollup from \(fixture.roles.analyst)"
    try fixture.database.execute(earlier)
    try fixture.apply()
    let administrator = try fixture.database.connect()
    try administrator.execute(
      """
      set role \(try administrator.quotedIdentifier(fixture.roles.owner));
      create table report.later_rollup (user_id text)
      """)
    try fixture.expectForbidden(
      ["select * from report.earlier_rollup", "select * from report.later_rollup"],
      to: fixture.roles.analyst)
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    for view in try fixture.forEachTable(
      in: ["report"], where: "c.relkind = 'v'", "select * from $")
    {
      try analyst.query(view)
    }
  }

  @Test func `a member runs as the owner through the role setting of the connection`() throws {
    let target = try ConnectionTarget(
      conninfo: TestServer.with(
        "options", "'-c role=\(fixture.roles.owner)'", in: fixture.database.conninfo))
    let connection = try Connection(target)
    #expect(try connection.query("select current_user")[0, 0] == fixture.roles.owner)
    #expect(try Migrator(connection: connection).migrate() == 0)
    #expect(
      try connection.query("select ingest.ensure_partition('level_up', '2031-01-01')")[0, 0] == "t")
  }
}
