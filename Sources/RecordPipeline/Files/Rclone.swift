internal import CProcess
internal import Glibc

/// The program that lists and reads storages, with the environment for its processes.
struct Rclone: Sendable {
  /// The program of this process; found when it is first needed.
  static let shared = Result { () throws(ReadError) -> Rclone in
    ObjectFolder.removeAbandoned()
    return try Rclone(environment: processEnvironment)
  }

  private let program: String
  private let environment: [String: String]
  private let s3Settings: Result<[String: String], ReadError>
  /// Values that no message may show.
  private let secrets: [String]

  init(environment: [String: String]) throws(ReadError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    guard let folder = folders.first(where: { access("\($0)/rclone", X_OK) == 0 }) else {
      throw ReadError(
        .storageUnavailable,
        "s3:// and rclone: are read through rclone, which is not on PATH; install it (Debian: apt-get "
          + "install rclone)")
    }
    program = "\(folder)/rclone"
    s3Settings = Result { () throws(ReadError) in try Self.s3Settings(environment) }
    secrets = environment.filter { name, value in
      (name.hasPrefix("AWS_") || name.hasPrefix("RCLONE_")) && value.utf8.count >= 8
        && ["KEY", "SECRET", "TOKEN", "PASS", "CREDENTIALS", "USER"].contains { name.contains($0) }
    }.map(\.value)
    var variables = environment
    // With this variable rclone does not start; it has one of its own for the same.
    if let bundle = variables.removeValue(forKey: "AWS_CA_BUNDLE"), !bundle.isEmpty,
      variables["RCLONE_CA_CERT"] == nil
    {
      variables["RCLONE_CA_CERT"] = bundle
    }
    self.environment = variables
  }

  /// - Throws: `ReadError` when the settings for a name cannot be used.
  func check(_ name: StorageName) throws(ReadError) {
    if name.isS3 { _ = try s3Settings.get() }
  }

  private static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    var next = gbi_environment()
    while let entry = next?.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1)
      if let name = parts.first {
        variables[String(name)] = parts.count > 1 ? String(parts[1]) : ""
      }
      next = next?.successor()
    }
    return variables
  }

  // MARK: - S3

  /// The variables that describe the remote of `s3://`.
  ///
  /// The credentials are those of AWS's own variables, profiles and roles, which rclone reads itself.
  private static func s3Settings(
    _ environment: [String: String]
  ) throws(ReadError) -> [String: String] {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    var settings = ["type": "s3", "provider": "AWS", "env_auth": "true"]
    settings["region"] = first("AWS_REGION", "AWS_DEFAULT_REGION")
    if let endpoint = first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
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
    var variables = ["RCLONE_CONFIG": "/dev/null"]
    for (name, value) in settings {
      variables["RCLONE_CONFIG_\(StorageName.s3Remote)_\(name)".uppercased()] = value
    }
    return variables
  }

  /// True for an address of `https`, or of `http` on this machine, without user, path and query.
  private static func isUsable(endpoint: String) -> Bool {
    let parts = endpoint.wholeMatch(of: #/(?i)(https?)://(\[[0-9a-f:]+\]|[^/?#@:\s]+)(:[0-9]+)?/?/#)
    guard let (_, scheme, host, _) = parts?.output else { return false }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    let isHere =
      host == "localhost" || host == "[::1]"
      || (numbers.count == 4 && !numbers.contains(nil) && numbers[0] == 127)
    return scheme.lowercased() == "https" || isHere
  }

  // MARK: - Processes

  /// Otherwise rclone goes on where a connection broke off, also in another version of the object.
  static let readsInOnePiece = "--low-level-retries=1"

  /// Starts rclone.
  ///
  /// - Parameters:
  ///   - source: the storage's folder or object, as rclone calls it; stands behind the other arguments.
  ///   - rest: arguments behind it.
  func start(
    _ arguments: [String], source: String, _ rest: [String] = [], output: Int32? = nil,
    largestFile: Int? = nil
  ) throws(ReadError) -> ChildProcess {
    var variables = environment
    if source.hasPrefix(StorageName.s3Remote + ":"), case .success(let settings) = s3Settings {
      variables.merge(settings) { $1 }
    }
    return try ChildProcess(
      [program] + arguments + ["--ask-password=false", source] + rest,
      environment: variables.map { "\($0.key)=\($0.value)" }, output: output,
      largestFile: largestFile)
  }

  /// Starts rclone, and returns its output.
  func startReading(
    _ arguments: [String], source: String
  ) throws(ReadError) -> (process: ChildProcess, output: DescriptorSource) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, Int32(O_CLOEXEC)) == 0 else { throw ObjectFolder.failure(errno) }
    let output = DescriptorSource(ends[0])
    defer { close(ends[1]) }
    return (try start(arguments, source: source, output: ends[1]), output)
  }

  // MARK: - Messages

  /// The last message of a process, about one object if there is one about it, without the object's name and secrets.
  func message(of process: ChildProcess, about name: String? = nil) -> String {
    let entries = process.text.split(separator: #/(?:^|\n)\d{4}/\d\d/\d\d \d\d:\d\d:\d\d /#).map {
      entry in
      entry.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
    let mark = name.map { "ERROR : \($0.split(separator: " ").joined(separator: " ")): " }
    var text = entries.last.map { String($0) } ?? "it ended without a message"
    if let mark, let entry = entries.last(where: { $0.hasPrefix(mark) }) {
      text = String(entry.dropFirst(mark.count))
    } else {
      for head in [
        #/^.*last error was: /#, #/^Failed to create file system for ".*?": /#, #/^[^:]*: /#,
      ] {
        guard let found = text.firstMatch(of: head) else { continue }
        text = String(text[found.range.upperBound...])
        break
      }
    }
    return masked(text)
  }

  private func masked(_ text: String) -> String {
    var text = text
    for secret in secrets {
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
}
