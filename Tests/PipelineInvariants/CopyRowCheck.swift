import RecordPipeline

/// Reads rows of binary COPY data and checks that each column may hold its value.
struct CopyRowCheck {
  let columns: [Column]
  let rules: NormalizationRules

  /// Facts about a row that has passed.
  struct Row {
    var lineNumber = 0
    /// The JSON of all columns.
    var extra: ArraySlice<UInt8> = []
  }

  /// Texts that are not identifiers and may be longer.
  private static let freeTexts: Set<String> = [
    "payload", "product_type_raw", "price_raw", "purchase_token", "message", "push_title",
    "push_body", "push_user_text",
  ]
  /// The length of an event's number that is a digest.
  private static let digestBytes = "sha256:".utf8.count + 64
  /// Microseconds from 2000-01-01 to 2100-01-01.
  private static let longestTime: Int64 = 36525 * 86_400_000_000

  func rows(_ bytes: [UInt8]) throws(Violation) -> [Row] {
    var rest = bytes[...]
    var rows: [Row] = []
    while !rest.isEmpty { rows.append(try row(&rest)) }
    return rows
  }

  private func row(_ rest: inout ArraySlice<UInt8>) throws(Violation) -> Row {
    let count = try number(&rest, byteCount: 2)
    try Violation.unless(count == columns.count, "\(count) fields for \(columns.count) columns")
    var row = Row()
    for column in columns {
      let length = Int32(truncatingIfNeeded: try number(&rest, byteCount: 4))
      if length == -1 { continue }
      try Violation.unless(length >= 0 && length <= rest.count, "\(column.name) is cut")
      let value = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      try check(value, of: column)
      if column.name == "line_number" { row.lineNumber = Int(integer(value)) }
      if column.type == .json { row.extra += value }
    }
    return row
  }

  private func check(_ value: ArraySlice<UInt8>, of column: Column) throws(Violation) {
    let isRight: Bool
    switch column.type {
    case .text:
      let limit =
        Self.freeTexts.contains(column.name)
        ? rules.limits.textBytes
        : column.name == "event_id"
          ? max(rules.limits.identifierBytes, Self.digestBytes) : rules.limits.identifierBytes
      isRight =
        value.count <= limit && !value.contains(0)
        && String(validating: value, as: UTF8.self) != nil
    case .json:
      isRight =
        !value.contains(0)
        && (column.name == "extra"
          ? JSONOracle.isStorableObject(value) : JSONOracle.isStorable(value))
    case .boolean: isRight = value.count == 1 && value.allSatisfy { $0 < 2 }
    case .integer: isRight = value.count == 4
    case .bigint: isRight = value.count == 8
    case .bytea: isRight = value.count == 32
    case .uuid: isRight = value.count == 16
    case .timestamptz:
      let time = integer(value)
      // PostgreSQL represents its infinities as the smallest and the largest number.
      isRight = value.count == 8 && time % 1000 == 0 && (0...Self.longestTime).contains(time)
    }
    try Violation.unless(isRight, "column \(column.name) holds \(Array(value))")
  }

  private func integer(_ value: ArraySlice<UInt8>) -> Int64 {
    value.reduce(0) { $0 << 8 | Int64($1) }
  }

  private func number(
    _ rest: inout ArraySlice<UInt8>, byteCount: Int
  ) throws(Violation) -> Int64 {
    try Violation.unless(rest.count >= byteCount, "a number is cut")
    defer { rest = rest.dropFirst(byteCount) }
    return integer(rest.prefix(byteCount))
  }
}
