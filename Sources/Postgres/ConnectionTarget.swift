internal import CLibpq
internal import Foundation
internal import Glibc

/// The database to connect to: a connection string, or libpq's environment and files.
package struct ConnectionTarget: Sendable, Equatable {
  /// A conninfo string, a `postgresql://` URI or a bare database name; nil: libpq's environment.
  package let conninfo: String?
  /// True when the string itself has an `sslmode`.
  let namesSSLMode: Bool

  /// - Throws: `PostgresError` when libpq cannot parse the string; also when it holds a password,
  ///   because every user of the machine can see the command line. No byte of it is in the message,
  ///   but for the name of an unknown parameter.
  package init(conninfo: String) throws {
    var namesSSLMode = false
    try ConnectionURI.check(conninfo)
    if Self.isParameterString(conninfo) {
      let options = try Self.parse(conninfo)
      namesSSLMode = options.contains { $0.keyword == "sslmode" }
      if options.contains(where: \.isSecret) {
        throw PostgresError(
          message: "the connection string holds a password, which other users of this machine "
            + "can read; put it into ~/.pgpass or PGPASSFILE, a service file, or PGPASSWORD")
      }
    }
    self.conninfo = conninfo
    self.namesSSLMode = namesSSLMode
  }

  private init() {
    conninfo = nil
    namesSSLMode = false
  }

  /// The target given by libpq's environment variables, service file and defaults.
  package static let environment = ConnectionTarget()

  /// One sentence about a connection to another machine that is less secure than the default; nil:
  /// it is as secure.
  package var notice: String? { ConnectionSettings(self, applicationName: "").notice }

  /// The names of libpq's environment variables that select a database.
  package static let environmentVariables = [
    "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE",
  ]

  private static func isParameterString(_ text: String) -> Bool {
    text.contains("=") || ConnectionURI.hasPrefix(text)
  }

  fileprivate static func parse(_ text: String) throws -> [ConnectionOption] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      // libpq's message quotes the text around the fault, which can be part of a password.
      let mayQuoteIt =
        ConnectionURI.hasPrefix(text)
        ? text.drop { $0 != "?" }.contains("@") : text.contains("password")
      guard let said = message.map({ String(cString: $0) }), !mayQuoteIt,
        let parameter = said.firstMatch(of: /(?:option|parameter:) "([A-Za-z_]+)"/)
      else { throw ConnectionURI.unreadable }
      throw PostgresError(
        message: "libpq has no parameter \(parameter.1); remove it, other drivers have it")
    }
    defer { PQconninfoFree(options) }
    return connectionOptions(options)
  }
}

/// Refuses texts that only look like a URI of libpq, which would take a password for a host, a port or
/// the name of a database, and show it in messages and in the server's log.
enum ConnectionURI {
  static func hasPrefix(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  static let unreadable = PostgresError(
    message:
      "cannot read the connection string; write key=value pairs, with values that hold blanks in "
      + "single quotes, or a postgresql:// URI with special characters as %xx")

  /// - Throws: `PostgresError` for a text with `://` that is no URI of libpq, or one whose parts libpq
  ///   would take for others.
  static func check(_ text: String) throws {
    guard text.contains("://") else { return }
    guard hasPrefix(text) else { throw unreadable }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let options = try ConnectionTarget.parse(String(parts[0]))
    for option in options {
      switch option.keyword {
      case "port" where !option.value.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "," }),
        "host" where option.value.contains("@"), "dbname" where option.value.contains("@"):
        throw unreadable
      default: break
      }
    }
  }

  /// - Throws: `PostgresError` where a variable of libpq holds a connection string, which libpq takes for a
  ///   name and shows.
  static func checkEnvironment() throws {
    for (name, text) in ProcessInfo.processInfo.environment
    where name.hasPrefix("PG") && text.contains("://")
      || name == "PGDATABASE" && text.contains("=")
    {
      var error = PostgresError(
        message: "\(name) holds a connection string, and not a name; give that by --database",
        isConnectionLost: true)
      error.refusal = .options
      throw error
    }
  }
}

/// Joins a libpq message into one line.
///
/// libpq's messages end in a line break and may hold several indented lines.
func oneLine(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline)
    .map { $0.drop { $0.isWhitespace } }
    .joined(separator: "; ")
}

/// The kind of server that a connection asks for by `target_session_attrs`.
struct TargetSessionAttributes: RawRepresentable, Equatable {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }

  /// The attributes of a connection, or of a failed attempt.
  init(of handle: OpaquePointer) {
    self.init(rawValue: connectionOption(Self.keyword, of: handle) ?? "")
  }

  static let keyword = "target_session_attrs"
  static let any = Self(rawValue: "any")
  static let primary = Self(rawValue: "primary")

  /// True when the connection accepts no standby.
  var wantsPrimary: Bool { ["read-write", "primary"].contains(rawValue) }
  /// True when the connection accepts or prefers only sessions that cannot write.
  var wantsStandby: Bool { ["read-only", "standby", "prefer-standby"].contains(rawValue) }

  /// The attributes as a parameter of a connection.
  var parameter: (keyword: String, value: String) { (Self.keyword, rawValue) }
}
