extension QueryResult {
  /// The rows as values: each property takes the column of its name.
  ///
  /// Names are compared without underscores and case, so `source_file_id` is `sourceFileID`. A type
  /// that is one value, such as `Int`, takes the only column. An optional property is nil for NULL.
  ///
  /// - Throws: `PostgresError` with SQLSTATE XX000 for NULL in a property that is not optional, for a
  ///   missing column, and for a value of another type.
  package func decoded<Row: Decodable>(as type: Row.Type = Row.self) throws -> [Row] {
    var columns: [String: Int] = [:]
    for (column, name) in columnNames.enumerated() { columns[RowDecoder.key(name)] = column }
    return try (0..<rowCount).map {
      try Row(from: RowDecoder(result: self, row: $0, columns: columns, column: nil))
    }
  }
}

extension Connection {
  /// Runs a query and returns its rows as values (`QueryResult.decoded`).
  package func rows<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> [Row] {
    try query(sql, parameters).decoded(as: type)
  }

  /// Runs a query and returns its first row as a value; nil without a row.
  package func row<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> Row? {
    try query(sql, parameters).decoded(as: type).first
  }
}

/// Reads one row of a result, or one of its columns.
private struct RowDecoder: Decoder {
  let result: QueryResult
  let row: Int
  let columns: [String: Int]
  /// The column to which this decoder is limited; nil for the whole row.
  let column: Int?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func key(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw failure("a row is no list")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let only = column ?? (columns.count == 1 ? 0 : nil) else {
      throw failure("one value was expected, but the row has \(columns.count)")
    }
    return ColumnContainer(decoder: self, column: only)
  }

  func isNull(_ column: Int) -> Bool { result.withBytes(row: row, column: column) { $0 == nil } }

  func value<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value {
    guard let text = result[row, column] else { throw failure("is NULL", column) }
    let found: (any Decodable)? =
      switch type {
      case is String.Type: text
      case is Int.Type: Int(text)
      case is Int64.Type: Int64(text)
      case is Bool.Type: text == "t" ? true : text == "f" ? false : nil
      case is [UInt8].Type: Self.bytes(text)
      default:
        try Value(
          from: RowDecoder(result: result, row: row, columns: columns, column: column))
      }
    guard let value = found as? Value else { throw failure("is no \(type)", column) }
    return value
  }

  func failure(_ problem: String, _ column: Int) -> PostgresError {
    failure("column \(result.columnNames[column]) \(problem)")
  }

  func failure(_ problem: String) -> PostgresError {
    PostgresError(
      sqlState: .internalError, message: "the result of a query is not as expected, \(problem)")
  }

  /// The bytes of a `bytea` in hexadecimal form.
  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix("\\x") else { return nil }
    let digits = text.utf8.dropFirst(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.result.columnNames.compactMap { Key(stringValue: $0) } }

  // A missing column is an error, also for an optional property.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder.isNull(column(of: key)) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.value(type, column(of: key))
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

  private func column(of key: Key) throws -> Int {
    guard let column = decoder.columns[RowDecoder.key(key.stringValue)] else {
      throw decoder.failure("column \(key.stringValue) is missing")
    }
    return column
  }
}

private struct ColumnContainer: SingleValueDecodingContainer {
  let decoder: RowDecoder
  let column: Int

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.isNull(column) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.value(type, column)
  }
}
