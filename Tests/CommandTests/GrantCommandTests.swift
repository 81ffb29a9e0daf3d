import Postgres
import TestSupport
import Testing

/// `grant` on the command line; `LoadingTests` check the resulting rights.
@Suite(.serialized, .needsServer, .ownDatabase) struct GrantCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private static let names = ["owner", "loader", "analyst", "eraser", "monitor"]

  /// Options that name five roles only this test uses.
  private static func options(_ number: UInt64) -> [String] {
    names.flatMap { ["--\($0)", "ingest_\($0)_\(number)"] }
  }

  private func dropRoles(_ number: UInt64) throws {
    for name in Self.names {
      let role = "ingest_\(name)_\(number)"
      let isThere = try fixture.database.value(
        "select 1 from pg_roles where rolname = $1", [.text(role)])
      guard isThere != nil else { continue }
      try fixture.database.execute(
        "reassign owned by \(role) to current_user; drop owned by \(role); drop role \(role)")
    }
  }

  @Test func `the first run creates the roles, and a second run prints the same`() throws {
    let number = UInt64.random(in: .min ... .max)
    defer { try? dropRoles(number) }
    let missing = try fixture.run(["grant"] + Self.options(number))
    #expect(missing.exitCode == 78)
    #expect(missing.errors.contains("there is no role ingest_owner_\(number); create it"))
    let first = try fixture.run(["grant", "--create-roles"] + Self.options(number))
    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(
      first.output == """
        ingest_owner_\(number) owns, ingest_loader_\(number) loads, ingest_analyst_\(number) reads \
        report, ingest_eraser_\(number) erases, ingest_monitor_\(number) reads their health
        revoked from PUBLIC: CREATE on schema public, TEMPORARY on the database (--keep-temporary \
        leaves it)

        """)
    for arguments in [["grant", "--create-roles"], ["grant"]] {
      let again = try fixture.run(arguments + Self.options(number))
      #expect(again.exitCode == 0 && again.output == first.output && again.errors.isEmpty)
    }
    // The program still works for the role that ran it before.
    #expect(try fixture.run(["migrate"]).exitCode == 0)
  }

  @Test func `--keep-temporary leaves PUBLIC the right to create temporary tables, and says so`()
    throws
  {
    let number = UInt64.random(in: .min ... .max)
    defer { try? dropRoles(number) }
    func mayPublic() throws -> String? {
      try fixture.database.value(
        "select has_database_privilege('public', current_database(), 'temporary')")
    }
    try fixture.database.execute("grant temporary on database \(fixture.database.name) to public")
    let arguments = ["grant", "--create-roles", "--keep-temporary"] + Self.options(number)
    #expect(!(try fixture.run(arguments + ["--print"]).output.contains("revoke temporary")))
    let kept = try fixture.run(arguments)
    #expect(kept.exitCode == 0, "\(kept.errors)")
    #expect(
      kept.output.hasSuffix(
        "revoked from PUBLIC: CREATE on schema public; not revoked: TEMPORARY on the database\n"))
    #expect(try mayPublic() == "t")
    #expect(try fixture.run(["grant"] + Self.options(number)).exitCode == 0)
    #expect(try mayPublic() == "f")
  }

  @Test func `every command that needs the owner's rights says so to other roles`()
    throws
  {
    let number = UInt64.random(in: .min ... .max)
    defer { try? dropRoles(number) }
    #expect(try fixture.run(["grant", "--create-roles"] + Self.options(number)).exitCode == 0)
    let path = try fixture.folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
    let levels = try fixture.folder.write(
      "levelup.jsonl",
      lines: [#"{"userId":"u","userLevel":1,"levelUpTime":1700000000000}"#])
    #expect(try fixture.run(["load", path, levels] + CommandFixture.asOf).exitCode == 0)
    let commands: [(name: String, more: [String])] = [
      ("undo", [path]), ("undo", [path, "--dry-run"]),
      ("conflicts accept", ["--file", path]), ("conflicts undo", ["1"]),
      ("failures dismiss", ["x"]), ("settings set", ["app-id", "a"]),
      ("reference load", ["exchange-rates", path]), ("reference load", ["push-actions", path]),
      ("retention", ["--keep", "1"]),
    ]
    for role in ["loader", "analyst", "eraser", "monitor"].map({ "ingest_\($0)_\(number)" }) {
      let conninfo = TestServer.with("user", role, in: fixture.database.conninfo)
      for (name, more) in commands where name != "retention" || role.contains("loader") {
        let words = name.split(separator: " ").map { String($0) }
        let result = try fixture.program.run(words + more + ["--database", conninfo])
        #expect(result.exitCode == 78)
        let owner = "ingest_owner_\(number)"
        #expect(
          result.errors.hasSuffix(
            "\(name) needs the rights of the owner, \(owner), and the role \(role) lacks them. Connect "
              + "as a member of \(owner), or as a superuser\n"), "\(result.errors)")
      }
    }
  }

  @Test func `--print prints the statements and runs none`() throws {
    let result = try fixture.run(["grant", "--print", "--create-roles"] + Self.options(1))
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("begin;\n"))
    #expect(result.output.hasSuffix("commit;\n"))
    #expect(result.output.contains(#"to "ingest_analyst_1";"#))
    #expect(
      try fixture.database.value(
        "select count(*) from pg_roles where rolname like 'ingest\\_%\\_1'")
        == "0")
    let without = try fixture.run(["grant", "--print"] + Self.options(1)).output
    #expect(result.output.contains("'create role %I %s") && !without.contains("'create role"))
  }

  @Test(arguments: [
    ["--loader", "public"], ["--analyst", "pg_monitor"], ["--owner", "a", "--loader", "a"],
    ["--eraser", ""],
  ])
  func `invalid role names are a usage error`(arguments: [String]) throws {
    #expect(try fixture.run(["grant"] + arguments).exitCode == 64)
  }

  @Test func `a database without the schema is refused with the command to run`() throws {
    let bare = try CommandFixture(isMigrated: false)
    let result = try bare.run(["grant", "--create-roles"])
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("run gamebase-ingest migrate"))
  }
}
