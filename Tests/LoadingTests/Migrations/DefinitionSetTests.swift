import Postgres
import TestSupport
import Testing

@testable import Loading

/// Migration of functions and views from their files, in a database with separate roles.
@Suite(.serialized, .needsServer) final class DefinitionSetTests {
  let fixture: RoleFixture
  let connection: Connection

  init() throws {
    fixture = try RoleFixture()
    connection = try fixture.database.connect()
  }

  /// Migrates with some functions changed and with additional views.
  private func migrate(changing forms: [String: String], views: [SQLFile] = []) throws {
    var functions = EmbeddedSQL.functions.filter { forms[$0.name] == nil }
    functions += forms.map { SQLFile(name: $0.key, text: $0.value) }
    try Migrator(connection: connection, functions: functions, views: EmbeddedSQL.views + views)
      .migrate()
  }

  /// The signature of each function of a name, with its owner and the fixture's roles that may call
  /// it.
  private func functions(_ name: String) throws -> [[String?]] {
    let rows = try fixture.database.rows(
      """
      select oid::regprocedure || ' returns ' || pg_get_function_result(oid), proowner::regrole::text,
          has_function_privilege('public', oid, 'execute')::text
        from pg_proc where pronamespace::regnamespace || '.' || proname = $1 order by 1
      """, [.text(name)])
    return try rows.map { row in
      let callers = try ["loader", "analyst", "eraser", "monitor"].filter { kind in
        try fixture.database.value(
          """
          select has_function_privilege($1, oid, 'execute') from pg_proc
            where oid::regprocedure || ' returns ' || pg_get_function_result(oid) = $2
          """, [.text(fixture.roles.name(of: kind)), .text(row[0] ?? "")]) == "t"
      }
      return [row[0], row[1] == fixture.roles.owner ? "owner" : row[1], row[2]] + callers
    }
  }

  private static let keyArray = """
    (p_stream text, p_row text) returns text
    language sql set search_path = pg_catalog, pg_temp as 'select null::text';
    comment on function ingest.natural_key_array is 'x';
    """

  @Test(arguments: [
    // The same signature with another body.
    (keyArray, "(text,text) returns text"),
    // Another result type.
    (
      keyArray.replacing("returns text", with: "returns jsonb").replacing(
        "::text", with: "::jsonb"),
      "(text,text) returns jsonb"
    ),
    // Another name of a parameter.
    (keyArray.replacing("p_stream", with: "p_of"), "(text,text) returns text"),
    // Another type of a parameter.
    (keyArray.replacing("p_row text", with: "p_row integer"), "(text,integer) returns text"),
    // An additional parameter.
    (
      keyArray.replacing("p_row text)", with: "p_row text, p_more text)"),
      "(text,text,text) returns text"
    ),
  ])
  func `a function with a new signature replaces the old one and keeps its grants`(
    text: String, signature: String
  ) throws {
    #expect(
      try functions("ingest.natural_key_array")
        == [
          ["ingest.natural_key_array(text,text) returns text", "owner", "false", "loader"]
        ])
    try migrate(changing: [
      "ingest.natural_key_array": "create or replace function ingest.natural_key_array" + text
    ]
    )
    #expect(
      try functions("ingest.natural_key_array")
        == [["ingest.natural_key_array\(signature)", "owner", "false", "loader"]])
    // And back to the original.
    try Migrator(connection: connection).migrate()
    #expect(
      try functions("ingest.natural_key_array")
        == [
          ["ingest.natural_key_array(text,text) returns text", "owner", "false", "loader"]
        ])
    #expect(
      try functions("ingest.erase_user").first?.suffix(3) == ["owner", "false", "eraser"])
  }

  @Test func `a function whose file is gone is dropped, and one of another owner stays`() throws {
    try connection.execute("create function ingest.of_an_administrator() returns int return 1")
    try Migrator(
      connection: connection,
      functions: EmbeddedSQL.functions.filter { $0.name != "ingest.natural_key_array" }
    ).migrate()
    #expect(try functions("ingest.natural_key_array").isEmpty)
    #expect(try functions("ingest.of_an_administrator").count == 1)
    try Migrator(connection: connection).migrate()
    #expect(try functions("ingest.natural_key_array").count == 1)
    #expect(try functions("ingest.of_an_administrator").count == 1)
  }

  @Test(arguments: ["in another form", "gone"])
  func `an object that depends on the old function stops the migration and is named`(form: String)
    throws
  {
    let other = SQLFile(
      name: "rollup.reporting_zone",
      text: """
        create or replace function rollup.reporting_zone(p_of text) returns text language sql
        set search_path = '' as 'select $1'; comment on function rollup.reporting_zone is 'x';
        """)
    var functions = EmbeddedSQL.functions.filter { $0.name != other.name }
    if form == "in another form" { functions.append(other) }
    try connection.execute("create view public.of_an_analyst as select rollup.reporting_zone()")
    let before = try fixture.database.rows("select * from ingest.definition_set")
    let error = #expect(throws: LoadError.self) {
      try Migrator(connection: connection, functions: functions, views: []).migrate()
    }
    #expect(error?.exitCode == .configuration)
    #expect(
      error?.message.hasPrefix("the function rollup.reporting_zone() is changed or removed") == true
    )
    #expect(
      error?.message.contains(
        "view public.of_an_analyst depends on function rollup.reporting_zone()")
        == true)
    #expect(try fixture.database.rows("select * from ingest.definition_set") == before)
    #expect(try fixture.database.value("select rollup.reporting_zone()") == "UTC")
    try Migrator(connection: connection).requireCurrent()
  }

  @Test func `a function that fails to compile is reported by its file`() throws {
    let error = #expect(throws: LoadError.self) {
      try migrate(changing: [
        "ingest.natural_key_array": "create or replace function ingest.natural_key_array nonsense"
      ])
    }
    #expect(error?.exitCode == .configuration)
    #expect(error?.message.hasPrefix("ingest.natural_key_array.sql: syntax error") == true)
    try Migrator(connection: connection).requireCurrent()
  }

  @Test func `a body in SQL is checked when the function is created`() throws {
    let error = #expect(throws: LoadError.self) {
      try migrate(changing: [
        "ingest.natural_key_array": """
        create or replace function ingest.natural_key_array() returns int language sql
        as 'select nothing from ingest.nowhere';
        """
      ])
    }
    #expect(error?.message.contains("ingest.nowhere") == true)
  }

  @Test func `functions in SQL that need each other are refused by name`() throws {
    func calling(_ other: String, _ name: String) -> String {
      "create or replace function \(name)() returns int language sql as $$ select \(other)() $$;"
    }
    let error = #expect(throws: LoadError.self) {
      try migrate(changing: [
        "ingest.a": calling("ingest.b", "ingest.a"), "ingest.b": calling("ingest.a", "ingest.b"),
      ])
    }
    #expect(
      error?.message.contains(/ingest\.[ab]\.sql: function ingest\.[ab]\(\) does not/) == true)
    try Migrator(connection: connection).requireCurrent()
  }

  @Test func `new views and new functions may depend on each other`() throws {
    try migrate(
      changing: [
        "ingest.b": """
        create or replace function ingest.b() returns bigint language sql
        set search_path = pg_catalog as $$ select count(*) from report.c $$;
        comment on function ingest.b is 'x';
        """
      ],
      views: [
        SQLFile(
          name: "report.a", text: "create or replace view report.a as select ingest.b() as b;"),
        SQLFile(name: "report.c", text: "create or replace view report.c as select 1 as one;"),
      ])
    #expect(try fixture.database.value("select b from report.a") == "1")
  }
}
