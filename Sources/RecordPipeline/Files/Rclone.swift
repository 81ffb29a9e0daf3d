internal import CProcess
internal import Glibc

/// A running rclone, the program that lists and reads storages.
///
/// It ends with the thread that started it, and its bytes are its standard output.
final class Rclone: ByteSource {
  private let number: pid_t
  /// The end of a pipe from which its standard output is read; -1: the output goes with the messages.
  let output: Int32
  /// A file in memory, which takes its standard error.
  private let messages: Int32
  /// The exit code, or 128 and the signal; nil: it runs.
  private(set) var exitCode: Int32?

  /// Otherwise rclone goes on where a connection broke off, also in another version of the object.
  static let readsInOnePiece = "--low-level-retries=1"

  /// - Parameters:
  ///   - source: the storage's folder or object, as rclone calls it.
  ///   - folder: the folder for copies; nil: the output is read.
  ///   - largestFile: the bytes above which a copy fails; 0: any.
  /// - Throws: `ReadError` when it cannot be started.
  init(
    _ arguments: [String], source: String, to folder: String? = nil, largestFile: Int = 0
  ) throws(ReadError) {
    let command =
      try [Self.program.get()] + arguments + ["--ask-password=false", source]
      + (folder.map { [$0] } ?? [])
    var variables = Self.environment
    if source.hasPrefix(StorageName.s3Remote + ":"), case .success(let settings) = Self.s3Settings {
      // Of two variables of one name the first counts.
      variables = settings + variables
    }
    messages = gbi_private_file()
    var ends = [-1, messages]
    let hasOutput = folder != nil || pipe2(&ends, Int32(O_CLOEXEC)) == 0
    output = ends[0]
    let texts: [[UnsafeMutablePointer<CChar>?]] = [command, variables].map { words in
      words.map { strdup($0) } + [nil]
    }
    defer { texts.joined().forEach { free($0) } }
    number =
      messages < 0 || !hasOutput
      ? -1 : gbi_start(texts[0], texts[1], nil, ends[1], messages, 1, Int64(largestFile))
    let code = errno
    if output >= 0 { close(ends[1]) }
    guard number > 0 else {
      exitCode = -1
      throw ReadError(
        .storageUnavailable, "cannot be read: rclone does not start: \(describe(code))")
    }
  }

  deinit {
    _ = wait { true }
    if output >= 0 { close(output) }
    close(messages)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    try readBytes(of: output, into: buffer)
  }

  /// Waits for its end.
  ///
  /// - Parameter isInterrupted: asked every 20 ms; true ends it.
  /// - Returns: the exit code.
  func wait(isInterrupted: () -> Bool = { false }) -> Int32 {
    while true {
      if let exitCode { return exitCode }
      var status: Int32 = 0
      if waitpid(number, &status, WNOHANG) == 0 {
        if isInterrupted() { kill(number, SIGKILL) }
        usleep(20_000)
      } else {
        let signal = status & 0x7F
        exitCode = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      }
    }
  }

  // MARK: - The program and its variables

  /// The path of the program; found when it is first needed.
  private static let program: Result<String, ReadError> = Result { () throws(ReadError) in
    ObjectFolder.removeAbandoned()
    let folders = variable("PATH")?.split(separator: ":") ?? []
    guard let folder = folders.first(where: { access("\($0)/rclone", X_OK) == 0 }) else {
      throw ReadError(
        .configuration,
        "s3:// and rclone: are read through rclone, which is not on PATH; install it (Debian: apt-get "
          + "install rclone)")
    }
    return "\(folder)/rclone"
  }

  /// The variables of this process, each as `NAME=value`.
  private static let environment: [String] = {
    var variables: [String] = []
    var next = gbi_environment()
    while let entry = next?.pointee {
      variables.append(String(cString: entry))
      next = next?.successor()
    }
    // With this variable rclone does not start; it has one of its own for the same.
    let ofAWS = "AWS_CA_BUNDLE"
    variables.removeAll { $0.hasPrefix("\(ofAWS)=") }
    if let bundle = variable(ofAWS), variable("RCLONE_CA_CERT") == nil {
      variables.append("RCLONE_CA_CERT=\(bundle)")
    }
    return variables
  }()

  /// A variable of the environment; nil: it is empty, or there is none.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Throws: `ReadError` when there is no rclone, or the settings for a name cannot be used.
  static func check(_ name: StorageName) throws(ReadError) {
    _ = try program.get()
    if name.isS3 { _ = try s3Settings.get() }
  }

  /// The variables that describe the remote of `s3://`.
  ///
  /// The credentials are those of AWS's own variables, profiles and roles, which rclone reads itself.
  private static let s3Settings: Result<[String], ReadError> = Result { () throws(ReadError) in
    var settings = ["type": "s3", "provider": "AWS", "env_auth": "true"]
    settings["region"] = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
    if let endpoint = variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL") {
      // Of `https`, or of `http` on this machine, without user, path and query.
      let here = #/(?i)http://(localhost|\[::1\]|127(\.[0-9]{1,3}){3})(:[0-9]+)?/?/#
      let secure = #/(?i)https://(\[[0-9a-f:]+\]|[^/?#@:\s]+)(:[0-9]+)?/?/#
      guard endpoint.wholeMatch(of: here) != nil || endpoint.wholeMatch(of: secure) != nil else {
        // The address is not printed, because it can hold a password.
        throw ReadError(
          .configuration,
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

  // MARK: - Messages

  /// The error of its failure.
  ///
  /// - Parameters:
  ///   - action: what did not happen, as a participle.
  ///   - name: of the object that the error is about, as rclone calls it; nil: it is about the only one, or a folder.
  ///   - places: where the cause may be.
  func failure(
    _ action: String = "fetched", about name: String? = nil, check places: String = "the storage"
  ) -> ReadError {
    ReadError(
      .storageUnavailable,
      "cannot be \(action): rclone ended with \(wait()): \(message(about: name)); check \(places), and run again"
    )
  }

  /// Its last message, about one object if there is one about it, without the object's name and secrets.
  private func message(about name: String?) -> String {
    let longest = 256 * 1024
    let start = max(0, lseek(messages, 0, SEEK_END) - off_t(longest))
    let bytes = [UInt8](unsafeUninitializedCapacity: longest) { buffer, initializedCount in
      initializedCount = max(0, pread(messages, buffer.baseAddress, longest, start))
    }
    let entries = String(decoding: bytes, as: UTF8.self)
      .split(separator: #/(?:^|\n)\d{4}/\d\d/\d\d \d\d:\d\d:\d\d /#)
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }
    let mark = name.map { "ERROR : \($0.split(separator: " ").joined(separator: " ")): " }
    if let mark, let entry = entries.last(where: { $0.hasPrefix(mark) }) {
      return Self.masked(entry.dropFirst(mark.count))
    }
    let head = #/.*last error was: |Failed to create file system for ".*?": |[^:]*: /#
    return Self.masked((entries.last ?? "it ended without a message").trimmingPrefix(head))
  }

  private static func masked(_ text: Substring) -> String {
    var text = String(text)
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
}
