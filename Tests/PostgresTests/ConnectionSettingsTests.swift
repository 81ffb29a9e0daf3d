import Foundation
import TestSupport
import Testing

@testable import Postgres

struct ConnectionSettingsTests {
  private func settings(_ conninfo: String) throws -> [String: String] {
    let store = try TemporaryFolder()
    let file = try store.write("authorities.crt", lines: [])
    let settings = try ConnectionSettings(
      ConnectionTarget(conninfo: conninfo), applicationName: "test",
      trustStores: ["/nonexistent", file])
    return Dictionary(
      settings.parameters.map { ($0.keyword, $0.value == file ? "the bundle" : $0.value) },
      uniquingKeysWith: { _, last in last })
  }

  @Test(arguments: [
    "host=db.example.com", "host=10.0.0.1", "hostaddr=10.0.0.1", "host=localhost hostaddr=10.0.0.1",
    "host=localhost.example.com", "host=127.example.com", "host=::2", "host=/tmp,db.example.com",
    "postgresql://me@db.example.com/games", "host=db.example.com hostaddr=127.0.0.1",
    "host=0.0.0.0",
  ])
  func `a connection to another machine uses verify-full`(conninfo: String) throws {
    let given = try settings(conninfo)
    #expect(given["sslmode"] == "verify-full")
    #expect(given["sslrootcert"] == "the bundle")
  }

  @Test(arguments: [
    "host=/tmp", "host=localhost", "host=LOCALHOST", "host=127.0.0.1", "host=127.8.9.10",
    "host=::1",
    "hostaddr=127.0.0.1", "host=/tmp,localhost", "dbname=games", "games", "postgresql:///games",
    "host=@abstract",
  ])
  func `a connection to this machine leaves sslmode alone`(conninfo: String) throws {
    let given = try settings(conninfo)
    #expect(given["sslmode"] == nil)
    #expect(given["sslrootcert"] == nil)
  }

  @Test func `a given sslmode or root certificate is kept`() throws {
    let weak = try settings("host=db.example.com sslmode=require")
    #expect(weak["sslmode"] == nil && weak["sslrootcert"] == nil)
    let full = try settings("host=db.example.com sslmode=verify-full")
    #expect(full["sslmode"] == nil && full["sslrootcert"] == "the bundle")
    let named = try settings("host=db.example.com sslrootcert=/some/file")
    #expect(named["sslmode"] == "verify-full" && named["sslrootcert"] == nil)
  }

  @Test func `timeouts have bounds unless they are given`() throws {
    let names = [
      "connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
      "tcp_user_timeout",
    ]
    let usual = try settings("host=/tmp")
    #expect(names.allSatisfy { usual[$0] != nil })
    let given = try settings("host=/tmp " + names.map { "\($0)=7" }.joined(separator: " "))
    #expect(names.allSatisfy { given[$0] == nil })
  }

  @Test func `a notice names the host and the mode, and nothing else`() throws {
    let target = try ConnectionTarget(conninfo: "host=db.example.com user=me sslmode=require")
    #expect(
      target.notice == "the connection to db.example.com uses sslmode require, as requested: "
        + "the server's certificate is not verified")
    for harmless in [
      "host=db.example.com sslmode=verify-full", "host=/tmp sslmode=disable", "games",
    ] {
      #expect(try ConnectionTarget(conninfo: harmless).notice == nil)
    }
  }
}
