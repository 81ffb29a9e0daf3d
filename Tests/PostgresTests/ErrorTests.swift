import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct ErrorTests {
  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try .current
    connection = try database.connect()
  }

  private func refusal(_ sql: String, _ parameters: [Parameter] = []) -> PostgresError? {
    #expect(throws: PostgresError.self) { try connection.query(sql, parameters) }
  }

  @Test(arguments: [
    ("select 1 / 0", "22012", PostgresError.Kind.row),
    ("select * from missing_table", "42P01", .setup),
    ("select missing_function()", "42883", .setup),
    ("select missing_column from pg_class", "42703", .setup),
    ("create table missing_schema.x ()", "3F000", .setup),
    ("selec", "42601", .setup),
    ("do $$ begin raise exception 'x' using errcode = '40P01'; end $$", "40P01", .contention),
    ("do $$ begin raise exception 'x' using errcode = '40001'; end $$", "40001", .contention),
    ("do $$ begin raise exception 'x' using errcode = '55P03'; end $$", "55P03", .contention),
    ("do $$ begin raise exception 'x' using errcode = '53100'; end $$", "53100", .resources),
    ("do $$ begin raise exception 'x' using errcode = '53300'; end $$", "53300", .unavailable),
    ("do $$ begin raise exception 'x' using errcode = '57P03'; end $$", "57P03", .unavailable),
    ("do $$ begin raise exception 'x' using errcode = '08006'; end $$", "08006", .unavailable),
    ("do $$ begin raise exception 'x' using errcode = '57014'; end $$", "57014", .cancelled),
  ])
  func `an error has its SQLSTATE and kind`(
    sql: String, state: String, kind: PostgresError.Kind
  ) throws {
    let error = refusal(sql)
    #expect(error?.sqlState == SQLState(rawValue: state))
    #expect(error?.kind == kind)
    #expect(error?.isConnectionLost == false)
    #expect(connection.isUsable)
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `the description says the message and never the row`() throws {
    try connection.execute(
      "drop table if exists secret; create table secret (token text primary key)")
    try connection.query("insert into secret values ($1)", [.text("hunter2")])
    let error = refusal("insert into secret values ($1)", [.text("hunter2")])
    #expect(error?.sqlState == .uniqueViolation)
    #expect(error?.kind == .row)
    let description = error.map { "\($0)" } ?? ""
    #expect(!description.contains("hunter2"))
    #expect(description.contains("secret_pkey"))
    #expect(description.hasSuffix("(SQLSTATE 23505)"))
    #expect(!description.contains("\n"))
  }

  @Test func `a message that ends in a value is shown without it`() throws {
    for sql in [
      "select $1::text::integer", "select $1::text::json", "select $1::text::timestamptz",
    ] {
      let error = refusal(sql, [.text("hunter2")])
      #expect(error?.kind == .row)
      let description = error.map { "\($0)" } ?? ""
      #expect(description.contains("invalid input syntax for type"))
      #expect(!description.contains("hunter2"))
    }
  }

  @Test func `a hint is part of the description`() throws {
    let error = refusal("do $$ begin raise exception E'two\nlines' using hint = 'Do this.'; end $$")
    #expect(error?.description == "two; lines (SQLSTATE P0001). Hint: Do this")
  }

  @Test func `a lost session differs from a refused statement`() throws {
    let process = try connection.onlyRow(of: Int.self, "select pg_backend_pid()")
    try database.execute("select pg_terminate_backend(\(process))")
    let error = refusal("select 1")
    #expect(error?.isConnectionLost == true)
    #expect(error?.kind == .unavailable)
    #expect(!connection.isUsable)
    // Every later call fails with the same error instead of a crash.
    connection.rollback()
    #expect(throws: PostgresError.self) { try connection.begin() }
    #expect(throws: PostgresError.self) { _ = try connection.copyIn("copy x from stdin") }
  }

  @Test func `another thread can cancel a statement`() throws {
    let canceller = try #require(connection.canceller())
    let process = try connection.onlyRow(of: Int.self, "select pg_backend_pid()")
    let background = Background { [database] in
      try database.wait(
        for: "select 1 from pg_stat_activity where pid = \(process) and wait_event = 'PgSleep'",
        "the statement did not start")
      canceller.cancel()
    }
    let error = refusal("select pg_sleep(60)")
    try background.value()
    #expect(error?.sqlState == .queryCanceled)
    #expect(error?.kind == .cancelled)
    #expect(try connection.query("select 1")[0, 0] == "1")
  }
}
