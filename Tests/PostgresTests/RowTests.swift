import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct RowTests {
  let connection: Connection

  init() throws { connection = try TestDatabase.current.connect() }

  private struct File: Decodable, Equatable {
    let sourceFileID: Int
    let sha256: String
    let isURL: Bool
    let loadedAt: String?
  }

  private enum Color: String, Decodable { case red, blue }

  private struct Painted: Decodable, Equatable {
    let color: Color
    let second: Color?
  }

  /// A query must fail as one that returns what the program does not expect.
  private func fails<Row: Decodable>(_ type: Row.Type, _ sql: String, because text: String) {
    let error = #expect(throws: PostgresError.self) { try connection.rows(of: type, sql) }
    #expect(error?.sqlState == .internalError)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test func `properties take the columns of their names, whatever the order and the acronyms`()
    throws
  {
    let rows = try connection.rows(
      of: File.self,
      """
      select null as loaded_at, true as is_url, 'unused' as further, 'a' as sha256,
          12 as source_file_id
        union all select 'then', false, '', '', -3
      """)
    #expect(
      rows == [
        File(sourceFileID: 12, sha256: "a", isURL: true, loadedAt: nil),
        File(sourceFileID: -3, sha256: "", isURL: false, loadedAt: "then"),
      ])
  }

  @Test func `a result without a row gives no value`() throws {
    let sql = "select 1 as number where false"
    #expect(try connection.rows(of: Int.self, sql) == [])
    #expect(try connection.row(of: Int.self, sql) == nil)
  }

  @Test func `a row that must be the only one is`() throws {
    #expect(try connection.onlyRow(of: Int.self, "select 7") == 7)
    for count in [0, 2] {
      let error = #expect(throws: PostgresError.self) {
        try connection.onlyRow(of: Int.self, "select generate_series(1, \(count))")
      }
      #expect(error?.sqlState == .internalError)
      #expect(error?.message.contains("it has \(count)") == true)
    }
  }

  @Test func `NULL fails where a value is needed`() {
    fails(
      File.self, "select 1 as source_file_id, null as sha256, true as is_url, '' as loaded_at",
      because: "column sha256 is NULL")
    fails(Int.self, "select null::integer as number", because: "column number is NULL")
    fails([UInt8].self, "select null::bytea as digest", because: "column digest is NULL")
  }

  @Test func `a missing column fails, also for an optional property`() {
    fails(
      File.self, "select 1 as source_file_id, 'a' as sha256, '' as loaded_at",
      because: "column isURL is missing")
    fails(
      File.self, "select 1 as source_file_id, 'a' as sha256, true as is_url",
      because: "column loadedAt is missing")
  }

  @Test func `a value of another type fails, and the message does not quote it`() {
    fails(
      File.self, "select 'secret' as source_file_id, '' as sha256, true as is_url, '' as loaded_at",
      because: "column source_file_id is no Int")
    fails(Int.self, "select 1.5 as number", because: "column number is no Int")
    fails(Int16.self, "select 70000 as number", because: "column number is no Int16")
    fails(Bool.self, "select 'true' as flag", because: "column flag is no Bool")
    fails([UInt8].self, "select 'abc' as digest", because: "column digest is no Array<UInt8>")
    fails([Int].self, "select '{1}'::integer[]", because: "a row is no list")
  }

  @Test func `values with a raw value take that`() throws {
    let sql = "select 'red' as color, null as second union all select 'blue', 'red'"
    #expect(
      try connection.rows(of: Painted.self, sql) == [
        Painted(color: .red, second: nil), Painted(color: .blue, second: .red),
      ])
    #expect(try connection.rows(of: Color.self, "select 'blue'") == [.blue])
    fails(
      Painted.self, "select 'green' as color, null as second", because: "column color is no Color")
    fails(Color.self, "select 'green'", because: "a row is no Color")
  }

  @Test func `a single column gives single values`() throws {
    #expect(try connection.rows(of: String.self, "select unnest(array['b', ''])") == ["b", ""])
    #expect(try connection.rows(of: String?.self, "select unnest(array['b', null])") == ["b", nil])
    #expect(try connection.onlyRow(of: Bool.self, "select true"))
    #expect(try connection.onlyRow(of: Bool.self, "select false") == false)
    #expect(try connection.onlyRow(of: Int64.self, "select -9223372036854775808") == .min)
    #expect(try connection.onlyRow(of: UInt32.self, "select '4294967295'::xid") == .max)
    #expect(try connection.onlyRow(of: Double.self, "select 0.25") == 0.25)
  }

  @Test func `bytes come from the text form of bytea`() throws {
    #expect(
      try connection.rows(of: [UInt8].self, "values ('\\x00ff5c'::bytea), ('\\x'::bytea)")
        == [[0, 255, 92], []])
    #expect(try connection.onlyRow(of: [UInt8]?.self, "select null::bytea") == nil)
  }

  @Test func `two columns for one value fail`() {
    fails(Int.self, "select 1 as a, 2 as b", because: "the row has 2")
    fails([UInt8].self, "select '\\x00'::bytea as a, 2 as b", because: "the row has 2")
    fails(Int.self, "select 1, 2", because: "two columns are called ?column?")
    fails(
      Int.self, "select 1 as file_id, 2 as \"fileID\"", because: "two columns are called fileID")
  }

  @Test func `bytes of a binary result are found by the name of their column`() throws {
    let result = try connection.query(
      "select 1::smallint as one, null::text as none", binaryResult: true)
    #expect(try result.bytes(row: 0, of: "one") == [0, 1])
    #expect(try result.bytes(row: 0, of: "none") == nil)
    #expect(throws: PostgresError.self) { try result.bytes(row: 0, of: "two") }
    #expect(throws: PostgresError.self) { try result.bytes(row: 1, of: "one") }
  }
}
