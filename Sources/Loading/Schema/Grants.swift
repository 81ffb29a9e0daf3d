package import Postgres

/// Grants the five roles of a database their rights, by the statements of `sql/grants`.
///
/// A second run changes nothing. A run reverts rights that were given by hand to PUBLIC, the loader or the
/// eraser; the analyst and the monitor keep theirs.
package struct Grants {
  private let connection: Connection
  private let roles: DatabaseRoles
  private let keepsTemporary: Bool

  /// - Parameter keepsTemporary: true to leave PUBLIC the right to create temporary tables.
  package init(
    _ roles: DatabaseRoles, keepsTemporary: Bool = false, connection: Connection
  ) {
    (self.roles, self.keepsTemporary, self.connection) = (roles, keepsTemporary, connection)
  }

  /// All statements as one transaction, for review or for psql.
  ///
  /// - Parameter createsRoles: true to include the statements that create missing roles.
  package func statements(createsRoles: Bool) throws -> String {
    let texts = try files(createsRoles: createsRoles).map(\.text)
    return (["begin;"] + texts + ["commit;"]).joined(separator: "\n")
  }

  /// Runs the statements in one transaction, and retries it after contention.
  ///
  /// Contention is likely in the first run, which changes the owner of every table.
  ///
  /// - Returns: a line for each right of the analyst and the monitor that an administrator gave.
  /// - Throws: `LoadError` or a `PostgresError` of class GI when the session lacks a right, the database is
  ///   not at this program's schema, or a role is missing, or has attributes or memberships beyond its
  ///   grants. Nothing is changed then.
  @discardableResult
  package func apply(createsRoles: Bool) throws -> [String] {
    let files = try files(createsRoles: createsRoles)
    let migrator = Migrator(connection: connection)
    do {
      return try migrator.changing(during: "granting") {
        for file in files {
          try connection.execute(file.text)
          // A role without rights on the database cannot read the schema's version.
          if file.name == "05_rights" { try migrator.requireCurrentInTransaction() }
        }
        return connection.takeNotes()
      }
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      throw LoadError(
        .missingRight,
        "granting: \(error). Connect as a superuser, or as a role that owns the database and all "
          + "objects of the schemas. Nothing was changed")
    }
  }

  // MARK: - Implementation

  /// The files to run, with the names of the roles.
  private func files(createsRoles: Bool) throws -> [SQLFile] {
    let wanted = EmbeddedSQL.grants.filter {
      switch $0.name {
      case "10_roles": createsRoles
      case "35_temporary": !keepsTemporary
      case "80_schema": roles.analystSchema != nil
      default: true
      }
    }
    return try wanted.map {
      SQLFile(name: $0.name, text: try $0.filled(with: roles.names, on: connection))
    }
  }
}

/// The names of the five roles of a database, which begin with the same words.
///
/// Roles belong to the whole server, so two databases of one server may need different names.
package struct DatabaseRoles: Sendable, Equatable {
  private let prefix: String
  /// The schema in which the analyst role may build tables; nil: none.
  package let analystSchema: String?

  package static let defaultPrefix = "gamebase"
  /// The most bytes of a name.
  private static let longestName = 63
  private static let longestPrefix = longestName - "_analyst".utf8.count

  package init(prefix: String, analystSchema: String? = nil) {
    (self.prefix, self.analystSchema) = (prefix, analystSchema)
  }

  /// Owns schemas and tables, and runs migrations.
  package var owner: String { name(of: "owner") }
  /// Inserts rows.
  package var loader: String { name(of: "loader") }
  /// Reads the views of `report`.
  package var analyst: String { name(of: "analyst") }
  /// Erases users.
  package var eraser: String { name(of: "eraser") }
  /// Reads the views of `report` that tell whether the reports can be trusted.
  package var monitor: String { name(of: "monitor") }

  func name(of kind: String) -> String { "\(prefix)_\(kind)" }

  /// The names by the words that stand for them in `sql/grants`.
  var names: [String: String] {
    [
      "owner": owner, "loader": loader, "analyst": analyst, "eraser": eraser, "monitor": monitor,
      "schema": analystSchema ?? "",
    ]
  }

  /// The schemas that the analyst role cannot write in.
  private static let closedSchemas: Set = [
    "game", "ingest", "report", "rollup", "staging", "public", "information_schema",
  ]

  /// The first problem with the names; nil: the names are valid.
  package var problem: String? {
    if let schema = analystSchema {
      guard (1...Self.longestName).contains(schema.utf8.count), !schema.utf8.contains(0) else {
        return "--analyst-schema is a name of 1 to \(Self.longestName) bytes"
      }
      if Self.closedSchemas.contains(schema) || schema.hasPrefix("pg_") {
        return
          "--analyst-schema cannot be \(printable(schema)): analysts write in a schema of their own"
      }
    }
    guard (1...Self.longestPrefix).contains(prefix.utf8.count) else {
      return "--roles is the beginning of five names, of 1 to \(Self.longestPrefix) bytes"
    }
    return owner.hasPrefix("pg_")
      ? "--roles cannot be \(printable(prefix)): PostgreSQL reserves names that begin with pg_"
      : nil
  }
}
