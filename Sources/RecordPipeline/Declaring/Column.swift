/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types of columns, named as PostgreSQL prints them.
  package enum ColumnType: String, Sendable {
    case text, bigint, integer, boolean, bytea, json, uuid
    case timestamptz = "timestamp with time zone"
  }

  /// How the merge uses a column when the key of the row is already stored.
  ///
  /// The role of a key column has no meaning.
  package enum Role: Sendable {
    /// A value that differs from the stored one makes the row a conflict. A later line can fill a
    /// stored NULL.
    case compared
    /// As `compared`, but an empty text counts as NULL.
    case comparedUnlessEmpty
    /// As `compared`, for a column with a credential: conflicts record only its presence, and the
    /// loader role cannot read it.
    case secret
    /// Describes how the line wrote the preceding compared column; a fill sets both from one line.
    case follower
    /// Describes the line that brought the row; neither compared nor filled.
    case remark
  }

  package private(set) var name: String
  package let type: ColumnType
  package let role: Role
  /// True when the column may hold a player's text or a credential.
  ///
  /// Its statistics target is 0, so that ANALYZE copies no value into `pg_statistic`.
  package let isPrivate: Bool
  /// True for a key column that may be NULL; two NULLs are equal as keys.
  package internal(set) var isOptionalKey = false

  init(_ type: ColumnType, _ role: Role = .compared, isPrivate: Bool = false) {
    self.init("", type, role, isPrivate: isPrivate)
  }

  init(_ name: String, _ type: ColumnType, _ role: Role = .compared, isPrivate: Bool = false) {
    self.name = name
    self.type = type
    self.role = role
    self.isPrivate = isPrivate
  }

  /// A copy with a name.
  ///
  /// A kind of value declares its columns without names; a field adds them.
  func named(_ name: String) -> Column {
    var column = self
    column.name = name
    return column
  }
}

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
