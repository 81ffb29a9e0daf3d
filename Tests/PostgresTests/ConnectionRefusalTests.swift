import Foundation
import Postgres
import TestSupport
import Testing

/// Failed connections: permanent refusals and temporary failures.
struct ConnectionRefusalTests {
  private func refusal(_ conninfo: String) throws -> PostgresError? {
    let target = try ConnectionTarget(conninfo: conninfo)
    return #expect(throws: PostgresError.self) { _ = try Connection(target) }
  }

  @Test(arguments: [
    "service=none-such", "host=/tmp sslmode=perhaps", "host=localhost port=70000",
    "host=localhost port=1,2", "host=localhost target_session_attrs=none",
  ])
  func `options that libpq cannot use are a permanent refusal`(conninfo: String) throws {
    let error = try refusal(conninfo)
    #expect(error?.refusal == .other)
    #expect(error?.kind == .setup)
  }

  @Test(arguments: [
    "host=/nonexistent", "host=127.0.0.1 port=1", "host=no-such-host.invalid connect_timeout=2",
  ])
  func `an address that does not answer is a temporary failure`(conninfo: String) throws {
    let error = try refusal(conninfo)
    #expect(error?.refusal == nil)
    #expect(error?.sqlState == nil)
    #expect(error?.kind == .unavailable)
  }

  @Test(arguments: [
    // A proxy without its server closes at once, or in the middle of the TLS handshake.
    ("", nil), ("S", nil), ("N", ConnectionRefusal.withoutTLS),
  ])
  func `only the answer N to the TLS request is a permanent refusal`(
    answer: String, refusal: ConnectionRefusal?
  )
    throws
  {
    let listener = try Listener(answering: answer)
    let error = try self.refusal("host=127.0.0.1 port=\(listener.port) sslmode=require")
    #expect(error?.refusal == refusal)
    #expect(error?.isConnectionLost == true)
  }

  @Test func `a silent server costs at most two timeouts and is a temporary failure`()
    throws
  {
    let listener = try Listener(answering: nil)
    let started = ContinuousClock.now
    let error = try refusal("host=127.0.0.1 port=\(listener.port) connect_timeout=2")
    #expect(error?.refusal == nil)
    #expect(ContinuousClock.now - started < .seconds(12))
  }
}

/// Refusals by a real server, recognized by SQLSTATE.
@Suite(.serialized, .needsServer, .ownDatabase) struct SessionRefusalTests {
  let database: TestDatabase

  init() throws { database = try .current }

  private func error(_ keyword: String, _ value: String) throws -> PostgresError? {
    let target = try ConnectionTarget(
      conninfo: TestServer.with(keyword, value, in: database.conninfo))
    return #expect(throws: PostgresError.self) { _ = try Connection(target) }
  }

  @Test(arguments: [
    ("dbname", "missing_database", "3D000", ConnectionRefusal.database),
    ("user", "missing_role", "28000", .other),
    ("options", "-cno_such_setting=1", "42704", .other),
  ])
  func `a permanent refusal is recognized by its SQLSTATE`(
    keyword: String, value: String, state: String, refusal: ConnectionRefusal
  ) throws {
    let error = try error(keyword, value)
    #expect(error?.sqlState == SQLState(rawValue: state))
    #expect(error?.refusal == refusal)
    #expect(error?.isConnectionLost == true)
    #expect(error?.kind == .setup)
    let end = "(SQLSTATE \(state))" + (refusal == .other ? "" : ". \(refusal.rawValue)")
    #expect(error?.description.hasSuffix(end) == true)
    #expect(error?.message.contains(state) == false)
    #expect(error?.message.contains("LOCATION") == false)
  }

  @Test func `a missing CONNECT right is permanent, and a full role is temporary`() throws {
    let role = "refused_\(UInt32.random(in: .min ... .max))"
    try database.execute("create role \(role) login")
    defer { try? database.execute("drop role \(role)") }
    try database.execute("revoke connect on database \(database.name) from public")
    #expect(try error("user", role)?.refusal == .right)
    try database.execute("grant connect on database \(database.name) to public")
    try database.execute("alter role \(role) connection limit 0")
    let full = try error("user", role)
    #expect(full?.sqlState == .tooManyConnections)
    #expect(full?.refusal == nil)
    #expect(full?.kind == .unavailable)
  }
}

/// Refusals by a real server that asks for passwords: every cause, under each `sslmode`, because libpq
/// joins the messages of its attempts and adds lines of its own.
@Suite(.serialized, .needsTLSServer) final class LoginRefusalTests {
  private let server: PrivateServer
  private let folder: TemporaryFolder
  private let wrongPasswords: String

  init() throws {
    server = try PrivateServer(certificateFor: "db.games.test")
    folder = try TemporaryFolder()
    wrongPasswords = try folder.write("pgpass", lines: ["*:*:*:*:wrong"])
    chmod(wrongPasswords, 0o600)
    let administrator = try Connection(ConnectionTarget(conninfo: server.conninfo))
    try administrator.execute(
      """
      create role by_scram login password 'right'; create role by_clear_text login password 'right';
      create role no_line login; create role no_login nologin; create role by_certificate login;
      set password_encryption = md5; create role by_md5 login password 'right';
      """)
    try administrator.execute("create database closed allow_connections false")
    try administrator.execute("alter system set ssl_ca_file = '\(server.authority)'")
    try Data(
      """
      local all all trust
      host all by_scram 127.0.0.1/32 scram-sha-256
      host all by_md5 127.0.0.1/32 md5
      host all by_clear_text 127.0.0.1/32 password
      host all no_login 127.0.0.1/32 trust
      host all gamebase 127.0.0.1/32 trust
      hostssl all by_certificate 127.0.0.1/32 cert

      """.utf8
    ).write(to: URL(fileURLWithPath: "\(server.folder)/data/pg_hba.conf"))
    _ = try administrator.query("select pg_reload_conf()")
  }

  private func error(_ user: String, _ more: String) throws -> PostgresError? {
    let target = try ConnectionTarget(
      conninfo:
        "host=127.0.0.1 port=\(server.port ?? 0) dbname=gamebase user=\(user) "
        + "passfile='\(folder.path)/none' \(more)")
    return #expect(throws: PostgresError.self) { _ = try Connection(target) }
  }

  @Test(arguments: ["disable", "allow", "prefer", "require"])
  func `each refusal at login is recognized, wherever the password comes from`(mode: String) throws
  {
    let file = "passfile='\(wrongPasswords)'"
    var cases: [(user: String, more: String, refusal: ConnectionRefusal, state: String?)] = [
      ("no_line", "", .other, "28000"), ("no_login", "", .other, "28000"),
      ("gamebase", "dbname=closed", .other, "55000"),
      ("gamebase", "dbname=none_such", .database, "3D000"),
      ("gamebase", "options=-cnone_such=1", .other, "42704"),
      ("by_certificate", "", .other, "28000"),
    ]
    for user in ["by_scram", "by_md5", "by_clear_text"] {
      cases.append((user, "", .password, nil))
      cases.append((user, file, .password, "28P01"))
      cases.append(
        (user, "\(file) host=127.0.0.1,127.0.0.1 port=1,\(server.port ?? 0)", .password, "28P01"))
    }
    cases.append(("by_md5", "\(file) channel_binding=require", .other, nil))
    if mode == "disable" {
      cases.append(("by_scram", "\(file) channel_binding=require", .other, nil))
    }
    for (user, more, refusal, state) in cases {
      let error = try error(user, "sslmode=\(mode) \(more)")
      #expect(error?.refusal == refusal, "\(user) \(more): \(error?.description ?? "connected")")
      #expect(error?.sqlState?.rawValue == state, "\(user) \(more)")
      #expect(error?.kind == .setup)
      #expect(error?.description.hasSuffix(refusal.rawValue) == true)
      #expect(error?.message.contains(".c:") == false)
    }
  }
}

/// A port of this machine that answers every connection with the same bytes and closes it.
private final class Listener: @unchecked Sendable {
  // Safe to share: no property changes after `init`.
  let port: Int
  private let descriptor: Int32
  private let hasThread: Bool

  /// - Parameter answer: sent after the first bytes arrive; nil: no answer, and the connection
  ///   stays open.
  init(answering answer: String?) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
          ? getsockname(descriptor, pointer, &length) : -1
      }
    }
    try #require(code == 0)
    port = Int(UInt16(bigEndian: address.sin_port))
    hasThread = answer != nil
    guard let answer else { return }
    Thread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else {
          close(descriptor)  // Not before: another listener could get the number.
          return
        }
        var asked = [UInt8](repeating: 0, count: 8)
        _ = read(client, &asked, asked.count)
        _ = answer.withCString { write(client, $0, strlen($0)) }
        close(client)
      }
    }.start()
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    if !hasThread { close(descriptor) }
  }
}
