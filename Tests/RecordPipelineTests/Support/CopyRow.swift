import Foundation
import RecordPipeline

/// A row, read back from binary COPY data.
///
/// It follows the format in PostgreSQL's manual and shares no code with the encoder.
struct CopyRow {
  struct Value {
    let column: Column
    /// nil for NULL.
    let bytes: [UInt8]?
  }

  /// The bytes are not a row of these columns.
  struct FormatError: Error {
    let reason: String
  }

  let values: [Value]

  /// Reads rows until the bytes end.
  static func rows(_ bytes: [UInt8], columns: [Column]) throws(FormatError) -> [CopyRow] {
    var rest = bytes[...]
    var rows: [CopyRow] = []
    while !rest.isEmpty { rows.append(try CopyRow(&rest, columns: columns)) }
    return rows
  }

  private init(_ rest: inout ArraySlice<UInt8>, columns: [Column]) throws(FormatError) {
    let count = try Self.number(&rest, byteCount: 2)
    guard count == columns.count else {
      throw FormatError(reason: "\(count) fields for \(columns.count) columns")
    }
    var values: [Value] = []
    for column in columns {
      let length = try Self.number(&rest, byteCount: 4)
      if length == 0xFFFF_FFFF {
        values.append(Value(column: column, bytes: nil))
        continue
      }
      guard rest.count >= length else { throw FormatError(reason: "\(column.name) is cut") }
      values.append(Value(column: column, bytes: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    self.values = values
  }

  private static func number(
    _ rest: inout ArraySlice<UInt8>, byteCount: Int
  ) throws(FormatError) -> Int {
    guard rest.count >= byteCount else { throw FormatError(reason: "a number is cut") }
    defer { rest = rest.dropFirst(byteCount) }
    return rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
  }

  /// A column's value as text; nil when it is NULL.
  subscript(name: String) -> String? {
    guard let value = values.first(where: { $0.column.name == name }) else {
      return "no column \(name)"
    }
    return value.text
  }

  /// All columns on one line, texts in quotes, without the digest, which follows from the others.
  var description: String {
    values.filter { $0.column.name != "row_digest" }.map { value in
      let isText = value.column.type == .text || value.column.type == .json
      let text = isText ? value.bytes.map { "\"\(escaped($0))\"" } : value.text
      return "\(value.column.name)=\(text ?? "NULL")"
    }.joined(separator: " ")
  }
}

extension CopyRow.Value {
  /// The value in readable form; a length that is wrong for the type is visible.
  var text: String? {
    guard let bytes else { return nil }
    switch (column.type, bytes.count) {
    case (.text, _), (.json, _): return String(decoding: bytes, as: UTF8.self)
    case (.bytea, _), (.uuid, _): return hex(bytes)
    case (.boolean, 1) where bytes[0] < 2: return bytes[0] == 1 ? "true" : "false"
    case (.integer, 4): return "\(Int32(truncatingIfNeeded: number(bytes)))"
    case (.bigint, 8): return "\(number(bytes))"
    case (.timestamptz, 8): return time(number(bytes))
    default: return "? \(column.type) \(hex(bytes))"
    }
  }

  private func number(_ bytes: [UInt8]) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

  /// Microseconds since 2000 as RFC 3339.
  private func time(_ microseconds: Int64) -> String {
    let milliseconds = microseconds / 1000
    guard milliseconds * 1000 == microseconds, microseconds >= 0 else { return "? \(microseconds)" }
    let seconds = Date(timeIntervalSince1970: Double(milliseconds / 1000 + 946_684_800))
    let text = seconds.formatted(.iso8601)
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return "\(text.dropLast()).\(fraction)Z"
  }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String(UInt16(0x100) + UInt16($0), radix: 16).dropFirst() }.joined()
}

/// Bytes as one line of ASCII: other characters are written `\u{…}`, and bytes that are not UTF-8
/// `\x…`.
func escaped(_ bytes: [UInt8]) -> String {
  var output = ""
  var decoder = UTF8()
  var rest = bytes[...]
  while let first = rest.first {
    var iterator = rest.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else {
      output += "\\x" + hex([first])
      rest = rest.dropFirst()
      decoder = UTF8()
      continue
    }
    switch scalar {
    case "\\", "\"": output += "\\\(scalar)"
    case " "..."~": output.unicodeScalars.append(scalar)
    default: output += "\\u{\(String(scalar.value, radix: 16))}"
    }
    rest = rest.dropFirst(UTF8.width(scalar))
    decoder = UTF8()
  }
  return output
}
