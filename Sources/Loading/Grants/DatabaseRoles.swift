/// The four roles that a database is divided among, by their names.
///
/// Roles belong to the whole server, so two databases on one server may want other names.
package struct DatabaseRoles: Sendable, Equatable {
  /// Owns schemas and tables, and runs migrations.
  package var owner = "gamebase_owner"
  /// Adds rows.
  package var loader = "gamebase_loader"
  /// Reads the views of `report`.
  package var analyst = "gamebase_analyst"
  /// Erases users.
  package var eraser = "gamebase_eraser"

  package init() {}

  /// Each with the word that stands for it in `sql/grants`.
  var named: [(kind: String, name: String)] {
    [("owner", owner), ("loader", loader), ("analyst", analyst), ("eraser", eraser)]
  }

  /// What is wrong with the names; nil when nothing is.
  package var problem: String? {
    for (kind, name) in named {
      guard (1...63).contains(name.utf8.count) else {
        return "--\(kind) is a name of 1 to 63 bytes"
      }
      // PostgreSQL takes "public" for everybody even where it is quoted.
      if ["public", "none"].contains(name) || name.hasPrefix("pg_") {
        return "--\(kind) cannot be \(name): PostgreSQL keeps that name for itself"
      }
    }
    let isDistinct = Set(named.map(\.name)).count == named.count
    return isDistinct ? nil : "--owner, --loader, --analyst and --eraser are four roles, not one"
  }
}
