import Foundation
import Loading
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

  init() throws {
    database = try TestDatabase()
    folder = try TemporaryFolder()
    let number = UInt64.random(in: .min ... .max)
    roles = DatabaseRoles(prefix: "ingest_\(number)")
    passwordFile = try folder.write("pgpass", lines: ["*:*:*:*:\(number)"])
    chmod(passwordFile, 0o600)
    let connection = try database.connect()
    try Migrator(connection: connection).migrate()
    try Grants(roles, connection: connection).apply(createsRoles: true)
    // A password, for servers that ask for one.
    for role in names {
      try connection.execute("alter role \"\(role)\" password '\(number)'")
    }
  }

  deinit {
    database.drop()
    guard let server = try? TestServer.connect() else { return }
    for role in names { try? server.execute("drop role if exists \"\(role)\"") }
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
    _ paths: [String], options: LoadOptions = LoadFixture.options
  ) throws -> RunReport {
    LoadRun(options, target: try target(as: roles.loader))
      .load(try LoadFixture.inputs(paths))
  }

  /// Shows analysts a field without a column, in a view of the owner's, as docs/commands.md has it.
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
}
