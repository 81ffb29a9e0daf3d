internal import CLibpq

/// The database to connect to: a connection string, or libpq's environment and files.
package struct ConnectionTarget: Sendable {
  /// A conninfo string, a `postgresql://` URI or a bare database name; nil: libpq's environment.
  package let conninfo: String?
  /// True when the string itself has an `sslmode`.
  let namesSSLMode: Bool
  /// Called with what the user should know of the work on the target's database: a failure, or the lock of
  /// another session that a connection waits for.
  package var tell: @Sendable (String) -> Void = { _ in }
  /// Called with warnings about the work on the target's database.
  package var warn: @Sendable (String) -> Void = { _ in }

  /// - Throws: `PostgresError` when libpq cannot parse the string, or would take a part of a URI for
  ///   another and show it; also when it holds a password, because every user of the machine can see
  ///   the command line. No byte of it is in the message, but for the name of an unknown parameter.
  package init(conninfo: String) throws {
    self.conninfo = conninfo
    let isURI = conninfo.hasPrefix("postgresql://") || conninfo.hasPrefix("postgres://")
    guard isURI || !conninfo.contains("://") else { throw Self.unreadable }
    guard isURI || conninfo.contains("=") else {
      namesSSLMode = false
      return
    }
    let options = try Self.parse(conninfo, isURI: isURI)
    namesSSLMode = options.values["sslmode"] != nil
    // A host can begin with "@", as a socket without a file.
    if isURI,
      options.values["host"]?.dropFirst().contains("@") == true
        || options.values["dbname"]?.contains("@") == true
        || options.values["port"]?.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "," }) == false
    {
      throw Self.unreadable
    }
    if options.holdsPassword {
      throw PostgresError(
        message: "the connection string holds a password, which other users of this machine "
          + "can read; put it into ~/.pgpass or PGPASSFILE, a service file, or PGPASSWORD")
    }
  }

  private init() {
    conninfo = nil
    namesSSLMode = false
  }

  /// The target given by libpq's environment variables, service file and defaults.
  package static let environment = ConnectionTarget()

  /// The names of libpq's environment variables that select a database.
  package static let environmentVariables = [
    "PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE",
  ]

  /// One sentence about a connection to another machine that is less secure than the default; nil:
  /// it is as secure.
  package var notice: String? { ConnectionSettings(self, applicationName: "").notice }

  private static func parse(_ text: String, isURI: Bool) throws -> ConnectionOptions {
    var message: UnsafeMutablePointer<CChar>?
    if let options = PQconninfoParse(text, &message) { return ConnectionOptions(taking: options) }
    defer { PQfreemem(message) }
    // libpq's message quotes the text around the fault, which can be part of a password.
    let mayQuoteIt = isURI ? text.drop { $0 != "?" }.contains("@") : text.contains("password")
    guard let said = message.map({ String(cString: $0) }), !mayQuoteIt,
      let parameter = said.firstMatch(of: /(?:option|parameter:) "([A-Za-z_]+)"/)
    else { throw unreadable }
    throw PostgresError(
      message: "libpq has no parameter \(parameter.1); remove it, other drivers have it")
  }

  private static let unreadable = PostgresError(
    message:
      "cannot read the connection string; write key=value pairs, with values that hold blanks in "
      + "single quotes, or a postgresql:// URI with special characters as %xx")
}

/// The options of a connection that have a value.
struct ConnectionOptions {
  /// By keyword, without passwords.
  var values: [String: String] = [:]
  var holdsPassword = false

  /// - Parameter list: a list of libpq, which is freed.
  init(taking list: UnsafeMutablePointer<PQconninfoOption>?) {
    defer { PQconninfoFree(list) }
    var option = list
    while let found = option?.pointee, let keyword = found.keyword {
      option = option?.advanced(by: 1)
      guard let value = found.val else { continue }
      // libpq marks passwords for programs that display options.
      if found.dispchar.map({ String(cString: $0) }) == "*" {
        holdsPassword = true
      } else {
        values[String(cString: keyword)] = String(cString: value)
      }
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
