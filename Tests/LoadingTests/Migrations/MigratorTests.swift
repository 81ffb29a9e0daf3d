import Postgres
import TestSupport
import Testing

@testable import Loading

/// Every test has its own database, because each migrates a fresh one.
@Suite(.serialized, .needsServer) final class MigratorTests {
  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try TestDatabase()
    connection = try database.connect()
  }

  deinit { database.drop() }

  private var migrator: Migrator { Migrator(connection: connection) }

  private func migrator(
    _ migrations: [SQLFile], functions: [SQLFile] = EmbeddedSQL.functions,
    views: [SQLFile] = EmbeddedSQL.views
  ) -> Migrator {
    Migrator(connection: connection, migrations: migrations, functions: functions, views: views)
  }

  private func refusal(_ body: () throws -> Void) -> LoadError? {
    #expect(throws: LoadError.self) { try body() }
  }

  private func schemaText() throws -> [[String?]] {
    try database.rows(
      """
      select n.nspname, c.relname, c.relkind, a.attname, a.attnum, format_type(a.atttypid, null)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid
        where n.nspname in ('ingest', 'staging', 'game', 'report', 'rollup')
        order by 1, 2, 5
      """)
  }

  @Test func `a fresh database gets every migration in order, then the views`() throws {
    #expect(try migrator.status().pending == EmbeddedSQL.migrations.map(\.name))
    var heard: [String] = []
    let count = try migrator.migrate { heard.append($0) }
    #expect(count == EmbeddedSQL.migrations.count)
    #expect(heard == EmbeddedSQL.migrations.map(\.name))
    let status = try migrator.status()
    #expect(status.isCurrent)
    #expect(status.applied == heard)
    for view in EmbeddedSQL.views {
      #expect(try database.value("select to_regclass('\(view.name)')") != nil)
    }
    try migrator.requireCurrent()
  }

  @Test func `a second run of migrate changes nothing`() throws {
    try migrator.migrate()
    let before = try schemaText()
    let applied = try database.rows("select * from ingest.schema_migration order by 1")
    let views = try database.rows("select * from ingest.definition_set")
    var heard: [String] = []
    #expect(try migrator.migrate { heard.append($0) } == 0)
    #expect(heard.isEmpty)
    #expect(try schemaText() == before)
    #expect(try database.rows("select * from ingest.schema_migration order by 1") == applied)
    #expect(try database.rows("select * from ingest.definition_set") == views)
  }

  @Test func `a database that was never migrated is refused with the command to run`() throws {
    let error = refusal { try migrator.requireCurrent() }
    #expect(error?.exitCode == .configuration)
    #expect(
      error?.message
        == "the database has no schema of gamebase-ingest; run gamebase-ingest migrate")
  }

  @Test func `a database that lacks a migration is refused until it is migrated`() throws {
    // A function or view can need the missing migration.
    try migrator(EmbeddedSQL.migrations.dropLast(), functions: [], views: []).migrate()
    let error = refusal { try migrator.requireCurrent() }
    #expect(error?.message.contains("lacks a migration;") == true)
    #expect(try migrator.migrate() == 1)
    try migrator.requireCurrent()
  }

  @Test func `a migration that was changed after it was applied is refused by name`() throws {
    try migrator.migrate()
    var changed = EmbeddedSQL.migrations
    changed[1] = SQLFile(name: changed[1].name, text: changed[1].text + "-- one more line\n")
    for attempt in [
      { try self.migrator(changed).migrate() },
      {
        try self.migrator(changed).requireCurrent(); return 0
      },
    ] {
      let error = refusal { _ = try attempt() }
      #expect(error?.exitCode == .configuration)
      #expect(error?.message.hasPrefix("the database has \(changed[1].name) with other") == true)
    }
    #expect(try migrator(changed).status().changed == [changed[1].name])
    #expect(try migrator.status().isCurrent)
  }

  @Test func `a database of a newer program is refused by name`() throws {
    let newer = SQLFile(name: "29990101000000_create_future", text: "create schema future;")
    try migrator(EmbeddedSQL.migrations + [newer]).migrate()
    for attempt in [
      { try self.migrator.migrate() },
      {
        try self.migrator.requireCurrent(); return 0
      },
    ] {
      let error = refusal { _ = try attempt() }
      #expect(error?.exitCode == .configuration)
      #expect(error?.message.contains("newer program (it has \(newer.name))") == true)
    }
  }

  @Test func `a failed migration is rolled back completely and can be retried`() throws {
    try migrator.migrate()
    let name = "29990101000000_create_half"
    let failing = SQLFile(
      name: name, text: "create table game.half (a integer); insert into game.half select 1 / 0;")
    let error = refusal { try migrator(EmbeddedSQL.migrations + [failing]).migrate() }
    #expect(error?.message.hasPrefix("\(name).sql: division by zero (SQLSTATE 22012)") == true)
    #expect(try database.value("select to_regclass('game.half')") == nil)
    #expect(try migrator.status().isCurrent)
    let mended = SQLFile(name: name, text: "create table game.half (a integer);")
    #expect(try migrator(EmbeddedSQL.migrations + [mended]).migrate() == 1)
    #expect(try database.value("select to_regclass('game.half')") != nil)
  }

  @Test func `outdated views are reported and rebuilt`() throws {
    let first = [
      SQLFile(name: "report.one", text: "create or replace view report.one as select 1 as a;")
    ]
    try migrator(EmbeddedSQL.migrations, views: first).migrate()
    #expect(try !migrator.status().areDefinitionsCurrent)
    #expect(refusal { try migrator.requireCurrent() }?.exitCode == .configuration)
    #expect(try migrator.migrate() == 0)
    try migrator.requireCurrent()
    // Views are not dropped, because other views may depend on them.
    #expect(try database.value("select a from report.one") == "1")
  }

  @Test func `two concurrent migrators apply each migration once`() throws {
    let runs = (0..<3).map { _ in
      Background { [database] in try Migrator(connection: database.connect()).migrate() }
    }
    let counts = try runs.map { try $0.value() }
    #expect(counts.reduce(0, +) == EmbeddedSQL.migrations.count)
    #expect(try migrator.status().isCurrent)
  }
}
