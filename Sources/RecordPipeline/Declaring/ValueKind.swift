/// A kind of value in the sense of docs/data-contract.md: its description, and the columns that store it.
protocol ValueKind: SendableMetatype {
  /// A short description for explanations.
  static var summary: String { get }
  /// A JSON value that is always valid, which explanations put in place of an invalid or missing
  /// one; nil when a line without the field is valid.
  static var sample: StaticString? { get }
  /// True when a line without the field is refused, whatever else it has.
  static var isMandatory: Bool { get }
  /// The columns of a field, in order and without names; empty for a value that is only checked.
  static var columns: [Column] { get }
  /// True for a field that may also stand beside the vendor's record, in the envelope of
  /// `--unwrap`.
  static var isInEnvelope: Bool { get }
  /// True for a value without a column that `extra` keeps as written.
  static var isKeptInExtra: Bool { get }
  /// True when a line without the field still gets a value in the column.
  static var hasDefault: Bool { get }
}

extension ValueKind {
  static var sample: StaticString? { nil }
  static var columns: [Column] { [Column(.text)] }
  static var isInEnvelope: Bool { false }
  static var isKeptInExtra: Bool { true }
  static var hasDefault: Bool { false }
  static var isMandatory: Bool { sample != nil }
}

/// A kind of value that is checked and written without reading other fields.
protocol IndependentKind: ValueKind {
  associatedtype Value: Equatable
  /// The value in the form that is compared and stored; nil when the value counts as absent.
  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> Value?
  /// Writes all columns.
  ///
  /// - Parameter value: nil when the field is absent; never nil when the kind is mandatory.
  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer)
}

extension IndependentKind where Value == KeptText {
  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.text(value)
  }
}
