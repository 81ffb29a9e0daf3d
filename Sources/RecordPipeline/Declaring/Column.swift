/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types that rows are written in, named as PostgreSQL prints them.
  package enum ColumnType: String, Sendable {
    case text, bigint, integer, boolean, bytea, json, uuid
    case timestamptz = "timestamp with time zone"
  }

  /// The merge's use of a column when the key of its row is stored already; key columns have no role.
  package enum Role: Sendable {
    /// Tells a duplicate from a conflict; where it is NULL, a later line fills it.
    case compared
    /// As `compared`, and the empty text stands for NULL.
    case comparedUnlessEmpty
    /// As `compared`; only the merge reads it.
    case secret
    /// Tells how the column before it was written, and comes with it from the line that fills that.
    case follower
    /// Describes the line that brought the row; neither compared nor filled.
    case remark
  }

  package private(set) var name: String
  package let type: ColumnType
  package let role: Role
  /// True when it may hold what a player wrote, or a credential: the server must sample none of it.
  package let isPrivate: Bool
  /// True for a key column that may be NULL; two rows without it have the same key, if the other
  /// columns agree.
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

  /// The same column under a name: kinds of values describe columns without one.
  func named(_ name: String) -> Column {
    var column = self
    column.name = name
    return column
  }
}
