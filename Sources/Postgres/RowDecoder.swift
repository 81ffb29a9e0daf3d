extension QueryResult {
  /// The rows as values: each property takes the column of its name.
  ///
  /// Names are compared without underscores and case, so `source_file_id` is `sourceFileID`. A type
  /// that is one value, such as `Int`, takes the only column. An optional property is nil for NULL.
  ///
  /// - Throws: `PostgresError` with SQLSTATE XX000 for NULL in a property that is not optional, for a
  ///   missing column, for two columns of one name, and for a value of another type.
  package func decoded<Row: Decodable>(as type: Row.Type = Row.self) throws -> [Row] {
    let columns = try RowColumns(columnNames)
    return try (0..<rowCount).map {
      let decoder = RowDecoder(result: self, row: $0, columns: columns, column: nil)
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
    try query(sql, parameters).decoded(as: type)
  }

  /// Runs a query and returns its first row as a value; nil without a row.
  package func row<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> Row? {
    try query(sql, parameters).decoded(as: type).first
  }

  /// Runs a query that returns one row, and returns it as a value (`QueryResult.decoded`).
  ///
  /// - Throws: also `PostgresError` with SQLSTATE XX000 for another number of rows.
  package func onlyRow<Row: Decodable>(
    of type: Row.Type = Row.self, _ sql: String, _ parameters: [Parameter] = []
  ) throws -> Row {
    let rows = try query(sql, parameters).decoded(as: type)
    guard rows.count == 1 else {
      throw unexpectedResult("one row was expected, but it has \(rows.count)")
    }
    return rows[0]
  }
}

/// The columns of a result by their names.
private final class RowColumns {
  let count: Int
  private let byKey: [String: Int]
  /// The columns of the properties that were asked for, because to fold a name takes longer than to
  /// find it.
  private var byProperty: [String: Int] = [:]

  init(_ names: [String]) throws {
    count = names.count
    var byKey: [String: Int] = [:]
    for (column, name) in names.enumerated() {
      guard byKey.updateValue(column, forKey: Self.key(name)) == nil else {
        throw unexpectedResult("two columns are called \(name)")
      }
    }
    self.byKey = byKey
  }

  subscript(property: String) -> Int? {
    if let known = byProperty[property] { return known }
    let column = byKey[Self.key(property)]
    byProperty[property] = column
    return column
  }

  private static func key(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }
}

func unexpectedResult(_ problem: String) -> PostgresError {
  PostgresError(
    sqlState: .internalError, message: "the result of a query is not as expected, \(problem)")
}

/// Reads one row of a result, or one of its columns.
private struct RowDecoder: Decoder {
  let result: QueryResult
  let row: Int
  let columns: RowColumns
  /// The column to which this decoder is limited; nil for the whole row.
  let column: Int?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw unexpectedResult("a row is no list")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard let only = column ?? (columns.count == 1 ? 0 : nil) else {
      throw unexpectedResult("one value was expected, but the row has \(columns.count)")
    }
    return ColumnContainer(decoder: self, column: only)
  }

  func isNull(_ column: Int) -> Bool { result.unsafeBytes(row: row, column: column) == nil }

  func value<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value {
    guard let text = result[row, column] else { throw failure("is NULL", column) }
    let found: Any? =
      switch type {
      case is String.Type: text
      case is Int.Type: Int(text)
      case is Bool.Type: text == "t" ? true : text == "f" ? false : nil
      case is [UInt8].Type: Self.bytes(text)
      // The other numbers.
      case let type as any LosslessStringConvertible.Type: type.init(text)
      default:
        try decoded(type, column)
      }
    guard let value = found as? Value else { throw failure("is no \(type)", column) }
    return value
  }

  /// A value that decodes itself, such as one with a raw value; nil: it does not accept the column.
  private func decoded<Value: Decodable>(_ type: Value.Type, _ column: Int) throws -> Value? {
    do {
      return try Value(
        from: RowDecoder(result: result, row: row, columns: columns, column: column))
    } catch is DecodingError { return nil }
  }

  func failure(_ problem: String, _ column: Int) -> PostgresError {
    unexpectedResult("column \(result.columnNames[column]) \(problem)")
  }

  /// The bytes of a `bytea` in hexadecimal form.
  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.starts(with: "\\x".utf8), digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 2, to: digits.count, by: 2) {
      guard let high = half(digits[place]), let low = half(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func half(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
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
    guard let column = decoder.columns[key.stringValue] else {
      throw unexpectedResult("column \(key.stringValue) is missing")
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
