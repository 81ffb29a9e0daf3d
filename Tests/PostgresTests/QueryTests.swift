import Foundation
import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct QueryTests {
  let connection: Connection

  init() throws { connection = try TestDatabase.current.connect() }

  @Test func `NULL stays NULL, and an empty text stays empty`() throws {
    let result = try connection.query(
      "select $1::text, $2::text, $3::bigint, $4::bytea",
      [.text(nil), .text(""), .integer(nil), .bytes(nil)])
    #expect(result.rows == [[nil, "", nil, nil]])
    #expect(result.bytes(row: 0, column: 0) == nil)
    #expect(result.bytes(row: 0, column: 1) == [])
  }

  @Test func `bytes with zeros make the round trip`() throws {
    let bytes: [UInt8] = [0, 1, 0, 255, 0x5C, 0]
    let result = try connection.query(
      "select $1::bytea, octet_length($1::bytea), $2::bytea", [.bytes(bytes), .bytes([])],
      binaryResult: true)
    #expect(result.bytes(row: 0, column: 0) == bytes)
    #expect(result.bytes(row: 0, column: 1) == [0, 0, 0, 6])
    #expect(result.bytes(row: 0, column: 2) == [])
  }

  @Test(arguments: [
    "日本語 ゲーム", "🎮\u{10FFFF}", "e\u{301} and \u{E9}", "'; drop table x; --\\N",
    "\"\u{301},\\\u{301}{\r\n}",
  ])
  func `text of any script makes the round trip byte for byte`(text: String) throws {
    let result = try connection.query(
      """
      select $1::text, octet_length($1::text), encode(convert_to($1::text, 'UTF8'), 'hex'),
          $2::text[] = array[$1::text, null]
      """, [.text(text), .texts([text, nil])])
    #expect(result.bytes(row: 0, column: 0) == Array(text.utf8))
    #expect(result[0, 1] == String(text.utf8.count))
    let hex = text.utf8.map { byte in String(byte + 0, radix: 16) }
      .map { $0.count == 1 ? "0" + $0 : $0 }.joined()
    #expect(result[0, 2] == hex)
    #expect(result[0, 3] == "t")
  }

  @Test func `many parameters of all kinds keep their positions`() throws {
    let result = try connection.query(
      "select $1::bigint, $2::boolean, $3::bytea, $4::text, $5::boolean, $6::bigint",
      [.integer(.max), .boolean(true), .bytes([7]), .text(nil), .boolean(false), .integer(.min)])
    #expect(
      result.rows == [["9223372036854775807", "t", "\\x07", nil, "f", "-9223372036854775808"]])
  }

  @Test func `binary results are big-endian and complete`() throws {
    let result = try connection.query(
      "select g::bigint, g::integer from generate_series(1, 3) g", binaryResult: true)
    #expect(result.rowCount == 3)
    #expect(result.columnNames == ["g", "g"])
    #expect(result.bytes(row: 2, column: 0) == [0, 0, 0, 0, 0, 0, 0, 3])
    #expect(result.bytes(row: 2, column: 1) == [0, 0, 0, 3])
    #expect(result.bytes(row: 3, column: 0) == nil)
    #expect(result.bytes(row: 0, column: 2) == nil)
  }

  @Test func `a result that nobody reads is freed`() throws {
    func residentPages() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return Int(text.split(separator: " ")[1]) ?? 0
    }
    let before = try residentPages()
    for _ in 0..<100 { try connection.execute("select repeat('x', 4 * 1024 * 1024)") }
    #expect(try (residentPages() - before) * 4096 < 200 * 1024 * 1024)
  }

  @Test func `the count of affected rows comes from the command tag`() throws {
    try connection.execute("create table touched (a integer)")
    let inserted = try connection.query("insert into touched select generate_series(1, 5)")
    #expect(inserted.affectedRowCount == 5)
    #expect(try connection.query("delete from touched where a > 3").affectedRowCount == 2)
    #expect(try connection.query("create view seen as select 1").affectedRowCount == nil)
  }
}
