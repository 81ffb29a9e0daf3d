import Postgres
import TestSupport
import Testing

struct ConnectionTargetTests {
  @Test(arguments: [
    "host=/tmp user=me password=hunter2", "password='hunter2'", "host=h sslpassword=hunter2",
    "postgresql://me:hunter2@localhost/games", "postgres://me@localhost/games?password=hunter2",
    "postgresql://me@localhost/games?user=x&password=hunter2",
  ])
  func `a connection string with a password is refused and not repeated`(conninfo: String) throws {
    let error = #expect(throws: PostgresError.self) { _ = try ConnectionTarget(conninfo: conninfo) }
    let description = error.map { "\($0)" } ?? ""
    #expect(description.contains("holds a password"))
    #expect(!description.contains("hunter2"))
  }

  @Test(arguments: [
    "host=/tmp user=me", "games", "service=games", "postgresql://me@localhost/games",
    "postgres:///games?host=/tmp", "dbname='a b' passfile=/dev/null",
  ])
  func `a connection string without a password is accepted unchanged`(conninfo: String) throws {
    #expect(try ConnectionTarget(conninfo: conninfo).conninfo == conninfo)
  }

  @Test(arguments: ["host='/tmp", "postgresql://[::1/games"])
  func `a connection string that libpq cannot read is refused`(conninfo: String) throws {
    let error = #expect(throws: PostgresError.self) { _ = try ConnectionTarget(conninfo: conninfo) }
    #expect(error?.message.hasPrefix("cannot read the connection string;") == true)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `an unreachable server counts as a lost connection`() throws {
    let target = try ConnectionTarget(conninfo: "host=/nonexistent dbname=games user=me")
    let error = #expect(throws: PostgresError.self) { _ = try Connection(target) }
    #expect(error?.isConnectionLost == true)
    #expect(error?.kind == .unavailable)
    #expect(error?.message.contains("\n") == false)
  }
}

@Suite(.serialized, .needsServer, .ownDatabase) struct ConnectionTests {
  let database: TestDatabase

  init() throws { database = try .current }

  @Test func `a session has an application name and a supported version`() throws {
    let connection = try Connection(database.target)
    #expect(connection.isUsable)
    #expect(
      try connection.query("select current_setting('application_name')")[0, 0] == "gamebase-ingest")
  }

  @Test func `the client encoding is UTF-8, whatever the connection string holds`() throws {
    let target = try ConnectionTarget(
      conninfo: TestServer.with("client_encoding", "LATIN1", in: database.conninfo))
    let connection = try Connection(target)
    #expect(try connection.query("select current_setting('client_encoding')")[0, 0] == "UTF8")
    #expect(try connection.query("select octet_length($1::text)", [.text("é")])[0, 0] == "2")
  }

  @Test(arguments: ["SQL_ASCII", "LATIN1"])
  func `a database of another encoding is refused by name`(encoding: String) throws {
    let other = try TestDatabase(with: "encoding '\(encoding)' lc_collate 'C' lc_ctype 'C'")
    defer { other.drop() }
    let error = #expect(throws: PostgresError.self) { _ = try Connection(other.target) }
    #expect(error?.message.contains(encoding) == true)
    #expect(error?.message.contains("UTF8") == true)
    #expect(error?.isConnectionLost == false)
    #expect(error?.kind == .setup)
  }

  @Test func `a missing database is reported in one line`() throws {
    let target = try ConnectionTarget(
      conninfo: TestServer.with("dbname", "no_such_database", in: database.conninfo))
    let error = #expect(throws: PostgresError.self) { _ = try Connection(target) }
    #expect(error?.message.contains("no_such_database") == true)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `notices of the server are dropped, but for those to the user`() throws {
    let connection = try database.connect()
    try connection.execute(
      """
      do $$ begin
        raise warning 'a row: hunter2';
        raise notice using errcode = 'NOTED', message = 'for the user';
      end $$
      """)
    #expect(connection.takeNotes() == ["for the user"])
    #expect(connection.takeNotes().isEmpty)
  }
}
