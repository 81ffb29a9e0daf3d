internal import CLibpq
internal import Foundation

/// What a connection is made with, beside what was given: safe where nothing was said.
///
/// Whatever was given stays, wherever it was: the connection string, the environment, or a service
/// file. The one thing that cannot be overruled is the client encoding.
struct ConnectionSettings: Sendable {
  /// For `PQconnectdbParams`, in order: what stands before `dbname` can be overruled by the
  /// connection string, what stands after cannot.
  let parameters: [(keyword: String, value: String)]
  /// Set when the connection goes to another machine by a weaker `sslmode` than `verify-full`, which
  /// somebody must have asked for.
  let notice: String?
  /// How long one attempt may take.
  let connectSeconds: Int

  /// - Parameter trustStores: files with the certificates of public authorities; the first that is
  ///   there is used where no root certificate is named.
  init(
    _ target: ConnectionTarget, applicationName: String,
    trustStores: [String] = Self.distributionTrustStores
  ) {
    let given = Self.given(target)
    var defaults = [("fallback_application_name", applicationName)]
    defaults += Self.patience.filter { given[$0.0] == nil }
    // libpq's own default falls back to clear text, and asks nobody who he is.
    let isRemote = Self.isRemote(given)
    let mode = Self.isModeGiven(target, given) ? given["sslmode"] : nil
    var required: [(String, String)] = []
    if isRemote, mode == nil { required.append(("sslmode", "verify-full")) }
    if isRemote, mode ?? "verify-full" == "verify-full", given["sslrootcert"] == nil,
      !Self.hasOwnRootCertificate, let store = trustStores.first(where: Self.isReadable)
    {
      required.append(("sslrootcert", store))
    }
    parameters =
      defaults + (target.conninfo.map { [("dbname", $0)] } ?? []) + required
      + [("client_encoding", "UTF8")]
    // None, or less than one, is libpq's word for any time.
    connectSeconds =
      given["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 15
    if isRemote, let mode, mode != "verify-full" {
      notice =
        "the connection to \(given["host"] ?? given["hostaddr"] ?? "the server") uses sslmode "
        + "\(mode), as it was told to: \(Self.weakness[mode] ?? "the server's name is not checked")"
    } else {
      notice = nil
    }
  }

  /// Waits end: a network that swallows packets must not hold a load for hours.
  private static let patience = [
    ("connect_timeout", "15"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
    ("keepalives_count", "6"), ("tcp_user_timeout", "120000"),
  ]

  /// Where distributions keep them: Debian, Fedora and Red Hat, openSUSE, Alpine.
  static let distributionTrustStores = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  private static let weakness = [
    "disable": "everything goes in clear text",
    "allow": "everything may go in clear text",
    "prefer": "everything may go in clear text",
    "require": "the server's certificate is not checked",
    "verify-ca": "the server's name is not checked",
  ]

  // MARK: - What was given

  /// The options as libpq finds them in connection string, service file and environment, and its own
  /// defaults; those without a value are left out.
  ///
  /// libpq reads all of that only when it connects. So it is asked for a session of a kind that does
  /// not exist, which it refuses before it looks for any server.
  private static func given(_ target: ConnectionTarget) -> [String: String] {
    let keywords = target.conninfo == nil ? [] : ["dbname"]
    let handle = withConnectionParameters(
      keywords.map { ($0, target.conninfo ?? "") } + [("target_session_attrs", "none-such")]
    ) { PQconnectStartParams($0, $1, 1) }
    guard let handle else { return [:] }
    defer { PQfinish(handle) }
    guard let options = PQconninfo(handle) else { return [:] }
    defer { PQconninfoFree(options) }
    return Dictionary(
      connectionOptions(options).filter { !$0.isSecret && !$0.value.isEmpty }
        .map { ($0.keyword, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// True when somebody asked for a mode.
  ///
  /// libpq says "prefer" both when that was asked for and when nothing was. In a service file the two
  /// cannot be told apart, and count as nothing.
  private static func isModeGiven(_ target: ConnectionTarget, _ given: [String: String]) -> Bool {
    guard given["sslmode"] == "prefer" else { return given["sslmode"] != nil }
    let environment = ProcessInfo.processInfo.environment["PGSSLMODE"]
    return target.namesSSLMode || environment?.isEmpty == false
  }

  /// True unless every server is reached by a socket, or by a name or address of this machine.
  ///
  /// A name counts as it is written: what it means, the network decides.
  private static func isRemote(_ given: [String: String]) -> Bool {
    // There is always a port; what libpq could not read is not to be trusted.
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

  /// True when there is the file that libpq looks at by itself.
  private static var hasOwnRootCertificate: Bool {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
    return access("\(home)/.postgresql/root.crt", F_OK) == 0
  }

  private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}

/// One option of libpq's.
struct ConnectionOption {
  let keyword: String
  let value: String
  /// True when it is a password: libpq marks those for programs that show options.
  let isSecret: Bool
}

/// The options of a list of libpq's that have a value.
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

/// Lays parameters out as libpq wants them, for the time of one call.
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
