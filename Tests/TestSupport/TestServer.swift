internal import Foundation
package import Postgres
package import Testing

/// The server on which tests create and drop databases, from the connection string in
/// `TEST_DATABASE`.
package enum TestServer {
  private static let environment = ProcessInfo.processInfo.environment

  /// nil: no server is named, and tests that need one are skipped.
  package static let conninfo = environment["TEST_DATABASE"].flatMap { $0.isEmpty ? nil : $0 }

  /// In CI a missing server is a failure, because a skipped test must not count as passed.
  package static let mustExist = environment["CI"].map { !$0.isEmpty && $0 != "false" } ?? false

  /// The connection string with another database.
  static func conninfo(database name: String) throws -> String {
    guard let conninfo else { throw MissingServer() }
    return with("dbname", name, in: conninfo)
  }

  /// A connection string of either form with a parameter added; the last of two wins in libpq.
  package static func with(_ keyword: String, _ value: String, in conninfo: String) -> String {
    guard conninfo.hasPrefix("postgres://") || conninfo.hasPrefix("postgresql://") else {
      return "\(conninfo) \(keyword)=\(value)"
    }
    return conninfo + (conninfo.contains("?") ? "&" : "?") + "\(keyword)=\(value)"
  }

  /// True when the server's programs can speak TLS; some packages are built without it.
  static let canSpeakTLS =
    (try? connect().query("select setting from pg_settings where name = 'ssl_library'"))?[0, 0]
    == "OpenSSL"

  /// A connection to the database that `TEST_DATABASE` itself names.
  package static func connect() throws -> Connection {
    guard let conninfo else { throw MissingServer() }
    return try Connection(ConnectionTarget(conninfo: conninfo), applicationName: "test")
  }
}

package struct MissingServer: Error, CustomStringConvertible {
  package let description = "TEST_DATABASE names no server, and in CI one is needed"
}

extension Trait where Self == ConditionTrait {
  /// Skips tests without a server; in CI the tests run and fail.
  package static var needsServer: Self {
    .enabled(
      if: TestServer.conninfo != nil || TestServer.mustExist, "TEST_DATABASE names no server")
  }

  /// Skips tests that need a server with TLS, where the server's programs are built without it.
  package static var needsTLSServer: Self {
    .enabled(
      if: TestServer.conninfo == nil ? TestServer.mustExist : TestServer.canSpeakTLS,
      "TEST_DATABASE names no server that is built with TLS")
  }
}
