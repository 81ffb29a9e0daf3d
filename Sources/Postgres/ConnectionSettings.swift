internal import CLibpq
internal import CProcess
internal import Foundation

/// The parameters of a connection: the given ones, and safe defaults for the others.
///
/// A given value is kept, whether it comes from the connection string, the environment or a service
/// file. Only the client encoding is always UTF-8.
struct ConnectionSettings: Sendable {
  /// In the order that `PQconnectdbParams` needs: the connection string in `dbname` overrides the
  /// parameters before it, and the parameters after it override the string.
  let parameters: [(keyword: String, value: String)]
  /// The reason why libpq cannot use the options; nil: it can.
  let problem: String?
  /// A warning about a connection to another machine with a weaker `sslmode` than `verify-full`,
  /// which only an explicit setting can cause; nil: no warning.
  let notice: String?
  /// A password file that libpq would refuse with a line on standard error; nil: none.
  let refusedPasswordFile: String?

  /// - Parameter trustStores: files with the certificates of public authorities; the first readable
  ///   one is used when no root certificate is named.
  init(
    _ target: ConnectionTarget, applicationName: String,
    trustStores: [String] = Self.distributionTrustStores
  ) {
    let (given, problem) = Self.given(target)
    self.problem = Self.environmentProblem ?? problem
    var defaults = [("fallback_application_name", applicationName)]
    defaults += Self.timeouts.filter { given[$0.0] == nil }
    // libpq's default falls back to clear text and verifies no certificate.
    let isRemote = Self.isRemote(given)
    let mode = Self.isModeGiven(target, given) ? given["sslmode"] : nil
    var required: [(String, String)] = []
    if isRemote, mode == nil { required.append(("sslmode", "verify-full")) }
    if isRemote, mode ?? "verify-full" == "verify-full", given["sslrootcert"] == nil,
      access("\(Self.home)/.postgresql/root.crt", F_OK) != 0,
      let store = trustStores.first(where: { access($0, R_OK) == 0 })
    {
      required.append(("sslrootcert", store))
    }
    let passwordFile = given["passfile"] ?? "\(Self.home)/.pgpass"
    let own = Self.passwordFile.flatMap { $0.path == passwordFile ? $0.copy : nil }
    let isRefused = own == nil && Self.isRefused(passwordFile)
    if own != nil || isRefused { required.append(("passfile", own ?? "/dev/null/none")) }
    refusedPasswordFile = isRefused ? passwordFile : nil
    parameters =
      defaults + (target.conninfo.map { [("dbname", $0)] } ?? []) + required
      + [("client_encoding", "UTF8")]
    notice = mode.flatMap { isRemote ? Self.weaknesses[$0] : nil }.map { weakness in
      "the connection to \(given["host"] ?? given["hostaddr"] ?? "the server") uses sslmode "
        + "\(mode ?? ""), as requested: \(weakness)"
    }
  }

  /// Timeouts, so that a network that drops packets cannot block a load for hours.
  private static let timeouts = [
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
    guard let path = getenv("PGPASSFILE").map({ String(cString: $0) }), stat(path, &status) == 0,
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

  /// The trust stores of Debian, Fedora and Red Hat, openSUSE, and Alpine.
  static let distributionTrustStores = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  private static let weaknesses = [
    "disable": "all data is sent in clear text",
    "allow": "all data may be sent in clear text",
    "prefer": "all data may be sent in clear text",
    "require": "the server's certificate is not verified",
    "verify-ca": "the server's name is not verified",
  ]

  // MARK: - Given options

  /// The options that libpq finds in the connection string, service file and environment, and its
  /// own defaults; without passwords, and without options that have no value.
  ///
  /// libpq reads these sources only when it connects. The function therefore requests a session
  /// type that does not exist, which libpq refuses before it contacts a server, and names as its last
  /// check. With a password it reads no password file.
  private static func given(
    _ target: ConnectionTarget
  ) -> (options: [String: String], problem: String?) {
    let noSession = "no-such-session"
    let handle = startConnection(
      (target.conninfo.map { [("dbname", $0)] } ?? [])
        + [("password", "none"), ("target_session_attrs", noSession)])
    guard let handle else { return ([:], nil) }
    defer { PQfinish(handle) }
    let options = ConnectionOptions(taking: PQconninfo(handle)).values.filter { !$0.value.isEmpty }
    let refusal = oneLine(String(cString: PQerrorMessage(handle)))
    guard refusal.contains(noSession) else { return (options, refusal) }
    // libpq checks the ports only during the attempt.
    let arePorts = options["port"]?.split(separator: ",").allSatisfy { UInt16($0) ?? 0 > 0 }
    return (options, arePorts == false ? "a port is a number from 1 to 65535" : nil)
  }

  /// A variable of libpq that holds a connection string, which libpq would take for a name and show.
  private static var environmentProblem: String? {
    ProcessInfo.processInfo.environment.first { name, text in
      name.hasPrefix("PG") && text.contains("://") || name == "PGDATABASE" && text.contains("=")
    }.map { "\($0.key) holds a connection string, and not a name; give that by --database" }
  }

  /// True when `sslmode` is given explicitly.
  ///
  /// libpq reports "prefer" both as an explicit value and as its default. For a service file the
  /// two cannot be distinguished, and "prefer" counts as the default.
  private static func isModeGiven(_ target: ConnectionTarget, _ given: [String: String]) -> Bool {
    guard given["sslmode"] == "prefer" else { return given["sslmode"] != nil }
    let environment = ProcessInfo.processInfo.environment["PGSSLMODE"]
    return target.namesSSLMode || environment?.isEmpty == false
  }

  /// True unless every server is reached through a socket, or by a name or address of this machine.
  ///
  /// A host name counts by its text and not by its address, because the network decides the
  /// address.
  private static func isRemote(_ given: [String: String]) -> Bool {
    // libpq always has a port. If there is none, the options could not be read, so assume another
    // machine.
    guard given["port"] != nil else { return true }
    let places = [given["host"], given["hostaddr"]].compactMap(\.self)
      .flatMap { $0.split(separator: ",") }
    let here = /(?i:localhost)|::1|127(\.[0-9]{1,3}){3}|[\/@].*/
    return !places.allSatisfy { $0.wholeMatch(of: here) != nil }
  }

  private static var home: String {
    ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
  }
}
