internal import CLibpq

/// The rows of a statement's result, as the server sent them.
package final class QueryResult {
  private let result: OpaquePointer

  init(taking result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }

  /// The command that has run, such as `COMMIT`.
  var commandTag: String { String(cString: PQcmdStatus(result)) }

  /// A part of the server's error in one line; nil: the error has none, or there is no error.
  ///
  /// - Parameter code: a `PG_DIAG_` code of libpq, which equals a field type of the protocol.
  func errorField(_ code: Unicode.Scalar) -> String? {
    PQresultErrorField(result, Int32(code.value)).map { oneLine(String(cString: $0)) }
  }

  package var rowCount: Int { Int(PQntuples(result)) }

  package var columnNames: [String] {
    (0..<PQnfields(result)).map { PQfname(result, $0).map { String(cString: $0) } ?? "" }
  }

  /// The types of values that lists and pages show in a form of their own: `boolean`, `text`, `date`, `timestamptz`,
  /// and whole or exact decimal numbers.
  package enum ValueType: Sendable { case flag, text, day, time, number, other }

  package func valueType(ofColumn column: Int) -> ValueType {
    // These numbers are the same in every database.
    switch PQftype(result, Int32(column)) {
    case 16: .flag
    case 25: .text
    case 1082: .day
    case 1184: .time
    case 20, 21, 23, 1700: .number
    default: .other
    }
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
    return unsafeBytes(row: row, column: column).map { Array($0) }
  }

  /// The value's bytes as received, by the name of the column; nil for NULL.
  ///
  /// - Throws: `PostgresError` with SQLSTATE XX000 for a missing row or column.
  package func bytes(row: Int, of name: String) throws -> [UInt8]? {
    let column = Int(PQfnumber(result, name))
    guard column >= 0, row < rowCount else { throw unexpectedResult("\(name) is missing") }
    return bytes(row: row, column: column)
  }

  /// The value's bytes as received, valid as long as this result; nil for NULL.
  package func unsafeBytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(row), Int32(column))
    let count = Int(PQgetlength(result, row, column))
    // A NULL has no byte; nor has an empty text.
    if count == 0, PQgetisnull(result, row, column) == 1 { return nil }
    return PQgetvalue(result, row, column).map { UnsafeRawBufferPointer(start: $0, count: count) }
  }

  // One function for each type: a generic function of another module is not specialized, and took
  // half the time of a refresh's client.

  /// A `smallint` of a binary result; nil for NULL and for a value of another size.
  package func int16(row: Int, column: Int) -> Int16? { number(row: row, column: column) }

  /// An `integer` or `date` of a binary result; nil for NULL and for a value of another size.
  package func int32(row: Int, column: Int) -> Int32? { number(row: row, column: column) }

  /// A `bigint` or `timestamptz` of a binary result; nil for NULL and for a value of another size.
  package func int64(row: Int, column: Int) -> Int64? { number(row: row, column: column) }

  private func number<Number: FixedWidthInteger>(row: Int, column: Int) -> Number? {
    guard let bytes = unsafeBytes(row: row, column: column),
      bytes.count == MemoryLayout<Number>.size
    else { return nil }
    return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
  }

  /// All rows, all values as text.
  package var rows: [[String?]] {
    let columns = Int(PQnfields(result))
    return (0..<rowCount).map { row in (0..<columns).map { self[row, $0] } }
  }
}
