import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct CursorTests {
  let connection: Connection

  init() throws { connection = try TestDatabase.current.connect() }

  private func numbers(_ part: QueryResult) -> [Int32?] {
    (0..<part.rowCount).map { part.int32(row: $0, column: 0) }
  }

  @Test(arguments: [0, 1, 2, 3, 7, 9])
  func `all rows come, in parts`(count: Int) throws {
    try connection.begin()
    defer { connection.rollback() }
    try connection.execute(
      "declare c no scroll cursor for select n from generate_series(1, \(count)) n")
    var cursor = BinaryCursor(opened: "c", partRows: 3, on: connection)
    var found: [Int32?] = []
    while let part = try cursor.next() { found += numbers(part) }
    #expect(found == (0..<count).map { Int32($0 + 1) })
    #expect(try cursor.next() == nil)
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `other statements run between parts and change none of them`() throws {
    try connection.execute("drop table if exists public.t; create table public.t as select 1 as n")
    try connection.begin()
    defer { connection.rollback() }
    try connection.execute("insert into public.t select generate_series(2, 5)")
    try connection.execute("declare c no scroll cursor for select n from public.t order by n")
    var cursor = BinaryCursor(opened: "c", partRows: 2, on: connection)
    var found: [Int32?] = []
    while let part = try cursor.next() {
      found += numbers(part)
      try cursor.settle()
      try connection.execute(
        "insert into public.t values (0), (9); delete from public.t where n = 5")
    }
    #expect(found == [1, 2, 3, 4, 5])
  }

  @Test func `a value that fails in a later part ends the cursor with the error`() throws {
    try connection.begin()
    defer { connection.rollback() }
    try connection.execute(
      "declare c no scroll cursor for select 1 / (4 - n) from generate_series(1, 9) n")
    var cursor = BinaryCursor(opened: "c", partRows: 2, on: connection)
    var error: PostgresError?
    do { while try cursor.next() != nil {} } catch let refused as PostgresError { error = refused }
    #expect(error?.sqlState == SQLState(rawValue: "22012"))
    connection.rollback()
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `binary values keep their type, and NULL stays NULL`() throws {
    let result = try connection.query(
      "select 7::smallint, -1::bigint, true, null::integer, ''::text, '2000-01-02'::date",
      binaryResult: true)
    #expect(result.int16(row: 0, column: 0) == 7)
    #expect(result.int64(row: 0, column: 1) == -1)
    #expect(result.int32(row: 0, column: 1) == nil)
    #expect(result.int32(row: 0, column: 3) == nil)
    #expect(result.unsafeBytes(row: 0, column: 4)?.count == 0)
    #expect(result.int32(row: 0, column: 5) == 1)
  }
}
