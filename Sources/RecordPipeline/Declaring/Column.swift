/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types of columns, named as PostgreSQL prints them.
  package enum ColumnType: String, Sendable {
    case text, bigint, integer, boolean, bytea, json, uuid
    case timestamptz = "timestamp with time zone"
  }

  /// How the merge uses a column when the key of the row is already stored; key columns have no role.
  package enum Role: Sendable {
    /// A difference makes the row a conflict, not a duplicate; a stored NULL is filled from a later line.
    case compared
    /// As `compared`, with the empty text as NULL.
    case comparedUnlessEmpty
    /// As `compared`, for a column that only the merge reads.
    case secret
    /// Describes how the line wrote the column before it, and is filled together with that column.
    case follower
    /// Describes the line of the row; neither compared nor filled.
    case remark
  }

  package private(set) var name: String
  package let type: ColumnType
  package let role: Role
  /// True when the column may hold a player's text or a credential; the server must not sample its values.
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

  /// The column with a name; kinds of values describe columns without one.
  func named(_ name: String) -> Column {
    var column = self
    column.name = name
    return column
  }
}
