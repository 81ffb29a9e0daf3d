/// A kind of value, as docs/data-contract.md calls it: what explanations say of it, and the columns
/// that it needs.
///
/// The rule itself is the accessor of `DecodedLine` beside which a kind is declared.
protocol ValueKind: SendableMetatype {
  /// What the value is, in few words.
  static var summary: String { get }
  /// A JSON text that every line may hold there; nil for an optional field, which may be absent.
  static var sample: StaticString? { get }
  /// What the field's columns hold, in their order; none for a value that is checked, and kept in
  /// `extra` as it is written.
  static var columns: [Column.Content] { get }
  /// True when the vendor's record does not hold the field: it rides beside it.
  static var isCarried: Bool { get }
  /// True when the column has a value where the line has none.
  static var hasStandIn: Bool { get }
}

extension ValueKind {
  static var sample: StaticString? { nil }
  static var columns: [Column.Content] { [.init(.text)] }
  static var isCarried: Bool { false }
  static var hasStandIn: Bool { false }
  static var isMandatory: Bool { sample != nil }
  /// True when the column is NULL where the line has no value.
  static var isOptional: Bool { !isMandatory && !hasStandIn }
}

/// A kind that can be judged and written without a look at other fields.
protocol LoneKind: ValueKind {
  /// Writes the values of all its columns.
  static func write(_ field: Spellings, of line: inout DecodedLine, to row: inout RowBuffer)
    throws(Rejection)
}
