import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct TransactionTests {
  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try .current
    connection = try database.connect()
    try connection.execute("drop table if exists kept; create table kept (a integer)")
  }

  private struct Stop: Error {}

  private func keptRows() throws -> String? { try database.value("select count(*) from kept") }

  @Test func `committed rows are visible to others`() throws {
    let value = try connection.transaction {
      try connection.execute("insert into public.kept values (1)")
      #expect(try keptRows() == "0")
      return 7
    }
    #expect(value == 7)
    #expect(try keptRows() == "1")
  }

  @Test func `an error rolls everything back and leaves the connection usable`() throws {
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("insert into public.kept values (1)")
        throw Stop()
      }
    }
    #expect(try keptRows() == "0")
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `a refused statement rolls everything back`() throws {
    #expect(throws: PostgresError.self) {
      try connection.transaction {
        try connection.execute("insert into public.kept values (1)")
        try connection.execute("select 1 / 0")
      }
    }
    #expect(try keptRows() == "0")
  }

  @Test func `a commit that the server turns into a rollback is an error`() throws {
    #expect(throws: PostgresError.self) {
      try connection.transaction {
        try connection.execute("insert into public.kept values (1)")
        try? connection.execute("select 1 / 0")
      }
    }
    #expect(try keptRows() == "0")
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `a rollback outside a transaction does nothing`() throws {
    connection.rollback()
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `the settings of a transaction end with it`() throws {
    try connection.execute("set timezone = 'Asia/Seoul'; set datestyle = 'German'")
    try connection.execute("set bytea_output = 'escape'")
    let inside = try connection.transaction {
      try connection.query(
        """
        select current_setting('search_path'), current_setting('timezone'),
          timestamptz '2025-07-01 00:00:00.5+09', '\\x00ff'::bytea,
          current_setting('client_connection_check_interval')
        """
      ).rows
    }
    #expect(inside == [["\"\"", "UTC", "2025-06-30 15:00:00.5+00", "\\x00ff", "5s"]])
    let outside = try connection.query(
      "select current_setting('timezone'), current_setting('search_path')")
    #expect(outside.rows == [["Asia/Seoul", "\"$user\", public"]])
  }

  @Test func `an unqualified name is not found inside a transaction`() throws {
    let error = #expect(throws: PostgresError.self) {
      try connection.transaction { try connection.query("select * from kept") }
    }
    #expect(error?.sqlState == .undefinedTable)
    #expect(error?.kind == .setup)
  }

  @Test func `a transaction runs at READ COMMITTED, whatever the database's default`() throws {
    try database.execute(
      "alter database \(database.name) set default_transaction_isolation = 'serializable'")
    defer { try? database.execute("alter database \(database.name) reset all") }
    let own = try database.connect()
    // The loader takes a lock and then reads; an older snapshot would miss rows committed
    // meanwhile.
    let level = try own.transaction {
      try own.query("select current_setting('transaction_isolation')")[0, 0]
    }
    #expect(level == "read committed")
  }

  @Test
  func `a transaction that locks first sees one state, with the commits of the lock's holders`()
    throws
  {
    try connection.execute("drop table if exists other; create table other (a integer)")
    let holder = try database.connect()
    try holder.execute("begin; lock table kept in exclusive mode; insert into kept values (1)")
    let waiting = Background { [database] in
      let connection = try Connection(database.target, applicationName: "waiting")
      return try connection.transaction(.repeatableRead(afterLocking: "public.kept")) {
        let kept = try connection.query("select count(*) from public.kept")[0, 0]
        try database.execute("insert into public.other values (1)")
        let other = try connection.query("select count(*) from public.other")[0, 0]
        return [kept, other, try connection.query("show transaction_isolation")[0, 0]]
      }
    }
    _ = try database.processWaitingForLock(applicationName: "waiting")
    try holder.execute("insert into other values (0); commit")
    #expect(try waiting.value() == ["1", "1", "repeatable read"])
    #expect(try database.value("select count(*) from other") == "2")
  }

  @Test func `a transaction that cannot lock is not left open`() throws {
    let error = #expect(throws: PostgresError.self) {
      try connection.begin(.repeatableRead(afterLocking: "public.missing"))
    }
    #expect(error?.sqlState == .undefinedTable)
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `a database that is read-only by default stays so`() throws {
    try database.execute(
      "alter database \(database.name) set default_transaction_read_only = on")
    defer {
      try? database.execute("set transaction read write; alter database \(database.name) reset all")
    }
    let own = try database.connect()
    let error = #expect(throws: PostgresError.self) {
      try own.transaction { try own.execute("insert into public.kept values (1)") }
    }
    #expect(error?.sqlState == .readOnlyTransaction)
    #expect(error?.kind == .setup)
  }
}
