/// A value for a `$n` of a statement, sent separately from the SQL text.
package enum Parameter: Sendable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  /// A `bytea`.
  case bytes([UInt8])
  case null

  /// A `bigint[]`; nil is NULL.
  package static func integers(_ numbers: [Int?]) -> Parameter {
    array(of: numbers.map { number in number.map { String($0) } })
  }
  /// A `bytea[]`.
  package static func byteStrings(_ strings: [[UInt8]]) -> Parameter {
    array(
      of: strings.map { bytes in
        #""\\x\#(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())""#
      })
  }
  /// A `text[]`; nil is NULL.
  package static func texts(_ texts: [String?]) -> Parameter {
    array(
      of: texts.map { text in
        text.map { text in
          // By scalars, because a quotation mark and a mark behind it are one character.
          var element = "\""
          for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "\"" { element += "\\" }
            element.unicodeScalars.append(scalar)
          }
          return element + "\""
        }
      })
  }
  private static func array(of elements: [String?]) -> Parameter {
    .text("{\(elements.map { $0 ?? "null" }.joined(separator: ","))}")
  }
  package static func optional(_ text: String?) -> Parameter { text.map { .text($0) } ?? .null }
  package static func optional(_ number: Int?) -> Parameter {
    number.map { .integer($0) } ?? .null
  }

  /// The bytes to send and libpq's format code (0 text, 1 binary); nil for NULL.
  fileprivate var encoded: (bytes: [UInt8], format: Int32)? {
    switch self {
    // libpq reads text up to the first zero byte, and no PostgreSQL text has one, so zero bytes are
    // dropped.
    case .text(let text): (Array(text.utf8.filter { $0 != 0 }) + [0], 0)
    case .integer(let number): (Array(String(number).utf8) + [0], 0)
    case .boolean(let flag): (Array((flag ? "t" : "f").utf8) + [0], 0)
    case .bytes(let bytes): (bytes, 1)
    case .null: nil
    }
  }
}

/// Passes the parameters to `body` in libpq's layout; the pointers are valid only during the call.
func withParameters<Value>(
  _ parameters: [Parameter],
  _ body: (
    _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
    _ formats: UnsafePointer<Int32>?
  ) -> Value
) -> Value {
  let encoded = parameters.map(\.encoded)
  let lengths = encoded.map { Int32($0?.bytes.count ?? 0) }
  let formats = encoded.map { $0?.format ?? 0 }
  // One block for all values, so that all pointers into it stay valid together.
  let offsets = encoded.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1?.bytes.count ?? 0)) }
  let block = encoded.compactMap(\.self).flatMap(\.bytes) + [0]
  return block.withUnsafeBytes { block in
    let values: [UnsafePointer<CChar>?] = encoded.indices.map { index in
      guard encoded[index] != nil, let base = block.baseAddress else { return nil }
      return (base + offsets[index]).assumingMemoryBound(to: CChar.self)
    }
    return body(values, lengths, formats)
  }
}
