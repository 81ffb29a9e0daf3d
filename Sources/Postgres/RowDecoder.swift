internal import CLibpq

extension QueryResult {
  /// The rows as values: each property takes the column of its name.
  ///
  /// Names are compared without underscores and case, so `source_file_id` is `sourceFileID`. A type
  /// that is one value, such as `Int`, takes the only column. An optional property is nil for NULL.
  ///
  /// - Throws: `PostgresError` with SQLSTATE XX000 for NULL in a property that is not optional, for a
  ///   missing column, for two columns of one name, and for a value of another type.
  package func decoded<Row: Decodable>(as type: Row.Type = Row.self) throws -> [Row] {
    let columns = try Dictionary(columnNames.enumerated().map { (folded($1), $0) }) {
      throw unexpectedResult("two columns are called \(columnNames[$1])")
    }
    return try (0..<rowCount).map {
      let decoder = RowDecoder(result: self, row: $0, columns: columns)
      do {
        // An array decodes itself as a list, but bytes are one value.
        return Row.self == [UInt8].self
          ? try decoder.singleValueContainer().decode(Row.self) : try Row(from: decoder)
      } catch is DecodingError {
        // Its text would quote the value.
        throw unexpectedResult("a row is no \(Row.self)")
      }
    }
  }
}

extension Connection {
  /// Runs a query and returns its rows as values (`QueryResult.decoded`).
  package func rows<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> [Row] {
    try query(sql, parameters).decoded()
  }

  /// Runs a query and returns its first row as a value; nil without a row.
  package func row<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> Row? {
    try rows(of: type, sql, parameters).first
  }

  /// Runs a query that returns one row, and returns it as a value (`QueryResult.decoded`).
  ///
  /// - Throws: also `PostgresError` with SQLSTATE XX000 for another number of rows.
  package func onlyRow<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> Row {
    let rows = try rows(of: type, sql, parameters)
    guard rows.count == 1 else {
      throw unexpectedResult("one row was expected, but it has \(rows.count)")
    }
    return rows[0]
  }
}

/// A name as columns and properties are compared.
private func folded(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }

func unexpectedResult(_ problem: String) -> PostgresError {
  PostgresError(
    sqlState: .internalError, message: "the result of a query is not as expected, \(problem)")
}

/// Reads one row of a result, or one of its columns.
private struct RowDecoder: Decoder, SingleValueDecodingContainer {
  let result: QueryResult
  let row: Int
  /// By their folded names.
  let columns: [String: Int]
  /// The column of a value; the only one for a row that is one value.
  var column: Int?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unexpectedResult("a row is no list")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard column != nil || columns.count == 1 else {
      throw unexpectedResult("one value was expected, but the row has \(columns.count)")
    }
    return self
  }

  func decodeNil() -> Bool { result.unsafeBytes(row: row, column: column ?? 0) == nil }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let column = column ?? 0
    func failure(_ problem: String) -> PostgresError {
      unexpectedResult("column \(result.columnNames[column]) \(problem)")
    }
    guard let text = result[row, column] else { throw failure("is NULL") }
    let found: Any? =
      switch type {
      case is String.Type: text
      case is Int.Type: Int(text)
      case is Bool.Type: text == "t" ? true : text == "f" ? false : nil
      case is [UInt8].Type: bytes(ofHexadecimal: text)
      // The other numbers.
      case let type as any LosslessStringConvertible.Type: type.init(text)
      // A type that decodes itself, such as one with a raw value.
      default: try? Value(from: self)
      }
    guard let value = found as? Value else { throw failure("is no \(type)") }
    return value
  }

  /// The bytes of a `bytea` in hexadecimal form.
  private func bytes(ofHexadecimal text: String) -> [UInt8]? {
    var count = 0
    guard text.hasPrefix("\\x"), let bytes = PQunescapeBytea(text, &count) else { return nil }
    defer { PQfreemem(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.result.columnNames.compactMap { Key(stringValue: $0) } }

  // A missing column is an error, also for an optional property.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { try column(of: key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try column(of: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    decoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) -> any Decoder { decoder }

  private func column(of key: Key) throws -> RowDecoder {
    var decoder = decoder
    decoder.column = decoder.columns[folded(key.stringValue)]
    guard decoder.column != nil else {
      throw unexpectedResult("column \(key.stringValue) is missing")
    }
    return decoder
  }
}
