/// A JSON value as written in the line, before normalization.
package struct RawValue {
  package enum Kind: UInt8, Sendable {
    // The order is that of gbi_json_kind.
    case null, `true`, `false`, number, string, array, object
  }

  /// The text of the value; for a string, the text between the quotes, with its escapes unresolved.
  package let text: ByteSlice
  package let kind: Kind
  /// True when the text holds a backslash.
  package let isEscaped: Bool

  /// True for `null` and `""`, which mean the same as an absent field.
  var isAbsent: Bool { kind == .null || (kind == .string && text.isEmpty) }

  /// The JSON type as messages name it.
  package var kindName: String {
    switch kind {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The JSON as written; for messages and rare paths only, because it allocates.
  var source: String { kind == .string ? "\"\(text.text)\"" : text.text }
}
