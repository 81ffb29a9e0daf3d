/// A value for a `$n` of a statement, sent separately from the SQL text; nil is NULL.
package enum Parameter: Sendable {
  case text(String?)
  /// A `bytea`, or a value of another type in PostgreSQL's binary format.
  case bytes([UInt8]?)

  package static func integer(_ number: Int?) -> Parameter { .text(number.map { "\($0)" }) }

  package static func boolean(_ flag: Bool) -> Parameter { .text(flag ? "t" : "f") }

  /// A `bigint[]`.
  package static func integers(_ numbers: [Int?]) -> Parameter {
    array(of: numbers.map { number in number.map { "\($0)" } })
  }

  /// A `bytea[]`.
  package static func byteStrings(_ strings: [[UInt8]]) -> Parameter {
    texts(strings.map { "\\x" + $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() })
  }

  /// A `text[]`.
  package static func texts(_ texts: [String?]) -> Parameter {
    array(
      of: texts.map { text in
        text.map { text in
          // By bytes, because a quotation mark and a mark behind it are one character.
          let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
          var element = [quote]
          for byte in text.utf8 {
            if byte == quote || byte == escape { element.append(escape) }
            element.append(byte)
          }
          return String(decoding: element + [quote], as: UTF8.self)
        }
      })
  }

  private static func array(of elements: [String?]) -> Parameter {
    .text("{\(elements.map { $0 ?? "null" }.joined(separator: ","))}")
  }

  /// The bytes to send; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    // libpq reads text up to the first zero byte, and no PostgreSQL text has one, so zero bytes are
    // dropped.
    case .text(let text): text.map { $0.utf8.filter { $0 != 0 } + [0] }
    case .bytes(let bytes): bytes
    }
  }

  /// libpq's code of a binary value.
  var isBinary: Int32 {
    if case .bytes = self { 1 } else { 0 }
  }
}
