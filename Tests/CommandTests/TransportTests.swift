import Foundation
import Postgres
import TestSupport
import Testing

/// A real server with TLS: its identity is verified by default, and a weaker mode needs an option.
@Suite(.serialized, .needsTLSServer) final class TransportTests {
  private static let host = "db.games.test"
  private let server: PrivateServer
  private let folder: TemporaryFolder
  private var program: Command

  init() throws {
    server = try PrivateServer(certificateFor: Self.host)
    folder = try TemporaryFolder()
    program = try .gamebaseIngest
    // Here libpq would look for the user's certificates and passwords.
    program.environment["HOME"] = folder.path
  }

  /// A host name that counts as another machine.
  private func conninfo(_ host: String = host, _ more: String = "", port: Int? = nil) -> String {
    "host=\(host) hostaddr=127.0.0.1 port=\(port ?? server.port ?? 0) user=gamebase dbname=gamebase \(more)"
  }

  private func migrate(_ conninfo: String) throws -> Command.Result {
    try program.run(["migrate", "--database", conninfo])
  }

  @Test func `a certificate of a known authority for the right host is accepted`() throws {
    let good = conninfo(Self.host, "sslrootcert=\(server.authority)")
    let result = try migrate(good)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(!result.errors.contains("sslmode"))
    let session = try Connection(ConnectionTarget(conninfo: good))
    #expect(
      try session.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()")[0, 0] == "t")
    // The same where libpq finds the authority by itself.
    try folder.write(
      ".postgresql/root.crt",
      Data(contentsOf: URL(fileURLWithPath: server.authority)))
    #expect(try migrate(conninfo()).exitCode == 0)
  }

  @Test func `a certificate for another name is refused`() throws {
    let result = try migrate(conninfo("db.elsewhere.test", "sslrootcert=\(server.authority)"))
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("does not match host name"))
    #expect(result.errors.contains("sslrootcert, connect by the name in the server's certificate"))
  }

  @Test func `a certificate of an unknown authority is refused`() throws {
    let named = try migrate(conninfo(Self.host, "sslrootcert=\(server.otherAuthority)"))
    #expect(named.exitCode == 78)
    #expect(named.errors.contains("certificate verify failed"))
    // Without a root certificate the distribution's authorities apply.
    let unnamed = try migrate(conninfo())
    #expect(unnamed.exitCode == 78)
    #expect(unnamed.errors.contains("certificate verify failed"))
    // The server waits for an answer, and libpq has none.
    let missing = try migrate(conninfo(Self.host, "sslrootcert=/nonexistent"))
    #expect(missing.exitCode == 78)
    #expect(missing.errors.contains("root certificate file \"/nonexistent\" does not exist"))
  }

  @Test func `a server without TLS is refused before anything is sent in clear text`() throws {
    let plain = try PrivateServer(certificateFor: Self.host, speaksTLS: false)
    let result = try migrate(
      conninfo(Self.host, "sslrootcert=\(plain.authority)", port: plain.port))
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("does not support SSL"))
    #expect(result.errors.contains("or by PGSSLMODE=disable"))
    #expect(!plain.log.contains("no pg_hba.conf entry"))
    let asked = try migrate(conninfo(Self.host, "sslmode=disable", port: plain.port))
    #expect(asked.exitCode == 0)
  }

  @Test(arguments: ["disable", "prefer", "require"])
  func `a weaker sslmode is used on request, with a one-line notice`(mode: String) throws {
    let file = try folder.write(
      "services",
      lines: [
        "[games]", "host=\(Self.host)", "hostaddr=127.0.0.1",
        "port=\(server.port ?? 0)", "user=gamebase", "dbname=gamebase", "sslmode=\(mode)",
      ])
    var byEnvironment = program
    byEnvironment.environment["PGSSLMODE"] = mode
    var byService = program
    byService.environment["PGSERVICEFILE"] = file
    var results = [
      try migrate(conninfo(Self.host, "sslmode=\(mode)")),
      try byEnvironment.run(["migrate", "--database", conninfo()]),
    ]
    // There the mode may be libpq's default or a choice; libpq does not tell them apart.
    if mode != "prefer" {
      results.append(try byService.run(["migrate", "--database", "service=games"]))
    }
    for result in results {
      #expect(result.exitCode == 0, "\(result.errors)")
      let told = result.errors.split(separator: "\n").filter { $0.contains("sslmode") }
      #expect(told.count == 1)
      #expect(
        told.first?.hasPrefix(
          "gamebase-ingest: warning: the connection to \(Self.host) uses sslmode \(mode), as requested: "
        )
          == true)
    }
    if mode == "prefer" {
      #expect(try byService.run(["migrate", "--database", "service=games"]).exitCode == 78)
    }
  }

  @Test func `addresses of this machine need no certificate and give no notice`() throws {
    for host in ["127.0.0.1", "localhost"] {
      let result = try migrate(
        "host=\(host) hostaddr=127.0.0.1 port=\(server.port ?? 0) user=gamebase dbname=gamebase")
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(!result.errors.contains("sslmode"))
    }
    let result = try migrate(server.conninfo)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `no message holds a password, whatever the outcome of the login`() throws {
    try Data("\nhost all secretive 127.0.0.1/32 scram-sha-256\n".utf8).write(
      to: URL(fileURLWithPath: "\(server.folder)/data/pg_hba.conf"))
    let administrator = try Connection(ConnectionTarget(conninfo: server.conninfo))
    try administrator.execute("create role secretive login password 'right-hunter2'")
    try administrator.execute("alter system set log_min_messages = 'info'")
    _ = try administrator.query("select pg_reload_conf()")
    let place = "host=127.0.0.1 port=\(server.port ?? 0) user=secretive dbname=gamebase"
    var wrong = program
    wrong.environment["PGPASSWORD"] = "wrong-hunter2"
    for command in [["status"], ["migrate"]] {
      let result = try wrong.run(command + ["--database", place])
      #expect(result.exitCode == 78)
      #expect(
        result.errors.contains("(SQLSTATE 28P01). Check the role's name, and put its password into")
      )
      #expect(!(result.output + result.errors).contains("hunter2"))
    }
    // From a file libpq adds a line to its message.
    let wrongFile = try folder.write("wrong-pgpass", lines: ["*:*:*:*:wrong-hunter2"])
    chmod(wrongFile, 0o600)
    let service = try folder.write(
      "wrong-service",
      lines: ["[games]", "password=wrong-hunter2"]
        + place.split(separator: " ").map {
          String($0)
        })
    for (variable, file, database) in [
      ("PGPASSFILE", wrongFile, place), ("PGSERVICEFILE", service, "service=games"),
    ] {
      var wrong = program
      wrong.environment[variable] = file
      let result = try wrong.run(["status", "--database", database])
      #expect(result.exitCode == 78)
      #expect(
        result.errors.contains(
          "(SQLSTATE 28P01). Check the role's name, and put its password into"),
        "\(result.errors)")
      #expect(!(result.output + result.errors).contains("hunter2"))
    }
    let none = try program.run(["status", "--database", place])
    #expect(none.exitCode == 78)
    #expect(none.errors.contains("put its password into ~/.pgpass"))
    var right = program
    let file = try folder.write("pgpass", lines: ["*:*:*:*:right-hunter2"])
    right.environment["PGPASSFILE"] = file
    // The modes of a user's file, of Kubernetes with fsGroup, of a shared file, and of one that all can read.
    for (mode, isRead) in [(0o600, true), (0o440, true), (0o640, true), (0o644, false)] {
      chmod(file, mode_t(mode))
      let result = try right.run(["status", "--database", place])
      #expect(result.exitCode == 78)
      #expect(result.errors.contains("put its password into ~/.pgpass") != isRead, "\(mode)")
      #expect(result.output.contains("gamebase-ingest migrate") == isRead, "\(mode)")
      #expect(result.errors.contains("the password file \(file) is not read") != isRead, "\(mode)")
      #expect(result.errors.split(separator: "\n").count == (isRead ? 0 : 1), "\(mode)")
      #expect(!(result.output + result.errors).contains("hunter2"))
    }
    #expect(!server.log.contains("hunter2"))
  }
}
