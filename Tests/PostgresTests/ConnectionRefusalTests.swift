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

  @Test(arguments: ["service=none-such", "host=/tmp sslmode=perhaps", "host=localhost port=70000"])
  func `options that libpq cannot use are a permanent refusal`(conninfo: String) throws {
    let error = try refusal(conninfo)
    #expect(error?.refusal == .options)
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
    ("user", "missing_role", "28000", .login),
    ("options", "-cno_such_setting=1", "42704", .session),
  ])
  func `a permanent refusal is recognized by its SQLSTATE`(
    keyword: String, value: String, state: String, refusal: ConnectionRefusal
  ) throws {
    let error = try error(keyword, value)
    #expect(error?.sqlState == SQLState(rawValue: state))
    #expect(error?.refusal == refusal)
    #expect(error?.isConnectionLost == true)
    #expect(error?.kind == .setup)
    #expect(error?.description.hasSuffix("(SQLSTATE \(state)). \(refusal.hint)") == true)
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

/// A port of this machine that answers every connection with the same bytes and closes it.
private final class Listener: @unchecked Sendable {
  // Safe to share: no property changes after `init`.
  let port: Int
  private let descriptor: Int32

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
    guard let answer else { return }
    Thread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        var asked = [UInt8](repeating: 0, count: 8)
        _ = read(client, &asked, asked.count)
        _ = answer.withCString { write(client, $0, strlen($0)) }
        close(client)
      }
    }.start()
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
