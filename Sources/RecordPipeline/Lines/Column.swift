/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types of columns, by their names in SQL, with the OIDs that they have in every PostgreSQL.
  ///
  /// - Source: PostgreSQL 15, `pg_type.dat`.
  package enum ColumnType: Int32, Sendable {
    case boolean = 16, bytea = 17, bigint = 20, integer = 23, text = 25, json = 114
    case timestamptz = 1184, uuid = 2950
  }

  /// How the merge uses a column, other than a key column, when the key of the row is already stored.
  package enum Role: Sendable {
    /// A value that differs from the stored one makes the row a conflict; one fills a stored NULL.
    case compared
    /// As `compared`, but an empty text counts as NULL.
    case comparedUnlessEmpty
    /// As `compared`, for a credential: conflicts record only its presence, and the loader role cannot read it.
    case secret
    /// Describes how the line wrote the preceding compared column; a fill sets both from one line.
    case follower
    /// Describes the line that brought the row; neither compared nor filled.
    case remark
  }

  /// A field's kind does not know it; the stream sets it.
  package internal(set) var name: String
  package let type: ColumnType
  package let role: Role
  /// True when the column may hold a player's text or a credential: ANALYZE copies no value of it into
  /// `pg_statistic`.
  package let isPrivate: Bool
  /// True for a key column that may be NULL; two NULLs are equal as keys.
  package internal(set) var isOptionalKey = false

  init(_ type: ColumnType, _ role: Role = .compared, isPrivate: Bool = false, name: String = "") {
    self.name = name
    self.type = type
    self.role = role
    self.isPrivate = isPrivate
  }
}
