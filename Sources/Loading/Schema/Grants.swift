package import Postgres

/// Grants the five roles of a database their rights, by the statements of `sql/grants`.
///
/// A second run changes nothing. A run reverts rights that were given by hand to PUBLIC, the loader or the
/// eraser; the analyst and the monitor keep theirs, which `furtherRights()` tells.
package struct Grants {
  private let connection: Connection
  private let roles: DatabaseRoles
  private let keepsTemporary: Bool
  private let wait: LockWait

  /// - Parameters:
  ///   - keepsTemporary: true to leave PUBLIC the right to create temporary tables.
  ///   - wait: says for whom the grants wait.
  package init(
    _ roles: DatabaseRoles, keepsTemporary: Bool = false, connection: Connection,
    wait: LockWait = .silent
  ) {
    self.roles = roles
    self.keepsTemporary = keepsTemporary
    self.connection = connection
    self.wait = wait
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
  /// - Throws: `LoadError` when the session lacks a right, or when a role is missing, or has
  ///   attributes or memberships beyond its grants. Nothing is changed then.
  package func apply(createsRoles: Bool, retries: RetryPolicy = .patient) throws {
    let migrator = Migrator(connection: connection, wait: wait)
    do {
      try retries.throughContention(
        during: "granting", delayed: { _ in migrator.tellOfHolders() }
      ) {
        try connection.writingTransaction {
          try migrator.shortenWaits()
          try migrator.lock()
          if !createsRoles { try requireRoles() }
          try requireRights(createsRoles: createsRoles)
          for file in try sql(createsRoles: createsRoles) { try connection.execute(file) }
          try refuseFurtherRights()
        }
      }
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      throw LoadError(
        .configuration,
        "granting: \(error). Connect as a superuser, or as a role that owns the database and all "
          + "objects of the schemas. Nothing was changed", endsRun: true, code: .missingRight)
    }
  }

  /// Rights of the analyst and the monitor in the schemas that these grants did not give: an administrator
  /// did, and they stay.
  package func furtherRights() throws -> [String] {
    try connection.rows(
      of: String.self,
      """
      select format('%s: %s on %s', r.rolname, string_agg(a.privilege_type, ', ' order by a.privilege_type), o.name)
        from (
          select c.relacl as acl, c.oid::regclass::text as name,
              n.nspname = 'report' or n.nspname = 'game' and not c.relispartition
                and c.relname not in (select target_table from ingest.stream) as is_read
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
          union all
          select nspacl, 'schema ' || nspname, nspname in ('game', 'report') from pg_namespace
            where nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
        ) o
        cross join aclexplode(o.acl) a
        join pg_roles r on r.oid = a.grantee and r.rolname in ($1, $2)
        where not (o.is_read and a.privilege_type in ('SELECT', 'USAGE'))
        group by r.rolname, o.name
        order by 1
      """, [.text(roles.analyst), .text(roles.monitor)])
  }

  // MARK: - Implementation

  /// The file that creates roles.
  private static let roleFile = "10_roles"
  /// The file that revokes TEMPORARY from PUBLIC.
  private static let temporaryFile = "35_temporary"
  /// The file that gives the analyst role a schema.
  private static let schemaFile = "80_schema"

  private func sql(createsRoles: Bool) throws -> [String] {
    let left =
      (createsRoles ? [] : [Self.roleFile]) + (keepsTemporary ? [Self.temporaryFile] : [])
      + (roles.analystSchema == nil ? [Self.schemaFile] : [])
    return try EmbeddedSQL.grants.filter { !left.contains($0.name) }.map { try filled($0.text) }
  }

  /// A file with its placeholders replaced by the names of the roles.
  ///
  /// They are written as in psql: `:"owner"` for an identifier and `:'owner'` for a literal.
  private func filled(_ text: String) throws -> String {
    // Replaced in one pass, so that a role name is never taken for a placeholder.
    try text.replacing(/:(["'])([a-z]+)\1/) { place in
      let named =
        place.output.2 == "schema"
        ? roles.analystSchema : roles.named.first { $0.kind == place.output.2 }?.name
      guard let name = named else {
        throw LoadError(.defect, "sql/grants knows no role \(place.output.2)", endsRun: true)
      }
      return place.output.1 == "\""
        ? try connection.quotedIdentifier(name) : try connection.quotedLiteral(name)
    }
  }

  private func requireRoles() throws {
    for (_, name) in roles.named {
      let found = try connection.query("select from pg_roles where rolname = $1", [.text(name)])
      guard found.rowCount > 0 else {
        throw LoadError(
          .configuration,
          "there is no role \(name); create it, name the prefix of the roles with --roles, or add --create-roles",
          endsRun: true)
      }
    }
  }

  /// Throws when the session cannot grant, with the right that it lacks.
  ///
  /// A superuser can. So can the administrator of a managed service, who owns the database and the
  /// schemas and is a member of the owner; creating roles makes it one.
  ///
  /// - Throws: `LoadError` with exit code 78.
  package func requireRights(createsRoles: Bool) throws {
    let rights = try connection.onlyRow(
      of: SessionRights.self,
      """
      select current_user as role, current_database() as database,
          pg_get_userbyid(d.datdba) as database_owner, pg_has_role(d.datdba, 'usage') as owns_database,
          (select pg_get_userbyid(n.nspowner) from pg_namespace n
            where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
              and pg_get_userbyid(n.nspowner) <> $1 and not pg_has_role(n.nspowner, 'usage') limit 1)
            as other_owner,
          (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as creates_roles,
          (select count(*) from pg_roles where rolname = any (array[$1, $2, $3, $4, $5])) < 5 as lacks_roles,
          coalesce((select pg_has_role(oid, 'usage') from pg_roles where rolname = $1), true) as is_owner
        from pg_database d where d.datname = current_database()
      """, roles.named.map { .text($0.name) })
    let problem: String? =
      if !rights.ownsDatabase {
        "only the owner of the database \(rights.database), \(rights.databaseOwner), or a superuser "
          + "can grant rights on it. Connect as one of them"
      } else if let owner = rights.otherOwner {
        "the schemas belong to \(owner). Connect as a member of \(owner), or as a superuser"
      } else if createsRoles, rights.lacksRoles, !rights.createsRoles {
        "the role \(rights.role) may not create roles. Connect as a role with CREATEROLE, or as a superuser"
      } else if !createsRoles, !rights.isOwner {
        "the role \(rights.role) is no member of \(roles.owner). Add --create-roles, which makes it one, or "
          + "connect as a superuser"
      } else {
        nil
      }
    guard let problem else { return }
    throw LoadError(
      .configuration, "\(problem). Nothing was changed", endsRun: true, code: .missingRight)
  }

  private struct SessionRights: Decodable {
    let role: String
    let database: String
    let databaseOwner: String
    let ownsDatabase: Bool
    /// An owner of the schemas that the role is no member of.
    let otherOwner: String?
    let createsRoles: Bool
    let lacksRoles: Bool
    /// True also while there is no owner.
    let isOwner: Bool
  }

  private struct FurtherRight: Decodable {
    let role: String
    let reason: String
  }

  /// Throws when a role has attributes or memberships that give it more rights than these grants.
  private func refuseFurtherRights() throws {
    let further = try connection.row(
      of: FurtherRight.self,
      """
      select r.rolname as role, case when r.rolsuper then 'is a superuser'
          when more.oid is not null then 'is a member of ' || more.rolname
          when r.rolcreaterole then 'may make itself a member of others (CREATEROLE)'
          else 'may copy the whole server (REPLICATION)' end as reason
        from pg_roles r left join pg_roles more
          on not r.rolsuper and r.oid <> more.oid and pg_has_role(r.oid, more.oid, 'member')
            and (more.rolname = any (array[$1, $2, $3, $4, $5]) or more.rolname in
              ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files',
                'pg_write_server_files', 'pg_execute_server_program')
              or more.rolsuper or r.rolname <> $1 and (more.rolcreaterole or more.rolreplication))
        where r.rolname = any (array[$1, $2, $3, $4, $5]) and (r.rolsuper or more.oid is not null
          or r.rolname <> $1 and (r.rolcreaterole or r.rolreplication))
        order by 1, 2
      """, roles.named.map { .text($0.name) })
    guard let further else { return }
    throw LoadError(
      .configuration,
      "the role \(further.role) \(further.reason), which exceeds its grants; revoke that, or use another role. "
        + "Nothing was changed", endsRun: true)
  }
}

/// The names of the five roles of a database, which begin with the same words.
///
/// Roles belong to the whole server, so two databases of one server may need different names.
package struct DatabaseRoles: Sendable, Equatable {
  private let prefix: String
  /// The schema in which the analyst role may build tables; nil: none.
  package var analystSchema: String?

  package static let defaultPrefix = "gamebase"
  /// The most bytes of a name.
  private static let longestName = 63
  private static let longestPrefix = longestName - "_analyst".utf8.count

  package init(prefix: String = defaultPrefix) { self.prefix = prefix }

  /// Owns schemas and tables, and runs migrations.
  package var owner: String { "\(prefix)_owner" }
  /// Inserts rows.
  package var loader: String { "\(prefix)_loader" }
  /// Reads the views of `report`.
  package var analyst: String { "\(prefix)_analyst" }
  /// Erases users.
  package var eraser: String { "\(prefix)_eraser" }
  /// Reads the views of `report` that tell whether the reports can be trusted.
  package var monitor: String { "\(prefix)_monitor" }

  /// Each name, with the word that stands for it in `sql/grants`.
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
