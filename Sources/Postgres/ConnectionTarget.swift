internal import CLibpq

/// Where to connect to: a connection string, or what libpq finds in its environment and files.
package struct ConnectionTarget: Sendable, Equatable {
  /// A conninfo string, a `postgresql://` URI or a bare database name; nil: libpq's environment.
  package let conninfo: String?

  /// - Throws: `PostgresError` when the string is not one that libpq understands, or holds a
  ///   password: the command line is visible to every user of the machine.
  package init(conninfo: String) throws {
    if Self.isParameterString(conninfo) {
      let options = try Self.parse(conninfo)
      if options.contains(where: { ["password", "sslpassword"].contains($0.keyword) }) {
        throw PostgresError(
          message: "the connection string holds a password, which other users of this machine "
            + "could read; put it into ~/.pgpass or PGPASSFILE, a service file, or PGPASSWORD")
      }
    }
    self.conninfo = conninfo
  }

  private init() { conninfo = nil }

  /// Everything from libpq's environment variables, service file and defaults.
  package static let environment = ConnectionTarget()

  /// The names of libpq's variables that say which database is meant.
  package static let environmentVariables = [
    "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE",
  ]

  private static func isParameterString(_ text: String) -> Bool {
    text.contains("=") || text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  private static func parse(_ text: String) throws -> [(keyword: String, value: String)] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      if let message { PQfreemem(message) }
      // libpq's own words quote the place, which can be part of a password.
      throw PostgresError(
        message: "cannot read the connection string; it is key=value pairs with values in single "
          + "quotes where they hold blanks, or a postgresql:// URI with special characters as %xx")
    }
    defer { PQconninfoFree(options) }
    var found: [(String, String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        found.append((String(cString: keyword), String(cString: value)))
      }
      option += 1
    }
    return found
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
