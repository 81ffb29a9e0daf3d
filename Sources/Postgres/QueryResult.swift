internal import CLibpq

/// The rows of a statement's result, as the server sent them.
package final class QueryResult {
  private let result: OpaquePointer

  init(taking result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  package var rowCount: Int { Int(PQntuples(result)) }

  package var columnNames: [String] {
    (0..<PQnfields(result)).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
  }

  /// The type `timestamptz`, whose number is the same in every database.
  private static let timeType: Oid = 1184

  /// True when the column has times (`timestamptz`).
  package func hasTimes(inColumn column: Int) -> Bool {
    PQftype(result, Int32(column)) == Self.timeType
  }

  /// The number of rows that a statement has affected, from its command tag; nil when the tag has
  /// none.
  package var affectedRowCount: Int? { Int(String(cString: PQcmdTuples(result))) }

  /// The value as text; nil for NULL.
  package subscript(row: Int, column: Int) -> String? {
    bytes(row: row, column: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value's bytes as received; nil for NULL.
  package func bytes(row: Int, column: Int) -> [UInt8]? {
    guard row < rowCount, column < Int(PQnfields(result)) else { return nil }
    if PQgetisnull(result, Int32(row), Int32(column)) == 1 { return nil }
    let length = Int(PQgetlength(result, Int32(row), Int32(column)))
    guard let start = PQgetvalue(result, Int32(row), Int32(column)) else { return nil }
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  /// The value's bytes as received, by the name of the column; nil for NULL.
  ///
  /// - Throws: `PostgresError` with SQLSTATE XX000 for a missing row or column.
  package func bytes(row: Int, of name: String) throws -> [UInt8]? {
    let column = Int(PQfnumber(result, name))
    guard column >= 0 else { throw unexpectedResult("column \(name) is missing") }
    guard row < rowCount else { throw unexpectedResult("row \(row) is missing") }
    return bytes(row: row, column: column)
  }

  /// Passes the value's bytes as received to `body`, without a copy; nil for NULL.
  package func withBytes<Value>(
    row: Int, column: Int, _ body: (UnsafeRawBufferPointer?) -> Value
  ) -> Value {
    guard PQgetisnull(result, Int32(row), Int32(column)) == 0,
      let start = PQgetvalue(result, Int32(row), Int32(column))
    else { return body(nil) }
    let count = Int(PQgetlength(result, Int32(row), Int32(column)))
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A number of a binary result, such as `Int32` for an `integer` and `Int64` for a `timestamptz`;
  /// nil for NULL and for a value of another size.
  package func number<Number: FixedWidthInteger>(
    _ type: Number.Type, row: Int, column: Int
  ) -> Number? {
    withBytes(row: row, column: column) { bytes in
      guard let bytes, bytes.count == MemoryLayout<Number>.size else { return nil }
      return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
    }
  }

  /// All rows, all values as text.
  package var rows: [[String?]] {
    let columns = Int(PQnfields(result))
    return (0..<rowCount).map { row in (0..<columns).map { self[row, $0] } }
  }
}
