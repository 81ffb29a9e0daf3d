/// The names of the five roles of a database.
///
/// Roles belong to the whole server, so two databases of one server may need different names.
package struct DatabaseRoles: Sendable, Equatable {
  /// Owns schemas and tables, and runs migrations.
  package var owner = "gamebase_owner"
  /// Inserts rows.
  package var loader = "gamebase_loader"
  /// Reads the views of `report`.
  package var analyst = "gamebase_analyst"
  /// Erases users.
  package var eraser = "gamebase_eraser"
  /// Reads the views of `report` that tell whether the reports can be trusted.
  package var monitor = "gamebase_monitor"
  /// The schema in which the analyst role may build tables; nil: none.
  package var analystSchema: String?

  package init() {}

  /// Each name, with the word that stands for it in `sql/grants` and in the command's options.
  var named: [(kind: String, name: String)] {
    [
      ("owner", owner), ("loader", loader), ("analyst", analyst), ("eraser", eraser),
      ("monitor", monitor),
    ]
  }

  /// The schemas that the analyst role cannot write in.
  private static let closedSchemas: Set = [
    "game", "ingest", "report", "rollup", "staging", "public", "information_schema",
  ]

  /// The first problem with the names; nil: the names are valid.
  package var problem: String? {
    if let schema = analystSchema {
      guard (1...63).contains(schema.utf8.count), !schema.utf8.contains(0) else {
        return "--analyst-schema is a name of 1 to 63 bytes"
      }
      if Self.closedSchemas.contains(schema) || schema.hasPrefix("pg_") {
        return
          "--analyst-schema cannot be \(printable(schema)): analysts write in a schema of their own"
      }
    }
    for (kind, name) in named {
      guard (1...63).contains(name.utf8.count) else {
        return "--\(kind) is a name of 1 to 63 bytes"
      }
      // PostgreSQL reads even a quoted "public" as all roles.
      if ["public", "none"].contains(name) || name.hasPrefix("pg_") {
        return "--\(kind) cannot be \(name): PostgreSQL reserves that name"
      }
    }
    let isDistinct = Set(named.map(\.name)).count == named.count
    return isDistinct
      ? nil
      : "--owner, --loader, --analyst, --eraser and --monitor must name five different roles"
  }
}
