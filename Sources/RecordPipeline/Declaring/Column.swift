/// A column of a stream's tables.
package struct Column: Sendable, Equatable {
  /// The types that rows are written in, named as PostgreSQL prints them.
  package enum ColumnType: String, Sendable {
    case text, bigint, integer, boolean, bytea, json, uuid
    case timestamptz = "timestamp with time zone"
  }

  /// What a column is for when a line's key is stored already; of no weight for key columns.
  package enum Role: Sendable {
    /// Tells a duplicate from a conflict; where it is NULL, a later line fills it.
    case compared
    /// As `compared`, and the empty text stands for NULL.
    case comparedUnlessEmpty
    /// As `compared`, and nobody reads it but the merge.
    case secret
    /// Comes from the line that fills the column before it: how that was written belongs to it.
    case follower
    /// Says something of the line that brought the row.
    case remark
  }

  /// What a column holds, apart from its name.
  struct Content: Sendable, Equatable {
    let type: ColumnType
    let role: Role
    let isPrivate: Bool

    init(_ type: ColumnType, _ role: Role = .compared, isPrivate: Bool = false) {
      self.type = type
      self.role = role
      self.isPrivate = isPrivate
    }
  }

  package let name: String
  private let content: Content
  /// True for a key column that may be NULL; two rows without it have the same key, if the other
  /// columns agree.
  package internal(set) var isOptionalKey = false

  package var type: ColumnType { content.type }
  package var role: Role { content.role }
  /// True when it may hold what a player wrote, or a credential: the server must sample none of it.
  package var isPrivate: Bool { content.isPrivate }

  init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  init(_ name: String, _ type: ColumnType, _ role: Role = .compared) {
    self.init(name, Content(type, role))
  }
}
