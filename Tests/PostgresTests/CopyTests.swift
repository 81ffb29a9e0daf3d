import Postgres
import TestSupport
import Testing

@Suite(.serialized, .needsServer, .ownDatabase) struct CopyTests {
  let database: TestDatabase
  let connection: Connection

  init() throws {
    database = try .current
    connection = try database.connect()
    try connection.execute(
      "drop table if exists copied; create table copied (a integer primary key, b text)")
  }

  private static let header =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]

  private static func row(_ number: Int32, _ text: String?) -> [UInt8] {
    func bigEndian(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    let field = text.map { bigEndian(Int32($0.utf8.count)) + Array($0.utf8) } ?? bigEndian(-1)
    return [0, 2] + bigEndian(4) + bigEndian(number) + field
  }

  private func start() throws -> CopyIn {
    try connection.copyIn("copy public.copied from stdin (format binary)")
  }

  private func refusal(finishing copy: consuming CopyIn) -> PostgresError? {
    do {
      let count = try copy.finish()
      Issue.record("the server took \(count) rows")
    } catch let error as PostgresError {
      return error
    } catch {
      Issue.record(error)
    }
    return nil
  }

  private func expectNothingCopied() throws {
    connection.rollback()
    #expect(connection.isUsable)
    #expect(try connection.query("select count(*) from public.copied")[0, 0] == "0")
  }

  @Test func `a COPY returns the number of rows that the server stored`() throws {
    let copy = try start()
    try Self.header.withUnsafeBytes { try copy.write($0) }
    try (Self.row(1, "日本") + Self.row(2, nil)).withUnsafeBytes { try copy.write($0) }
    try Self.trailer.withUnsafeBytes { try copy.write($0) }
    #expect(try copy.finish() == 2)
    #expect(
      try connection.query("select a, b from copied order by a").rows
        == [["1", "日本"], ["2", nil]])
  }

  @Test func `rows longer than a slice arrive complete`() throws {
    let long = String(repeating: "0123456789abcdef", count: 20_000)
    let copy = try start()
    let bytes = Self.header + Self.row(1, long) + Self.row(2, "x") + Self.trailer
    try bytes.withUnsafeBytes { try copy.write($0) }
    #expect(try copy.finish() == 2)
    #expect(try connection.query("select b from copied where a = 1")[0, 0] == long)
  }

  @Test func `an aborted COPY leaves nothing and the connection usable`() throws {
    try connection.begin()
    let copy = try start()
    try (Self.header + Self.row(1, "a")).withUnsafeBytes { try copy.write($0) }
    copy.abort(reason: "the file broke off")
    try expectNothingCopied()
  }

  @Test func `an aborted COPY without a transaction leaves nothing either`() throws {
    let copy = try start()
    try (Self.header + Self.row(1, "a")).withUnsafeBytes { try copy.write($0) }
    copy.abort(reason: "the file broke off")
    try expectNothingCopied()
  }

  @Test func `a row refused by the server undoes the rows before it`() throws {
    try connection.begin()
    let copy = try start()
    let rows = (1...50_000).flatMap { Self.row(Int32($0), "some text") }
    try (Self.header + rows + Self.row(1, "again") + rows).withUnsafeBytes { try copy.write($0) }
    let error = refusal(finishing: copy)
    #expect(error?.sqlState == .uniqueViolation)
    #expect(error?.isConnectionLost == false)
    try expectNothingCopied()
  }

  @Test func `a stream that ends inside a row is refused`() throws {
    let copy = try start()
    try (Self.header + Self.row(1, "whole").dropLast(2)).withUnsafeBytes { try copy.write($0) }
    let error = refusal(finishing: copy)
    #expect(error?.sqlState == SQLState(rawValue: "22P04"))
    try expectNothingCopied()
  }

  @Test func `text that is not UTF-8 is refused, not converted`() throws {
    let copy = try start()
    let row: [UInt8] = [0, 2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0xFF]
    try (Self.header + row + Self.trailer).withUnsafeBytes { try copy.write($0) }
    let error = refusal(finishing: copy)
    #expect(error?.sqlState == SQLState(rawValue: "22021"))
    try expectNothingCopied()
  }

  @Test func `a statement other than COPY is refused, and a missing table is named`() throws {
    #expect(throws: PostgresError.self) { _ = try connection.copyIn("select 1") }
    let error = #expect(throws: PostgresError.self) {
      _ = try connection.copyIn("copy missing from stdin")
    }
    #expect(error?.sqlState == .undefinedTable)
    #expect(try connection.query("select 1")[0, 0] == "1")
  }

  @Test func `a session that ends during a COPY ends it with an error`() throws {
    let process = try connection.onlyRow(of: Int.self, "select pg_backend_pid()")
    let copy = try start()
    try (Self.header + Self.row(1, "a")).withUnsafeBytes { try copy.write($0) }
    try database.execute("select pg_terminate_backend(\(process))")
    let error = refusal(finishing: copy)
    #expect(error?.isConnectionLost == true)
    #expect(error?.kind == .unavailable)
    #expect(!connection.isUsable)
    #expect(try database.value("select count(*) from copied") == "0")
  }
}
