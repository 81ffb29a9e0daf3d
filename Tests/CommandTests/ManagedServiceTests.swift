import Foundation
import Postgres
import TestSupport
import Testing

/// A server without a superuser for its users, as managed services are: the documented commands,
/// word for word.
@Suite(.serialized, .needsServer) final class ManagedServiceTests {
  private let server: PrivateServer
  private let folder: TemporaryFolder
  private var shell = Command("/bin/sh")

  init() throws {
    server = try PrivateServer()
    folder = try TemporaryFolder()
    try execute("create role administrator login createrole")
    try execute("create database games owner administrator")
    func service(_ name: String, _ user: String) -> [String] {
      ["[\(name)]", "host=\(server.folder)/socket", "dbname=games", "user=\(user)"]
    }
    let services = try folder.write(
      "services",
      lines: service("games-admin", "administrator") + service("games", "gamebase_loader")
        + service("games-stranger", "stranger"))
    let program = URL(fileURLWithPath: try Command.gamebaseIngest.program)
    shell.environment["PGSERVICEFILE"] = services
    shell.environment["PATH"] = "\(program.deletingLastPathComponent().path):/usr/bin:/bin"
  }

  private func execute(_ sql: String, database: String = "gamebase") throws {
    let connection = try Connection(
      ConnectionTarget(conninfo: TestServer.with("dbname", database, in: server.conninfo)))
    try connection.execute(sql)
  }

  /// The first shell commands below a heading of a page.
  private static func commands(below heading: String, of page: String) throws -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    let section = try #require(text.firstRange(of: "# \(heading)\n"))
    let rest = text[section.upperBound...]
    let block = try #require(rest.firstMatch(of: /```sh[^\n]*\n((?s).*?)```/))
    return String(block.output.1)
  }

  @discardableResult
  private func run(_ commands: String, exitCode: Int32 = 0) throws -> Command.Result {
    let result = try shell.run(["-c", "set -eu\n\(commands)"])
    #expect(result.exitCode == exitCode, "\(commands): \(result.errors)")
    return result
  }

  @Test func `the documented commands prepare a database without a superuser`() throws {
    let prepare = try Self.commands(below: "Without a superuser", of: "docs/security.md")
    try run(prepare)
    let receipts = try folder.write("receipt.jsonl", lines: [CommandFixture.receipt(1)])
    try run("gamebase-ingest load '\(receipts)' --database service=games")
    try run("gamebase-ingest undo '\(receipts)' --database service=games-admin")
    // A new version is installed by the same role, and a repeated preparation changes nothing.
    try run(try Self.commands(below: "Upgrade", of: "docs/operating.md"))
    try run(prepare)
    let connection = try Connection(
      ConnectionTarget(conninfo: TestServer.with("dbname", "games", in: server.conninfo)))
    let owners = try connection.query(
      """
      select distinct pg_get_userbyid(relowner) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('game', 'ingest', 'report', 'rollup', 'staging')
      """)
    #expect(owners.rows.map { $0[0] } == ["gamebase_owner"])
    #expect(
      try connection.query("select rolcanlogin from pg_roles where rolname = 'gamebase_owner'")[
        0, 0] == "f")
  }

  @Test func `a missing right of the administrator is named, and nothing is granted`() throws {
    try run("gamebase-ingest migrate --database service=games-admin")
    try execute("create role stranger login createrole")
    let grant = "gamebase-ingest grant --create-roles --database"
    let stranger = try run("\(grant) service=games-stranger", exitCode: 78)
    #expect(
      stranger.errors.contains(
        "only the owner of the database games, administrator, or a superuser can grant rights on it"
      ),
      "\(stranger.errors)")
    try execute("alter role administrator nocreaterole")
    let powerless = try run("\(grant) service=games-admin", exitCode: 78)
    #expect(
      powerless.errors.contains(
        "the role administrator may not create roles. Connect as a role with CREATEROLE, or as a superuser"
      ), "\(powerless.errors)")
    for role in ["owner", "loader", "analyst", "eraser", "monitor"] {
      try execute("create role gamebase_\(role)")
    }
    let outside = try run("gamebase-ingest grant --database service=games-admin", exitCode: 78)
    #expect(
      outside.errors.contains(
        "the role administrator is no member of gamebase_owner. Add --create-roles, which makes it one"
      ),
      "\(outside.errors)")
    #expect(
      !(stranger.errors + powerless.errors + outside.errors).contains("run gamebase-ingest grant"))
  }
}
