import Foundation
import Loading
import Logging
import Postgres
import RecordPipeline
import TestSupport
import Testing

/// A database with its own five roles; each fixture creates new ones, because roles belong to the
/// whole server.
final class RoleFixture {
  let database: TestDatabase
  let folder: TemporaryFolder
  let roles: DatabaseRoles
  private let passwordFile: String

  /// - Parameter suffix: appended to the prefix of the role names.
  init(suffix: String = "") throws {
    database = try TestDatabase()
    folder = try TemporaryFolder()
    let number = UInt64.random(in: .min ... .max)
    roles = DatabaseRoles(prefix: "ingest_\(number)\(suffix)")
    passwordFile = try folder.write("pgpass", lines: ["*:*:*:*:\(number)"])
    chmod(passwordFile, 0o600)
    let connection = try database.connect()
    try Migrator(connection: connection).migrate()
    try Grants(roles, connection: connection).apply(createsRoles: true)
    // A password, for servers that ask for one.
    for role in names {
      try connection.execute(
        "alter role \(try connection.quotedIdentifier(role)) password '\(number)'")
    }
  }

  deinit {
    database.drop()
    guard let server = try? TestServer.connect() else { return }
    for role in names {
      guard let name = try? server.quotedIdentifier(role) else { continue }
      try? server.execute("drop role if exists \(name)")
    }
  }

  var names: [String] {
    [roles.owner, roles.loader, roles.analyst, roles.eraser, roles.monitor]
  }

  func apply(createsRoles: Bool = false) throws {
    try Grants(roles, connection: database.connect()).apply(createsRoles: createsRoles)
  }

  /// The database with a role as the login.
  func target(as role: String) throws -> ConnectionTarget {
    let quoted = role.replacing("\\", with: #"\\"#).replacing("'", with: #"\'"#)
    var conninfo = TestServer.with("user", "'\(quoted)'", in: database.conninfo)
    conninfo = TestServer.with("passfile", passwordFile, in: conninfo)
    return try ConnectionTarget(conninfo: conninfo)
  }

  func connect(as role: String) throws -> Connection {
    try Connection(target(as: role), applicationName: "test")
  }

  /// Loads files as the loader.
  func load(
    _ paths: [String], options: LoadOptions = LoadFixture.options,
    logger: Logger = LoadFixture.quiet
  ) throws -> RunReport {
    LoadRun(options, target: try target(as: roles.loader), logger: logger)
      .load(try LoadFixture.inputs(paths))
  }

  /// Expects that each statement fails with a missing right and no other error.
  func expectForbidden(
    _ statements: [String], to role: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let connection = try connect(as: role)
    let wrong = statements.compactMap { statement -> String? in
      do {
        defer { connection.rollback() }
        try connection.execute("begin read write")
        try connection.execute(statement)
        return "allowed: \(statement)"
      } catch let error as PostgresError {
        return error.sqlState?.rawValue == "42501" ? nil : "\(error): \(statement)"
      } catch {
        return "\(error): \(statement)"
      }
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }

  /// Shows analysts a field without a column, in a view of the owner's, as docs/runbook.md has it.
  func showVariants(as owner: Connection) throws {
    try owner.execute(
      """
      create schema fields;
      create view fields.receipt_variant as
      select payment_seq, extra ->> 'variant' as variant from game.receipt where extra ->> 'variant' is not null;
      grant usage on schema fields to \(roles.analyst);
      grant select on fields.receipt_variant to \(roles.analyst);
      """)
  }

  /// One statement for each table and view of the schemas; `$` stands for its name.
  ///
  /// - Parameter condition: on `pg_class c`.
  func forEachTable(
    in schemas: [String], where condition: String = "true", _ statement: String
  ) throws -> [String] {
    let list = schemas.map { "'\($0)'" }.joined(separator: ", ")
    return try database.rows(
      """
      select format('%I.%I', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in (\(list)) and c.relkind in ('r', 'p', 'v') and (\(condition)) order by 1
      """
    ).compactMap { $0[0] }.map { statement.replacing("$", with: $0) }
  }

  /// All rights on the objects of the database, default privileges included.
  func rights() throws -> [[String?]] {
    try database.rows(
      """
      select 'relation', c.oid::regclass::text, c.relowner::regrole::text, array(select unnest(c.relacl)::text order by 1)::text
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
      union all
      select 'column', a.attrelid::regclass || '.' || a.attname, null, array(select unnest(a.attacl)::text order by 1)::text
        from pg_attribute a where a.attacl is not null
      union all
      select 'function', p.oid::regprocedure::text, p.proowner::regrole::text, array(select unnest(p.proacl)::text order by 1)::text
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
      union all
      select 'schema', nspname, nspowner::regrole::text, array(select unnest(nspacl)::text order by 1)::text from pg_namespace
        where nspname in ('game', 'ingest', 'report', 'rollup', 'staging', 'public')
      union all
      select 'database', '', null, array(select unnest(datacl)::text order by 1)::text from pg_database where datname = current_database()
      union all
      select 'default', coalesce(defaclnamespace::regnamespace::text, ''), defaclobjtype::text,
        array(select unnest(defaclacl)::text order by 1)::text from pg_default_acl
      order by 1, 2, 3
      """)
  }
}
