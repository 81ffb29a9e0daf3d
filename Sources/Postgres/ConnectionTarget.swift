internal import CLibpq
internal import CProcess
internal import Foundation

/// The database to connect to: a connection string, or libpq's environment and files.
package struct ConnectionTarget: Sendable {
  /// A conninfo string, a `postgresql://` URI or a bare database name; nil: libpq's environment.
  package private(set) var conninfo: String?
  /// The options in the string.
  private(set) var options = ConnectionOptions(taking: nil)
  /// Called with what the user should know of the work on the target's database: a failure, or the lock of
  /// another session that a connection waits for.
  package var tell: @Sendable (String) -> Void = { _ in }
  /// Called with warnings about the work on the target's database.
  package var warn: @Sendable (String) -> Void = { _ in }

  private init() {}

  /// The target given by libpq's environment variables, service file and defaults.
  package static let environment = ConnectionTarget()

  /// The names of libpq's environment variables that select a database.
  package static let environmentVariables = ["PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE"]

  /// - Throws: `PostgresError` when libpq cannot parse the string, or would take a part of a URI for
  ///   another and show it; also when it holds a password, because every user of the machine can see
  ///   the command line. No byte of it is in the message, but for the name of an unknown parameter.
  package init(conninfo: String) throws {
    self.conninfo = conninfo
    let isURI = conninfo.hasPrefix("postgresql://") || conninfo.hasPrefix("postgres://")
    guard isURI || !conninfo.contains("://") else { throw Self.unreadable }
    guard isURI || conninfo.contains("=") else { return }
    options = try Self.parse(conninfo, isURI: isURI)
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

  /// One sentence about a connection to another machine that is less secure than the default; nil:
  /// it is as secure.
  package var notice: String? { try? ConnectionSettings(self, applicationName: "").notice }
}

/// The parameters of a connection: the given ones, and safe defaults for the others.
///
/// A given value is kept, whether it comes from the connection string, the environment or a service
/// file. Only the client encoding is always UTF-8.
struct ConnectionSettings {
  /// In the order that `PQconnectdbParams` needs: the connection string in `dbname` overrides the
  /// parameters before it, and the parameters after it override the string.
  let parameters: [(keyword: String, value: String)]
  /// A warning about a connection to another machine with a weaker `sslmode` than `verify-full`,
  /// which only an explicit setting can cause; nil: no warning.
  let notice: String?
  /// A password file that libpq would refuse with a line on standard error; nil: none.
  let refusedPasswordFile: String?

  private static let environment = ProcessInfo.processInfo.environment

  /// - Parameter trustStores: files with the certificates of public authorities; the first readable
  ///   one is used when no root certificate is named. The usual ones are those of Debian, Fedora and
  ///   Red Hat, openSUSE, and Alpine.
  /// - Throws: `PostgresError` when libpq cannot use the options.
  init(
    _ target: ConnectionTarget, applicationName: String,
    trustStores: [String] = [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
      "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
  ) throws {
    let named = target.conninfo.map { [(keyword: "dbname", value: $0)] } ?? []
    let given = try Self.options(givenBy: named)
    let home = Self.environment["HOME"] ?? NSHomeDirectory()
    // libpq's default falls back to clear text and verifies no certificate.
    let isRemote = Self.isRemote(given)
    // libpq reports its default as `prefer`, too, which in a service file cannot be told from it.
    let isModeGiven =
      target.options.values["sslmode"] != nil || Self.environment["PGSSLMODE"]?.isEmpty == false
    let mode = given["sslmode"].flatMap { $0 != "prefer" || isModeGiven ? $0 : nil }
    var required = [(keyword: "client_encoding", value: "UTF8")]
    if isRemote, mode == nil { required.append(("sslmode", "verify-full")) }
    if isRemote, mode ?? "verify-full" == "verify-full", given["sslrootcert"] == nil,
      access("\(home)/.postgresql/root.crt", F_OK) != 0,
      let store = trustStores.first(where: { access($0, R_OK) == 0 })
    {
      required.append(("sslrootcert", store))
    }
    let passwordFile = given["passfile"] ?? "\(home)/.pgpass"
    let own = Self.passwordFile.flatMap { $0.path == passwordFile ? $0.copy : nil }
    let isRefused = own == nil && Self.isRefused(passwordFile)
    if own != nil || isRefused { required.append(("passfile", own ?? "/dev/null/none")) }
    refusedPasswordFile = isRefused ? passwordFile : nil
    let timeouts = Self.timeouts.filter { given[$0.keyword] == nil }
    let name = (keyword: "fallback_application_name", value: applicationName)
    parameters = [name] + timeouts + named + required
    notice = mode.flatMap { isRemote ? Self.weaknesses[$0] : nil }.map { weakness in
      "the connection to \(given["host"] ?? given["hostaddr"] ?? "the server") uses sslmode "
        + "\(mode ?? ""), as requested: \(weakness)"
    }
  }

  /// Timeouts, so that a network that drops packets cannot block a load for hours.
  private static let timeouts: [(keyword: String, value: String)] = [
    ("connect_timeout", "15"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
    ("keepalives_count", "6"), ("tcp_user_timeout", "120000"),
  ]

  /// A copy in memory of the file that `PGPASSFILE` names, when its group can read it and others cannot;
  /// nil: libpq reads the file itself, or refuses it.
  ///
  /// libpq ignores a file that its group can read. Kubernetes with `fsGroup` makes such files (0440), and
  /// systemd's credentials have an access list that looks like one.
  private static let passwordFile: (path: String, copy: String)? = {
    var status = stat()
    guard let path = environment["PGPASSFILE"], stat(path, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1024 * 1024,
      status.st_mode & 0o070 != 0, status.st_mode & 0o007 == 0,
      let bytes = FileManager.default.contents(atPath: path)
    else { return nil }
    let file = gbi_private_file()
    guard file >= 0, bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count
    else { return nil }
    return (path, "/proc/self/fd/\(file)")
  }()

  /// True for a file that is no regular one, or that others than its user can use.
  private static func isRefused(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
      && (status.st_mode & S_IFMT != S_IFREG || status.st_mode & 0o077 != 0)
  }

  private static let weaknesses = [
    "disable": "all data is sent in clear text",
    "allow": "all data may be sent in clear text",
    "prefer": "all data may be sent in clear text",
    "require": "the server's certificate is not verified",
    "verify-ca": "the server's name is not verified",
  ]

  /// The options that libpq finds in the connection string, service file and environment, and its
  /// own defaults; without passwords, and without options that have no value.
  ///
  /// libpq reads these sources only when it connects. The function therefore requests a session
  /// type that does not exist, which libpq refuses before it contacts a server, and names as its last
  /// check. With a password it reads no password file.
  private static func options(
    givenBy named: [(keyword: String, value: String)]
  ) throws -> [String: String] {
    func refused(_ problem: String) -> PostgresError {
      PostgresError(message: problem, isConnectionLost: true, refusal: .other)
    }
    // libpq would take a connection string in such a variable for a name, and show it.
    let misused = environment.first { name, text in
      name.hasPrefix("PG") && text.contains("://") || name == "PGDATABASE" && text.contains("=")
    }
    if let misused {
      throw refused(
        "\(misused.key) holds a connection string, and not a name; give that by --database")
    }
    let noSession = "no-such-session"
    let handle = startConnection(
      named + [("password", "none"), ("target_session_attrs", noSession)])
    defer { PQfinish(handle) }
    let options = ConnectionOptions(taking: PQconninfo(handle)).values.filter { !$0.value.isEmpty }
    let refusal = oneLine(String(cString: PQerrorMessage(handle)))
    guard refusal.contains(noSession) else { throw refused(refusal) }
    // libpq checks the ports only during the attempt.
    let ports = options["port"]?.split(separator: ",") ?? []
    guard ports.allSatisfy({ UInt16($0) ?? 0 > 0 }) else {
      throw refused("a port is a number from 1 to 65535")
    }
    return options
  }

  /// True unless every server is reached through a socket, or by a name or address of this machine.
  ///
  /// A host name counts by its text and not by its address, because the network decides the
  /// address.
  private static func isRemote(_ given: [String: String]) -> Bool {
    let places = [given["host"], given["hostaddr"]].compactMap(\.self)
      .flatMap { $0.split(separator: ",") }
    let here = /(?i:localhost)|::1|127(\.[0-9]{1,3}){3}|[\/@].*/
    return !places.allSatisfy { $0.wholeMatch(of: here) != nil }
  }
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
