import Postgres
import TestSupport
import Testing

/// `grant` on the command line; `LoadingTests` check the resulting rights.
@Suite(.serialized, .needsServer, .ownDatabase) struct GrantCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private static let names = ["owner", "loader", "analyst", "eraser", "monitor"]

  /// The option that names five roles only this test uses.
  private static func options(_ number: UInt64) -> [String] { ["--roles", "ingest_\(number)"] }

  private func dropRoles(_ number: UInt64) throws {
    for name in Self.names {
      let role = "ingest_\(number)_\(name)"
      let isThere = try fixture.database.value(
        "select 1 from pg_roles where rolname = $1", [.text(role)])
      guard isThere != nil else { continue }
      try fixture.database.execute(
        "reassign owned by \(role) to current_user; drop owned by \(role); drop role \(role)")
    }
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
    for role in ["loader", "analyst", "eraser", "monitor"].map({ "ingest_\(number)_\($0)" }) {
      let conninfo = TestServer.with("user", role, in: fixture.database.conninfo)
      for (name, more) in commands where name != "retention" || role.contains("loader") {
        let words = name.split(separator: " ").map { String($0) }
        let result = try fixture.program.run(words + more + ["--database", conninfo])
        #expect(result.exitCode == 78)
        let owner = "ingest_\(number)_owner"
        #expect(
          result.errors.hasSuffix(
            "\(name) needs the rights of the owner, \(owner), and the role \(role) lacks them. Connect "
              + "as a member of \(owner), or as a superuser\n"), "\(result.errors)")
      }
    }
  }
}
