internal import Foundation

/// The credentials of a request; never printed.
struct Credentials: Sendable, Equatable {
  let keyID: String
  let secret: String
  /// The token of temporary credentials; nil for lasting ones.
  var sessionToken: String?
  /// Seconds since 1970-01-01 UTC; nil: they do not expire.
  var expiry: Double?
}

/// The settings of the storage, as the usual variables and files of AWS have them.
struct StorageSettings: Sendable, Equatable {
  /// nil: the region of the instance, if its role is used.
  var region: String?
  /// Such as `https://storage.example`; nil: that of AWS in the region.
  let endpoint: String?
  /// nil: the role of the instance.
  let credentials: Credentials?

  /// - Parameters:
  ///   - environment: the variables of the process.
  ///   - read: the text of a file; nil when it cannot be read.
  /// - Throws: `StorageError` when a value cannot be used.
  init(
    environment: [String: String], read: (String) -> String?
  ) throws(StorageError) {
    func variable(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0]?.trimmingCharacters(in: .whitespacesAndNewlines) }
        .first { !$0.isEmpty }
    }
    let home = (variable("HOME") ?? "") + "/.aws/"
    let name = variable("AWS_PROFILE") ?? "default"
    let secrets = ProfileFile(
      read(variable("AWS_SHARED_CREDENTIALS_FILE") ?? home + "credentials") ?? "")
    let config = ProfileFile(read(variable("AWS_CONFIG_FILE") ?? home + "config") ?? "")
    // Only the section `default` of the configuration has no word before its name.
    let sections = [secrets[name], config[name == "default" ? name : "profile \(name)"]]
    if variable("AWS_PROFILE") != nil, sections.allSatisfy({ $0 == nil }) {
      throw StorageError(
        .denied,
        "may not be read: AWS_PROFILE names the profile \(name), which no file has; correct it")
    }
    let profile = sections.reduce(into: [String: String]()) { all, section in
      all.merge(section ?? [:]) { first, _ in first }
    }
    region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? profile["region"]
    let endpoint =
      variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? profile["endpoint_url"]
    self.endpoint = try endpoint.map { address throws(StorageError) in
      try Self.checked(address)
    }
    if let region, !region.utf8.allSatisfy(Self.isRegionByte) {
      throw StorageError(.denied, "may not be read: AWS_REGION is no name of a region; correct it")
    }
    if let found = try Self.credentials(
      variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
      variable("AWS_SESSION_TOKEN"), place: "the environment")
    {
      credentials = found
      return
    }
    credentials = try Self.credentials(
      profile["aws_access_key_id"], profile["aws_secret_access_key"],
      profile["aws_session_token"], place: "the profile \(name)")
    guard credentials == nil else { return }
    for key in ["role_arn", "sso_session", "sso_start_url", "credential_process"]
    where profile[key] != nil {
      throw StorageError(
        .denied,
        "may not be read: the profile \(name) gets its credentials by \(key), which is not supported; set "
          + "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, as aws configure "
          + "export-credentials prints them")
    }
  }

  /// - Throws: `StorageError` when only one half is set, or a byte cannot stand in a header.
  private static func credentials(
    _ keyID: String?, _ secret: String?, _ token: String?, place: String
  ) throws(StorageError) -> Credentials? {
    if keyID == nil, secret == nil { return nil }
    guard let keyID, let secret else {
      throw StorageError(
        .denied,
        "may not be read: \(place) has only one of the access key's two parts; set both, or neither"
      )
    }
    guard (keyID + secret + (token ?? "")).utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw StorageError(
        .denied,
        "may not be read: the credentials of \(place) have a character that none has; set them anew"
      )
    }
    return Credentials(keyID: keyID, secret: secret, sessionToken: token)
  }

  private static func isRegionByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// An endpoint without its last slash.
  ///
  /// - Throws: `StorageError` unless it is an address of `https`, or of `http` on this machine.
  private static func checked(_ address: String) throws(StorageError) -> String {
    guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      ["", "/"].contains(parts.path)
    else {
      // The address is not printed, because it can hold a password.
      throw StorageError(
        .denied,
        "cannot be read: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is no address such as "
          + "https://storage.example; correct it")
    }
    let scheme = parts.scheme?.lowercased()
    guard scheme == "https" || (scheme == "http" && isLoopback(host)) else {
      throw StorageError(
        .denied,
        "cannot be read: the storage at \(host) is named without https, which would show the data to "
          + "others; name it with https://")
    }
    return address.hasSuffix("/") ? String(address.dropLast()) : address
  }

  /// True for a host that is this machine.
  static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return host == "localhost" || host == "[::1]" || host == "::1"
      || (parts.count == 4 && !parts.contains(nil) && parts[0] == 127)
  }
}

/// A file of profiles, such as `~/.aws/credentials`.
///
/// Indented lines belong to the setting above them, and none of those matters here.
struct ProfileFile {
  private var sections: [String: [String: String]] = [:]

  init(_ text: String) {
    var section: String?
    for line in text.split(whereSeparator: \.isNewline) {
      guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else {
        continue
      }
      if first == "[" {
        let name = line.dropFirst().prefix { $0 != "]" }
        // Blanks between the words do not count.
        section = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let section { sections[section, default: [:]] = sections[section] ?? [:] }
      } else if let section, let equals = line.firstIndex(of: "=") {
        let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        let name = line[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
        if !value.isEmpty { sections[section]?[name] = value }
      }
    }
  }

  /// The settings of a section; nil: the file has none of that name.
  subscript(_ section: String) -> [String: String]? { sections[section] }
}

/// A variable of the process; nil when it is not set, or empty.
func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
