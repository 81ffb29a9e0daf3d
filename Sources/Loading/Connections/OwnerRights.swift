package import Postgres

/// The rights of the role that owns the schemas, which some commands need.
package struct OwnerRights {
  private let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// Checks that the session's role has the rights of the owner; does so for a database without the
  /// schemas, too.
  ///
  /// Otherwise PostgreSQL would name the first function or table that the role may not use.
  ///
  /// - Parameter command: the command that needs the rights, for the message.
  /// - Throws: `LoadError` with exit code 78 when the role lacks them.
  package func require(for command: String) throws {
    let found = try connection.transaction {
      try connection.query(
        """
        select pg_catalog.pg_get_userbyid(nspowner), current_user from pg_catalog.pg_namespace
          where nspname = 'ingest' and not pg_catalog.pg_has_role(nspowner, 'usage')
        """)
    }
    guard found.rowCount > 0, let owner = found[0, 0], let role = found[0, 1] else { return }
    throw LoadError(
      .configuration,
      "\(command) needs the rights of the owner, \(owner), and the role \(role) lacks them. Connect "
        + "as a member of \(owner), or as a superuser", endsRun: true, code: .missingRight)
  }
}
