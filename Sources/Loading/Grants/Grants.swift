package import Postgres

/// Grants the four roles of a database their rights, by the statements of `sql/grants`.
///
/// A second run changes nothing, but a run reverts grants and revokes that were made by hand.
package struct Grants {
  private let connection: Connection
  private let roles: DatabaseRoles

  package init(_ roles: DatabaseRoles, connection: Connection) {
    self.roles = roles
    self.connection = connection
  }

  /// All statements as one transaction, for review or for psql.
  ///
  /// - Parameter createsRoles: true to include the statements that create missing roles.
  package func statements(createsRoles: Bool) throws -> String {
    let files = try sql(createsRoles: createsRoles)
    return (["begin;"] + files + ["commit;"]).joined(separator: "\n")
  }

  /// Runs the statements in one transaction, and retries it after contention.
  ///
  /// Contention is likely in the first run, which changes the owner of every table.
  ///
  /// - Throws: `LoadError` when a role is missing, or has attributes or memberships beyond its
  ///   grants. Nothing is changed then.
  package func apply(createsRoles: Bool, retries: RetryPolicy = .patient) throws {
    try retries.throughContention(during: "granting") {
      try connection.writingTransaction {
        try Migrator(connection: connection).shortenWaits()
        try Migrator(connection: connection).lock()
        if !createsRoles { try requireRoles() }
        for file in try sql(createsRoles: createsRoles) { try connection.execute(file) }
        try refuseFurtherRights()
      }
    }
  }

  // MARK: - Implementation

  /// The file that creates roles.
  private static let roleFile = "10_roles"

  private func sql(createsRoles: Bool) throws -> [String] {
    try EmbeddedSQL.grants.filter { createsRoles || $0.name != Self.roleFile }
      .map { try filled($0.text) }
  }

  /// A file with its placeholders replaced by the names of the roles.
  ///
  /// They are written as in psql: `:"owner"` for an identifier and `:'owner'` for a literal.
  private func filled(_ text: String) throws -> String {
    // Replaced in one pass, so that a role name is never taken for a placeholder.
    try text.replacing(/:(["'])([a-z]+)\1/) { place in
      guard let name = roles.named.first(where: { $0.kind == place.output.2 })?.name else {
        throw LoadError(.defect, "sql/grants knows no role \(place.output.2)", endsRun: true)
      }
      return place.output.1 == "\""
        ? try connection.quotedIdentifier(name) : try connection.quotedLiteral(name)
    }
  }

  private func requireRoles() throws {
    for (kind, name) in roles.named {
      let found = try connection.query("select from pg_roles where rolname = $1", [.text(name)])
      guard found.rowCount > 0 else {
        throw LoadError(
          .configuration,
          "there is no role \(name); create it, name another with --\(kind), or add --create-roles",
          endsRun: true)
      }
    }
  }

  /// Throws when a role has attributes or memberships that give it more rights than these grants.
  private func refuseFurtherRights() throws {
    let found = try connection.query(
      """
      select r.rolname, case when r.rolsuper then 'is a superuser'
          when more.oid is not null then 'is a member of ' || more.rolname
          when r.rolcreaterole then 'may make itself a member of others (CREATEROLE)'
          else 'may copy the whole server (REPLICATION)' end
        from pg_roles r left join pg_roles more
          on not r.rolsuper and r.oid <> more.oid and pg_has_role(r.oid, more.oid, 'member')
            and (more.rolname = any (array[$1, $2, $3, $4]) or more.rolname in
              ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files',
                'pg_write_server_files', 'pg_execute_server_program')
              or more.rolsuper or r.rolname <> $1 and (more.rolcreaterole or more.rolreplication))
        where r.rolname = any (array[$1, $2, $3, $4]) and (r.rolsuper or more.oid is not null
          or r.rolname <> $1 and (r.rolcreaterole or r.rolreplication))
        order by 1, 2
      """, roles.named.map { .text($0.name) })
    guard found.rowCount > 0, let name = found[0, 0], let reason = found[0, 1] else { return }
    throw LoadError(
      .configuration,
      "the role \(name) \(reason), which exceeds its grants; revoke that, or use another role. "
        + "Nothing was changed", endsRun: true)
  }
}
