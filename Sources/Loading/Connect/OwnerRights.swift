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
    let lacking = try connection.transaction {
      try connection.row(
        of: LackingRole.self,
        """
        select pg_catalog.pg_get_userbyid(nspowner) as owner, current_user as role
          from pg_catalog.pg_namespace
          where nspname = 'ingest' and not pg_catalog.pg_has_role(nspowner, 'usage')
        """)
    }
    guard let lacking else { return }
    throw LoadError(
      .configuration,
      "\(command) needs the rights of the owner, \(lacking.owner), and the role \(lacking.role) lacks "
        + "them. Connect as a member of \(lacking.owner), or as a superuser", endsRun: true,
      code: .missingRight)
  }

  /// Switches to the role of the schema's owner for the rest of the transaction, if the caller is a
  /// member of it.
  ///
  /// Objects that a migration creates then belong to the owner, and the owner's default privileges
  /// apply to them.
  static let becomingOwner = """
    select pg_catalog.set_config('role', pg_catalog.pg_get_userbyid(nspowner), true)
      from pg_catalog.pg_namespace
      where nspname = 'ingest' and pg_catalog.pg_get_userbyid(nspowner) <> current_user
        and pg_catalog.pg_has_role(nspowner, 'member')
    """

  private struct LackingRole: Decodable {
    let owner: String
    let role: String
  }
}

extension Connection {
  /// Switches to the role of the owner for the rest of the transaction, if the caller is a member of
  /// it.
  func becomeOwner() throws { try execute(OwnerRights.becomingOwner) }

  /// True if a table of the facts is spread over the servers of a cluster.
  func isDistributed() throws -> Bool {
    try onlyRow(
      of: Bool.self,
      "select coalesce(bool_or(ingest.is_distributed(stream)), false) from ingest.stream")
  }
}
