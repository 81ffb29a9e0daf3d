internal import CProcess
internal import Glibc

/// The program that lists and reads storages.
struct Rclone: Sendable {
  /// The program of this process; found when it is first needed.
  static let shared = Result { () throws(ReadError) in
    ObjectFolder.removeAbandoned()
    return try Rclone()
  }

  private let program: String
  /// The variables of this process, each as `NAME=value`.
  private let environment: [String]
  private let s3Settings = Result { () throws(ReadError) in try Self.s3Settings() }

  private init() throws(ReadError) {
    let folders = Self.variable("PATH")?.split(separator: ":") ?? []
    guard let folder = folders.first(where: { access("\($0)/rclone", X_OK) == 0 }) else {
      throw ReadError(
        .storageUnavailable,
        "s3:// and rclone: are read through rclone, which is not on PATH; install it (Debian: apt-get "
          + "install rclone)")
    }
    program = "\(folder)/rclone"
    var variables: [String] = []
    var next = gbi_environment()
    while let entry = next?.pointee {
      variables.append(String(cString: entry))
      next = next?.successor()
    }
    // With this variable rclone does not start; it has one of its own for the same.
    let ofAWS = "AWS_CA_BUNDLE"
    variables.removeAll { $0.hasPrefix("\(ofAWS)=") }
    if let bundle = Self.variable(ofAWS), Self.variable("RCLONE_CA_CERT") == nil {
      variables.append("RCLONE_CA_CERT=\(bundle)")
    }
    environment = variables
  }

  /// A variable of the environment; nil: it is empty, or there is none.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Throws: `ReadError` when the settings for a name cannot be used.
  func check(_ name: StorageName) throws(ReadError) {
    if name.isS3 { _ = try s3Settings.get() }
  }

  // MARK: - S3

  /// The variables that describe the remote of `s3://`.
  ///
  /// The credentials are those of AWS's own variables, profiles and roles, which rclone reads itself.
  private static func s3Settings() throws(ReadError) -> [String] {
    var settings = ["type": "s3", "provider": "AWS", "env_auth": "true"]
    settings["region"] = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
    if let endpoint = variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") {
      guard isUsable(endpoint: endpoint) else {
        // The address is not printed, because it can hold a password.
        throw ReadError(
          .storageUnavailable,
          "AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is no address such as https://storage.example, and "
            + "without https only a storage on this machine is read; correct it")
      }
      settings["provider"] = "Other"
      settings["endpoint"] = endpoint
      settings["force_path_style"] = "true"
    }
    // Only this remote counts for s3://, whatever the user's configuration is.
    return ["RCLONE_CONFIG=/dev/null"]
      + settings.map { name, value in
        "RCLONE_CONFIG_\(StorageName.s3Remote)_\(name)".uppercased() + "=\(value)"
      }
  }

  /// True for an address of `https`, or of `http` on this machine, without user, path and query.
  private static func isUsable(endpoint: String) -> Bool {
    let here = #/(?i)http://(localhost|\[::1\]|127(\.[0-9]{1,3}){3})(:[0-9]+)?/?/#
    let secure = #/(?i)https://(\[[0-9a-f:]+\]|[^/?#@:\s]+)(:[0-9]+)?/?/#
    return endpoint.wholeMatch(of: here) != nil || endpoint.wholeMatch(of: secure) != nil
  }

  // MARK: - Processes

  /// Otherwise rclone goes on where a connection broke off, also in another version of the object.
  static let readsInOnePiece = "--low-level-retries=1"

  /// Starts rclone.
  ///
  /// - Parameters:
  ///   - source: the storage's folder or object, as rclone calls it.
  ///   - folder: the folder for copies; nil: the output is read.
  ///   - largestFile: the bytes above which a copy fails; 0: any.
  func start(
    _ arguments: [String], source: String, to folder: String? = nil, largestFile: Int = 0
  ) throws(ReadError) -> ChildProcess {
    var variables = environment
    if source.hasPrefix(StorageName.s3Remote + ":"), case .success(let settings) = s3Settings {
      // Of two variables of one name the first counts.
      variables = settings + environment
    }
    let command =
      [program] + arguments + ["--ask-password=false", source] + (folder.map { [$0] } ?? [])
    return try ChildProcess(
      command, environment: variables, isRead: folder == nil, largestFile: largestFile)
  }

  // MARK: - Messages

  /// The last message of a process, about one object if there is one about it, without the object's name and secrets.
  func message(of process: ChildProcess, about name: String? = nil) -> String {
    let entries = process.text.split(separator: #/(?:^|\n)\d{4}/\d\d/\d\d \d\d:\d\d:\d\d /#).map {
      entry in
      entry.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
    var text = entries.last ?? "it ended without a message"
    let mark = name.map { "ERROR : \($0.split(separator: " ").joined(separator: " ")): " }
    if let mark, let entry = entries.last(where: { $0.hasPrefix(mark) }) {
      return masked(String(entry.dropFirst(mark.count)))
    }
    let head = #/.*last error was: |Failed to create file system for ".*?": |[^:]*: /#
    if let found = text.prefixMatch(of: head) { text.removeSubrange(found.range) }
    return masked(text)
  }

  private func masked(_ text: String) -> String {
    var text = text
    let name = #/(?s)(?:AWS|RCLONE)_[^=]*(?:KEY|SECRET|TOKEN|PASS|CREDENTIALS|USER)[^=]*=(.{8,})/#
    for secret in environment.compactMap({ $0.wholeMatch(of: name)?.output.1 }) {
      text = text.split(separator: secret, omittingEmptySubsequences: false).joined(
        separator: "***")
    }
    text.replace(#/://[^\s/@]+@/#, with: "://***@")
    text.replace(#/(://[^\s?"]*)\?[^\s"]*/#) { $0.output.1 }
    text.replace(/(?i)((?:key|secret|token|password|pass|signature|credential)[^\s=]*=)[^\s&,;]+/) {
      $0.output.1 + "***"
    }
    return String(text.prefix(500))
  }

  /// The error of an object that did not come.
  func failure(_ code: Int32, of process: ChildProcess, about name: String? = nil) -> ReadError {
    ReadError(
      .storageUnavailable,
      "cannot be fetched: rclone ended with \(code): \(message(of: process, about: name)); check the storage, and run "
        + "again")
  }
}
