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
  /// A warning about a connection to another machine with a weaker `sslmode` than `verify-full`,
  /// which only an explicit setting can cause; nil: no warning.
  let notice: String?
  /// The time limit of one attempt, in seconds.
  let connectSeconds: Int
  /// A password file that libpq would refuse with a line on standard error; nil: none.
  let refusedPasswordFile: String?

  /// - Parameter trustStores: files with the certificates of public authorities; the first readable
  ///   one is used when no root certificate is named.
  init(
    _ target: ConnectionTarget, applicationName: String,
    trustStores: [String] = Self.distributionTrustStores
  ) {
    let given = Self.given(target)
    var defaults = [("fallback_application_name", applicationName)]
    defaults += Self.timeouts.filter { given[$0.0] == nil }
    // libpq's default falls back to clear text and verifies no certificate.
    let isRemote = Self.isRemote(given)
    let mode = Self.isModeGiven(target, given) ? given["sslmode"] : nil
    var required: [(String, String)] = []
    if isRemote, mode == nil { required.append(("sslmode", "verify-full")) }
    if isRemote, mode ?? "verify-full" == "verify-full", given["sslrootcert"] == nil,
      !Self.hasOwnRootCertificate, let store = trustStores.first(where: Self.isReadable)
    {
      required.append(("sslrootcert", store))
    }
    let passwordFile = given["passfile"] ?? "\(Self.home)/.pgpass"
    if let own = Self.passwordFile, passwordFile == own.path {
      required.append(("passfile", own.copy))
      refusedPasswordFile = nil
    } else if Self.isRefused(passwordFile) {
      required.append(("passfile", "/dev/null/none"))
      refusedPasswordFile = passwordFile
    } else {
      refusedPasswordFile = nil
    }
    parameters =
      defaults + (target.conninfo.map { [("dbname", $0)] } ?? []) + required
      + [("client_encoding", "UTF8")]
    // libpq takes a value below 1 as no limit, but a probe needs one.
    connectSeconds =
      given["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 15
    if isRemote, let mode, mode != "verify-full" {
      notice =
        "the connection to \(given["host"] ?? given["hostaddr"] ?? "the server") uses sslmode "
        + "\(mode), as requested: \(Self.weaknesses[mode] ?? "the server's name is not verified")"
    } else {
      notice = nil
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
  /// type that does not exist, which libpq refuses before it contacts a server. With a password it
  /// reads no password file.
  private static func given(_ target: ConnectionTarget) -> [String: String] {
    let keywords = target.conninfo == nil ? [] : ["dbname"]
    let handle = withConnectionParameters(
      keywords.map { ($0, target.conninfo ?? "") }
        + [("password", "none"), ("target_session_attrs", "none-such")]
    ) { PQconnectStartParams($0, $1, 1) }
    guard let handle else { return [:] }
    defer { PQfinish(handle) }
    guard let options = PQconninfo(handle) else { return [:] }
    defer { PQconninfoFree(options) }
    return Dictionary(
      connectionOptions(options).filter { !$0.isSecret && !$0.value.isEmpty }
        .map { ($0.keyword, $0.value) }, uniquingKeysWith: { _, last in last })
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
    return !places.allSatisfy { place in
      place.hasPrefix("/") || place.hasPrefix("@") || place.lowercased() == "localhost"
        || place == "::1" || isLoopback(String(place))
    }
  }

  private static func isLoopback(_ text: String) -> Bool {
    var address = in_addr()
    guard inet_pton(AF_INET, text, &address) == 1 else { return false }
    return UInt32(bigEndian: address.s_addr) >> 24 == 127
  }

  /// True when libpq's default root certificate file exists.
  private static var hasOwnRootCertificate: Bool {
    access("\(home)/.postgresql/root.crt", F_OK) == 0
  }

  private static var home: String {
    ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
  }

  private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

/// One libpq option.
struct ConnectionOption {
  let keyword: String
  let value: String
  /// True for a password; libpq marks these for programs that display options.
  let isSecret: Bool
}

/// The options of a libpq list that have a value.
func connectionOptions(_ list: UnsafeMutablePointer<PQconninfoOption>) -> [ConnectionOption] {
  var found: [ConnectionOption] = []
  var option = list
  while let keyword = option.pointee.keyword {
    if let value = option.pointee.val {
      let mark = option.pointee.dispchar.map { String(cString: $0) }
      found.append(
        ConnectionOption(
          keyword: String(cString: keyword), value: String(cString: value), isSecret: mark == "*"))
    }
    option += 1
  }
  return found
}

/// The value of one option of a connection or an attempt; nil: it has none.
func connectionOption(_ keyword: String, of handle: OpaquePointer) -> String? {
  guard let options = PQconninfo(handle) else { return nil }
  defer { PQconninfoFree(options) }
  return connectionOptions(options).first { $0.keyword == keyword }?.value
}

/// Passes the parameters to `body` in libpq's layout; the pointers are valid only during the call.
func withConnectionParameters<Value>(
  _ parameters: [(keyword: String, value: String)],
  _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value?
) -> Value? {
  let keywords = parameters.map { strdup($0.keyword) } + [nil]
  let values = parameters.map { strdup($0.value) } + [nil]
  defer { (keywords + values).forEach { free($0) } }
  return keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
    values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
      guard let keywords = keywords.baseAddress, let values = values.baseAddress else { return nil }
      return body(keywords, values)
    }
  }
}
