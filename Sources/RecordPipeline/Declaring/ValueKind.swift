/// A kind of value, as docs/data-contract.md calls it: what explanations say of it, and the columns
/// that it needs.
protocol ValueKind: SendableMetatype {
  /// What the value is, in few words.
  static var summary: String { get }
  /// A JSON text that every line may hold there; nil for an optional field, which may be absent.
  static var sample: StaticString? { get }
  /// What the field's columns hold, in their order, without their names; none for a value that is
  /// checked, and kept in `extra` as it is written.
  static var columns: [Column] { get }
  /// True when the vendor's record does not hold the field: it rides beside it.
  static var isInEnvelope: Bool { get }
  /// True when the column has a value where the line has none.
  static var hasDefault: Bool { get }
}

extension ValueKind {
  static var sample: StaticString? { nil }
  static var columns: [Column] { [Column(.text)] }
  static var isInEnvelope: Bool { false }
  static var hasDefault: Bool { false }
  static var isMandatory: Bool { sample != nil }
}

/// A kind that is judged and written without a look at other fields.
protocol IndependentKind: ValueKind {
  associatedtype Value: Equatable
  /// The value in the form that is compared and stored; nil: the field counts as absent.
  static func normalize(
    _ line: inout DecodedLine, _ raw: RawValue
  ) throws(ValueProblem) -> Value?
  /// Writes all columns.
  ///
  /// - Parameter value: nil: the field is absent; never nil when the kind is mandatory.
  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer)
}

extension IndependentKind where Value == ByteSlice {
  static func write(_ value: Value?, of line: inout DecodedLine, to row: inout RowBuffer) {
    row.text(value)
  }
}
