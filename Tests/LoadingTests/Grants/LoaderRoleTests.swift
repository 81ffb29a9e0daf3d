import Postgres
import SampleData
import TestSupport
import Testing

@testable import Loading

/// The loader role can load, and the server refuses everything else.
@Suite(.serialized, .needsServer) struct LoaderRoleTests {
  let fixture: RoleFixture

  init() throws { fixture = try RoleFixture() }

  private func count(_ table: String) throws -> Int {
    Int(try fixture.database.value("select count(*) from \(table)") ?? "") ?? -1
  }

  @Test func `a full load runs as the loader`() throws {
    var paths: [String] = []
    var lines = 0
    for stream in SampleStream.allCases {
      let sample = Sample(stream, repeats: 0.3)
      lines += sample.bytes.filter { $0 == 0x0A }.count
      paths.append(try fixture.folder.write("\(stream.rawValue).jsonl", sample.bytes))
    }
    let log = CountingLog()
    let report = try fixture.load(paths, logger: log.logger)
    // No step of the load needed a right that the loader lacks.
    #expect(log.warnings == 0)
    #expect(report.exitCode == 3)
    #expect(report.files.allSatisfy { $0.status == .loaded && $0.rejected > 0 })
    #expect(report.files.map(\.lines).reduce(0, +) == lines)
    #expect(report.files.contains { $0.duplicates > 0 })
    // The load created its months.
    #expect(
      try count("pg_class where relispartition and relnamespace = 'game'::regnamespace") > 1)
    let again = try fixture.load(paths)
    #expect(again.exitCode == 0)
    #expect(again.files.allSatisfy { $0.status == .alreadyLoaded })
  }

  @Test func `the loader stores fills, conflicts and tokens`() throws {
    var options = LoadFixture.options
    options.storesPurchaseTokens = true
    let first = try fixture.folder.write(
      "receipt-1.jsonl",
      lines: [
        Lines.receipt(["purchaseToken": #""secret-1""#]), Lines.receipt(["paymentSeq": #""p2""#]),
      ])
    let second = try fixture.folder.write(
      "receipt-2.jsonl",
      lines: [
        Lines.receipt(["price": "5.99"]),
        Lines.receipt(["paymentSeq": #""p2""#, "purchaseToken": #""secret-2""#]),
      ])
    let report = try fixture.load([first, second], options: options)
    #expect(report.exitCode == 3)
    #expect(report.files.map(\.inserted) == [2, 0])
    #expect(report.files.map(\.filled) == [0, 1])
    #expect(report.files.map(\.conflicts) == [0, 1])
    #expect(try count("game.receipt where purchase_token like 'secret-%'") == 2)
    #expect(try count("ingest.conflict") == 1)
    #expect(try count("ingest.fill") > 0)
  }

  @Test func `the loader records a failed file and clears the record when the file loads`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt(), "x"])
    var strict = LoadFixture.options
    strict.rejectLimit = .count(0)
    #expect(try fixture.load([path], options: strict).exitCode == 4)
    #expect(try count("ingest.failed_file") == 1)
    #expect(try count("ingest.failed_reject") == 1)
    #expect(try fixture.load([path], options: strict).exitCode == 4)
    #expect(try count("ingest.failed_file") == 1)
    #expect(try fixture.load([path]).exitCode == 3)
    #expect(try count("ingest.failed_file") == 0)
    #expect(try count("ingest.failed_reject") == 0)
  }

  @Test func `the loader refreshes the reports, and can read their age but no figure`() throws {
    let path = try fixture.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    #expect(try fixture.load([path]).refresh?.error == nil)
    let refresh = Refresh(isFull: true, logger: LoadFixture.quiet)
    #expect(try refresh.run(on: try fixture.target(as: fixture.roles.loader)).players == 1)
    let loader = try fixture.connect(as: fixture.roles.loader)
    for view in ["health", "open_failure", "setting"] {
      try loader.query("select * from report.\(view)")
    }
    var statements: [String] = []
    // The status shows how recent the reports are, and a refresh reads the calendar.
    statements += try fixture.forEachTable(
      in: ["report", "rollup", "staging"],
      where: "c.relkind = 'r' and c.relname not in ('refresh_state', 'calendar_period')",
      "select * from $")
    for statement in ["insert into $ default values", "delete from $", "truncate $"] {
      statements += try fixture.forEachTable(
        in: ["report", "rollup", "staging"], where: "c.relkind = 'r'", statement)
    }
    statements += try fixture.forEachTable(
      in: ["report", "rollup"], where: "c.relkind = 'r' and c.relname <> 'refresh_lock'",
      "lock table $ in exclusive mode")
    statements += try fixture.database.rows(
      """
      select format('select %s()', p.oid::regproc) from pg_proc p
        where pronamespace = 'rollup'::regnamespace and pronargs = 0 and p.proname not in ('begin_refresh',
            'index_users_of_past_month', 'open_player_rows', 'apply_players', 'finish_refresh')
          and prorettype <> 'trigger'::regtype
      """
    ).compactMap { $0[0] }
    try fixture.expectForbidden(statements, to: fixture.roles.loader)
  }

  /// The functions of a refresh that the loader calls; no other role but the owner does.
  private static let refreshSteps = [
    "apply_players", "begin_refresh", "finish_refresh", "index_users_of_past_month",
    "open_player_rows", "read_players_again",
  ]

  @Test func `the steps of a refresh are the only functions of rollups that the loader may call`()
    throws
  {
    func callable(by role: String) throws -> [String?] {
      try fixture.database.rows(
        """
        select p.proname from pg_proc p where p.pronamespace = 'rollup'::regnamespace
          and has_function_privilege('\(role)', p.oid, 'execute') order by 1
        """
      ).map { $0[0] }
    }
    #expect(try callable(by: fixture.roles.loader) == Self.refreshSteps)
    // Those that views call with the rights of their reader.
    #expect(
      try callable(by: fixture.roles.analyst) == [
        "conflict_counts", "events_of_hour", "pending_counts", "reporting_zone",
      ])
    #expect(try callable(by: fixture.roles.eraser) == [])
    #expect(try callable(by: fixture.roles.monitor) == ["pending_counts"])
    let loader = try Connection(fixture.target(as: fixture.roles.loader))
    #expect(try loader.canRefreshReports())
    for role in [fixture.roles.analyst, fixture.roles.eraser] {
      #expect(try !Connection(fixture.target(as: role)).canRefreshReports())
    }
  }

  @Test func `a step of a refresh that has not begun fails, also on tables of the loader's own`()
    throws
  {
    // Simulates a database where PUBLIC may create temporary tables again.
    try fixture.database.execute(
      "grant temporary on database \(fixture.database.name) to public")
    let loader = try fixture.connect(as: fixture.roles.loader)
    let steps = [
      "apply_players()", "finish_refresh()", "open_player_rows()", "read_players_again('{1}')",
    ]
    for own in ["", "create temporary table touched_player (player_no integer, is_late boolean);"] {
      for step in steps {
        let error = #expect(throws: PostgresError.self, "\(step)") {
          try loader.transaction { try loader.execute("\(own) select rollup.\(step)") }
        }
        #expect(
          error?.sqlState == SQLState(rawValue: "55000"), "\(step): \(error?.message ?? "")")
      }
    }
    let error = #expect(throws: PostgresError.self) {
      try loader.transaction(Refresh.isolation) {
        try loader.execute("create temporary table touched_player (player_no integer)")
        try loader.query("select rollup.begin_refresh(true)")
      }
    }
    #expect(error?.sqlState == SQLState(rawValue: "42P07"))
  }

  @Test func `the loader writes heartbeats and cannot dismiss a failure`() throws {
    let bad = try fixture.folder.write("receipt.jsonl", lines: ["x"])
    var strict = LoadFixture.options
    strict.rejectLimit = .count(0)
    #expect(try fixture.load([bad], options: strict).exitCode == 4)
    let loader = try Connection(fixture.target(as: fixture.roles.loader))
    try loader.query("update ingest.load set seen_at = clock_timestamp()")
    let failures = try OpenFailure.all(selectedBy: [bad], on: loader)
    #expect(failures.map(\.path) == [bad])
    let refusal = #expect(throws: PostgresError.self) {
      try loader.transaction { try OpenFailure.dismiss(failures, note: nil, on: loader) }
    }
    #expect(refusal?.sqlState == .insufficientPrivilege)
    #expect(try count("ingest.failure_dismissal") == 0)
  }

  @Test func `a dry run and a replay of rejects run as the loader`() throws {
    let path = try fixture.folder.write(
      "levelup.jsonl",
      lines: [
        Lines.levelUp(), Lines.levelUp(["levelUpTime": "1767398400000", "userId": #""u2""#]),
      ])
    var dry = LoadFixture.options
    dry.isDryRun = true
    // The second line's time is two days after this run and before the replay.
    #expect(try fixture.load([path], options: dry).exitCode == 3)
    #expect(try count("ingest.source_file") == 0)
    #expect(try fixture.load([path]).exitCode == 3)
    try fixture.database.execute("update ingest.source_file set as_of = as_of + interval '3 days'")
    for (isDryRun, open) in [(true, 1), (false, 0)] {
      var options = LoadOptions()
      options.isDryRun = isDryRun
      let replay = try RejectReplay(
        RejectFilter(), options: options, target: fixture.target(as: fixture.roles.loader)
      ).replay()
      #expect(replay.files.map(\.inserted) == [1])
      #expect(try count("ingest.reject where resolved_at is null") == open)
    }
    #expect(try count("game.level_up") == 2)
  }

  @Test func `an action of the owner fails with the role that may do it`() throws {
    try fixture.database.execute("select ingest.ensure_partition('level_up', '2020-01-01')")
    let retention = Retention(
      target: try fixture.target(as: fixture.roles.loader), logger: LoadFixture.quiet)
    let months = try retention.months(ofStreams: ["level_up"], keep: 1)
    #expect(months.count == 1)
    let refused = #expect(throws: LoadError.self) {
      for month in months { try retention.drop(month) }
    }
    #expect(refused?.exitCode == .configuration)
    #expect(refused?.code == .missingRight)
    #expect(
      refused?.message.contains("needs the rights of the owner, \(fixture.roles.owner), and")
        == true)
  }

  @Test func `the loader cannot accept a conflict or undo an acceptance`() throws {
    for price in ["1", "2"] {
      let path = try fixture.folder.write(
        "receipt-\(price).jsonl", lines: [Lines.receipt(["price": price])])
      _ = try fixture.load([path])
    }
    var filter = ConflictFilter()
    filter.stream = "receipt"
    let loader = try fixture.connect(as: fixture.roles.loader)
    let refused = #expect(throws: LoadError.self) {
      try ConflictAcceptance(filter, connection: loader).run()
    }
    #expect(refused?.exitCode == .configuration)
    let accepted = try ConflictAcceptance(filter, connection: try fixture.database.connect()).run()
    let number = try #require(accepted.acceptanceID)
    #expect(throws: LoadError.self) { try AcceptanceUndo(number, connection: loader).run() }
    #expect(try fixture.database.value("select amount_minor from game.receipt") == "200")
  }

  @Test func `the loader cannot delete, truncate, create or drop anything`() throws {
    try fixture.database.execute("select ingest.ensure_partition('level_up', '2025-07-01')")
    let all = ["game", "ingest", "report", "rollup", "staging"]
    var statements: [String] = []
    for statement in [
      "delete from $", "truncate $", "drop table $", "alter table $ add column more text",
      "create trigger evil before insert on $ for each row execute function suppress_redundant_updates_trigger()",
      "comment on table $ is 'mine'",
    ] {
      statements += try fixture.forEachTable(
        in: ["game", "ingest", "rollup", "staging"], where: "c.relkind <> 'v'", statement)
    }
    for statement in ["drop view $", "alter view $ rename to mine", "comment on view $ is 'mine'"] {
      statements += try fixture.forEachTable(
        in: ["staging", "report"], where: "c.relkind = 'v'", statement)
    }
    statements += try fixture.forEachTable(
      in: ["report", "rollup"],
      where: """
        c.relname not in ('refresh_state', 'pending_file', 'calendar_period', 'health', 'open_failure', 'setting')
        """, "select * from $")
    statements += try fixture.forEachTable(in: ["game"], "lock table $ in access exclusive mode")
    statements += all.flatMap {
      [
        "create table \($0).mine (a int)", "drop schema \($0) cascade",
        "create view \($0).v as select 1",
      ]
    }
    #expect(statements.count > 100)
    try fixture.expectForbidden(statements, to: fixture.roles.loader)
  }

  @Test(arguments: [
    // Facts do not change, and only migrations change reference tables.
    "update game.receipt set amount_minor = 0", "update game.level_up set user_level = 0",
    "insert into game.currency (currency) values ('XAA')",
    // The loader can write tokens but not read them.
    "select purchase_token from game.receipt", "select * from game.receipt",
    "select to_jsonb(r) from game.receipt r", "copy game.receipt to stdout",
    // Closed ledger entries.
    "update ingest.load set started_at = now()", "update ingest.source_file set sha256 = ''",
    "update ingest.source_file set line_count = 0",
    "update ingest.source_file set filled_count = 0",
    "insert into ingest.source_file select * from ingest.source_file",
    "update ingest.reject set resolved_at = now()", "update ingest.reject set raw = ''",
    "select staging.count_merged('receipt', 1, (1, 0, 0, 0))",
    "select nextval('ingest.source_file_source_file_id_seq')",
    "update ingest.failed_file set reason = ''", "update ingest.stream set secret_columns = '{}'",
    "insert into ingest.conflict (stream) values ('receipt')",
    "insert into ingest.fill (stream) values ('receipt')",
    "insert into ingest.stream select * from ingest.stream",
    "insert into ingest.schema_migration select * from ingest.schema_migration",
    "select setval('ingest.source_file_source_file_id_seq', 1)",
    "alter function staging.merge(text, bigint) owner to current_user",
    "alter function ingest.clear_failures(text, text, bytea, text) reset all",
    // Everything outside the loader's task.
    "create table public.mine (a int)", "create temporary table mine (a int)",
    "create schema mine", "create role mine", "create function public.f() returns int return 1",
    "set session_replication_role = replica", "select pg_catalog.pg_read_file('/etc/passwd')",
    "copy (select 1) to program 'true'", "select pg_catalog.pg_ls_dir('/')",
    "select * from pg_catalog.pg_authid",
  ])
  func `the loader cannot do anything besides loading`(statement: String) throws {
    try fixture.expectForbidden([statement], to: fixture.roles.loader)
  }

  @Test func `the loader cannot switch to another role or erase a user`() throws {
    let connection = try fixture.database.connect()
    var statements = try fixture.names.filter { $0 != fixture.roles.loader }.map {
      "set role \(try connection.quotedIdentifier($0))"
    }
    try connection.execute(
      """
      create function ingest.erase_user(text) returns bigint language sql security definer
        set search_path = '' return 1
      """)
    try fixture.apply()
    statements.append("select ingest.erase_user('u')")
    try fixture.expectForbidden(statements, to: fixture.roles.loader)
    // The eraser can.
    let eraser = try fixture.connect(as: fixture.roles.eraser)
    #expect(try eraser.query("select ingest.erase_user('u')")[0, 0] == "1")
  }
}
