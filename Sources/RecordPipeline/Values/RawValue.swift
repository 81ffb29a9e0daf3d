/// One JSON value of a line as it is written there, not yet given a meaning.
package struct RawValue {
  package enum Kind: UInt8, Sendable {
    // The order is that of gbi_json_kind.
    case null, `true`, `false`, number, string, array, object
  }

  /// Strings: between the quotes, escapes not resolved.
  ///
  /// Everything else: the whole text.
  package let text: ByteSlice
  package let kind: Kind
  /// True when the text holds a backslash.
  package let isEscaped: Bool

  /// `null` and `""` are the same as an absent field.
  var isAbsent: Bool { kind == .null || (kind == .string && text.isEmpty) }

  /// How messages call the type.
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

  /// The JSON as written; for messages and rare paths only.
  var source: String { kind == .string ? "\"\(text.text)\"" : text.text }
}
