import Foundation
import Loading
import Postgres
import TestSupport
import Testing

/// `grant`: the resulting rights and the refusals.
@Suite(.serialized, .needsServer) struct GrantTests {
  let fixture: RoleFixture

  init() throws { fixture = try RoleFixture() }

  @Test func `a repeated grant changes nothing and reverts rights changed by hand`() throws {
    let rights = try fixture.rights()
    try fixture.apply()
    try fixture.apply(createsRoles: true)
    #expect(try fixture.rights() == rights)
    let connection = try fixture.database.connect()
    try connection.execute(
      """
      grant delete on game.receipt to \(fixture.roles.loader);
      grant select (purchase_token) on game.receipt to \(fixture.roles.loader);
      grant select on ingest.reject to public;
      grant execute on function staging.merge(text, bigint) to public;
      grant create on schema game to \(fixture.roles.eraser);
      grant create on schema public to \(fixture.roles.loader);
      grant create, temporary on database \(fixture.database.name) to \(fixture.roles.loader);
      alter default privileges for role \(fixture.roles.owner) in schema game
        grant delete on tables to \(fixture.roles.loader);
      alter default privileges for role \(fixture.roles.owner)
        grant execute on functions to \(fixture.roles.analyst);
      revoke insert on game.receipt from \(fixture.roles.loader);
      alter table game.receipt owner to current_user
      """)
    #expect(try fixture.rights() != rights)
    try fixture.apply()
    #expect(try fixture.rights() == rights)
  }

  @Test func `readers keep what an administrator gave them, and it is told`() throws {
    try fixture.database.execute(
      """
      grant select on game.level_up to \(fixture.roles.analyst);
      grant usage on schema ingest to \(fixture.roles.analyst);
      grant select on report.app to \(fixture.roles.monitor);
      grant create on database \(fixture.database.name) to \(fixture.roles.analyst)
      """)
    let rights = try fixture.rights()
    try fixture.apply()
    #expect(try fixture.rights() == rights)
    let grants = Grants(fixture.roles, connection: try fixture.database.connect())
    #expect(
      try grants.furtherRights() == [
        "\(fixture.roles.analyst): SELECT on game.level_up",
        "\(fixture.roles.analyst): USAGE on schema ingest",
      ])
  }

  @Test func `an analyst builds temporary tables, and others in a schema of its own only`() throws {
    try fixture.apply()
    let before = try fixture.connect(as: fixture.roles.analyst)
    try before.execute("set default_transaction_read_only = off")
    try before.execute("create temporary table mine (a int)")
    #expect(throws: PostgresError.self) { try before.execute("create schema models") }
    var roles = fixture.roles
    roles.analystSchema = "models"
    for _ in 1...2 {
      try Grants(roles, connection: try fixture.database.connect()).apply(createsRoles: false)
    }
    // A new session begins with the setting of the role in this database.
    let analyst = try fixture.connect(as: fixture.roles.analyst)
    try analyst.execute(
      "create table models.revenue as select * from report.revenue_by_day; drop table models.revenue"
    )
    #expect(throws: PostgresError.self) { try analyst.execute("create table report.mine (a int)") }
    #expect(throws: PostgresError.self) { try analyst.execute("create table public.mine (a int)") }
  }

  @Test(arguments: ["report", "public", "pg_mine", "information_schema", ""])
  func `a schema of the analyst is not one of the others`(name: String) {
    var roles = DatabaseRoles()
    roles.analystSchema = name
    #expect(roles.problem?.contains("--analyst-schema") == true)
  }

  @Test func `the owner role owns every object, and PUBLIC can create none`() throws {
    let owners = Set(
      try fixture.rights().filter { $0[0] != "database" && $0[1] != "public" }
        .filter { ["relation", "function", "schema"].contains($0[0]) }.map { $0[2] })
    #expect(owners == [fixture.roles.owner])
    #expect(
      try fixture.database.value(
        "select has_database_privilege('public', current_database(), 'temporary')") == "f")
    #expect(
      try fixture.database.value("select has_schema_privilege('public', 'public', 'create')") == "f"
    )
  }

  @Test func `the printed statements give the same rights`() throws {
    let rights = try fixture.rights()
    let other = try fixture.database.connect()
    try other.execute("grant delete on game.receipt to \(fixture.roles.loader)")
    let text = try Grants(fixture.roles, connection: other).statements(createsRoles: true)
    #expect(text.hasPrefix("begin;\n"))
    #expect(text.contains("\"\(fixture.roles.analyst)\""))
    #expect(!text.contains(":\"") && !text.contains(":'"))
    #expect(try fixture.rights() != rights)
    try other.execute(text)
    #expect(try fixture.rights() == rights)
  }

  @Test func `a role name may hold quotes and other special characters`() throws {
    let strange = try RoleFixture(suffix: #" "é':"loader";--$$"#)
    try strange.apply(createsRoles: true)
    let loader = try strange.connect(as: strange.roles.loader)
    #expect(try loader.query("select current_user")[0, 0] == strange.roles.loader)
    try strange.expectForbidden(["truncate game.receipt"], to: strange.roles.loader)
    let path = try strange.folder.write("receipt.jsonl", lines: [Lines.receipt()])
    #expect(try strange.load([path]).exitCode == 0)
  }

  @Test func `a missing role is named, and no right changes`() throws {
    let roles = DatabaseRoles(prefix: "nobody of that name")
    let rights = try fixture.rights()
    let error = #expect(throws: LoadError.self) {
      try Grants(roles, connection: fixture.database.connect()).apply(createsRoles: false)
    }
    #expect(error?.exitCode == .configuration)
    #expect(error?.message.contains("no role nobody of that name_owner; create it") == true)
    #expect(try fixture.rights() == rights)
  }

  @Test func `a role with further privileges is refused`() throws {
    let (owner, loader, analyst) = (
      fixture.roles.owner, fixture.roles.loader, fixture.roles.analyst
    )
    let connection = try fixture.database.connect()
    let superuser = try fixture.database.value("select quote_ident(current_user)") ?? ""
    for (give, take, word) in [
      ("alter role \(loader) superuser", "alter role \(loader) nosuperuser", "superuser"),
      ("alter role \(owner) superuser", "alter role \(owner) nosuperuser", "superuser"),
      ("grant \(owner) to \(loader)", "revoke \(owner) from \(loader)", "member of \(owner)"),
      ("alter role \(loader) createrole", "alter role \(loader) nocreaterole", "CREATEROLE"),
      ("alter role \(analyst) replication", "alter role \(analyst) noreplication", "REPLICATION"),
      ("grant \(superuser) to \(analyst)", "revoke \(superuser) from \(analyst)", "member of"),
      (
        "grant pg_read_all_data to \(analyst)", "revoke pg_read_all_data from \(analyst)",
        "member of pg_read_all_data"
      ),
    ] {
      try connection.execute(give)
      let error = #expect(throws: LoadError.self) { try fixture.apply() }
      #expect(error?.exitCode == .configuration)
      #expect(error?.message.contains(word) == true)
      try connection.execute(take)
    }
    try fixture.apply()
  }
}
