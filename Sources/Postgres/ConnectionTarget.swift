internal import CLibpq

/// Where to connect to: a connection string, or what libpq finds in its environment and files.
package struct ConnectionTarget: Sendable, Equatable {
  /// A conninfo string, a `postgresql://` URI or a bare database name; nil: libpq's environment.
  package let conninfo: String?
  /// True when the string itself has an `sslmode`.
  let namesSSLMode: Bool

  /// - Throws: `PostgresError` when the string is not one that libpq understands, or holds a
  ///   password: the command line is visible to every user of the machine.
  package init(conninfo: String) throws {
    var namesSSLMode = false
    if Self.isParameterString(conninfo) {
      let options = try Self.parse(conninfo)
      namesSSLMode = options.contains { $0.keyword == "sslmode" }
      if options.contains(where: \.isSecret) {
        throw PostgresError(
          message: "the connection string holds a password, which other users of this machine "
            + "could read; put it into ~/.pgpass or PGPASSFILE, a service file, or PGPASSWORD")
      }
    }
    self.conninfo = conninfo
    self.namesSSLMode = namesSSLMode
  }

  private init() {
    conninfo = nil
    namesSSLMode = false
  }

  /// Everything from libpq's environment variables, service file and defaults.
  package static let environment = ConnectionTarget()

  /// One sentence on a connection to another machine that is weaker than by default; nil: it is not.
  package var notice: String? { ConnectionSettings(self, applicationName: "").notice }

  /// The names of libpq's variables that say which database is meant.
  package static let environmentVariables = [
    "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE",
  ]

  private static func isParameterString(_ text: String) -> Bool {
    text.contains("=") || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  private static func parse(_ text: String) throws -> [ConnectionOption] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      if let message { PQfreemem(message) }
      // libpq's own words quote the place, which can be part of a password.
      throw PostgresError(
        message: "cannot read the connection string; it is key=value pairs with values in single "
          + "quotes where they hold blanks, or a postgresql:// URI with special characters as %xx")
    }
    defer { PQconninfoFree(options) }
    return connectionOptions(options)
  }
}

/// One line for one message.
///
/// libpq's messages end in a line break, and may hold several with indented lines between.
func oneLine(_ text: String) -> String {
  text.split(whereSeparator: \.isNewline)
    .map { $0.drop { $0.isWhitespace } }
    .joined(separator: "; ")
}
