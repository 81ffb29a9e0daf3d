internal import Postgres

extension Connection {
  /// Checks that the session's role has the rights of the owner; does so for a database without the
  /// schemas, too.
  ///
  /// Otherwise PostgreSQL would name the first function or table that the role may not use.
  ///
  /// - Parameter command: the command that needs the rights, for the message.
  /// - Throws: `LoadError` with exit code 78 when the role lacks them.
  package func requireOwner(for command: String) throws {
    let lack = try transaction {
      try row(
        of: String.self,
        """
        select pg_catalog.format('%1$s needs the rights of the owner, %2$s, and the role %3$s lacks them. Connect as a '
            'member of %2$s, or as a superuser', $1::text, pg_catalog.pg_get_userbyid(nspowner), current_user)
          from pg_catalog.pg_namespace
          where nspname = 'ingest' and not pg_catalog.pg_has_role(nspowner, 'usage')
        """, [.text(command)])
    }
    if let lack { throw LoadError(.missingRight, lack) }
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

  func becomeOwner() throws { try execute(Self.becomingOwner) }

  /// True if a table of the facts is spread over the servers of a cluster.
  func isDistributed() throws -> Bool {
    try onlyRow(
      of: Bool.self,
      "select coalesce(bool_or(ingest.is_distributed(stream)), false) from ingest.stream")
  }
}
