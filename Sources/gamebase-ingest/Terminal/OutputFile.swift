internal import Foundation
internal import Loading
internal import Synchronization

/// A file that an option names for output.
struct OutputFile {
  private let path: String
  /// The mode of a file that is replaced or new; nil: that of the replaced file, or the usual one.
  private let mode: mode_t?

  /// The reason why the file cannot be written, as the system describes it.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
      // Foundation describes most of these errors by a number only.
      let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let code = system?.domain == NSPOSIXErrorDomain ? system.map { Int32($0.code) } : nil
      description = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
    }

    fileprivate init(errno code: Int32) {
      let known = [ENXIO: "nobody reads this pipe", ETXTBSY: "this command reads it"]
      description = known[code] ?? String(cString: strerror(code))
    }
  }

  /// The seconds for which a pipe without a reader is tried.
  private static let waitForReader = 1.0

  private static let kept = Mutex(Set([identity(of: "/dev/stdin")].compactMap(\.self)))

  /// The identities of the files that this process reads, such as its key: no output replaces one.
  static var inputs: Set<String> { kept.withLock(\.self) }

  /// Keeps a file that this process reads from being replaced.
  static func keep(_ path: String) {
    guard let identity = identity(of: path) else { return }
    kept.withLock { _ = $0.insert(identity) }
  }

  init(_ path: String, mode: mode_t? = nil) {
    self.mode = mode
    self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// A text that two names of one regular file have in common; nil: the path is none.
  static func identity(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Checks whether the file can be written, and leaves nothing behind.
  ///
  /// - Throws: `Failure` when it cannot be written.
  func check() throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure(errno: EISDIR) }
      guard access(path, W_OK) == 0 else { throw Failure(errno: errno) }
      return
    }
    let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode ?? 0o644)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    close(descriptor)
    unlink(part)
  }

  /// The path of the temporary file, which is in the folder of the file.
  private var part: String { "\(path).part-\(getpid())" }

  /// Writes a temporary file and renames it, so that no reader sees a half-written file.
  ///
  /// An existing pipe or device is written to directly.
  ///
  /// - Throws: `Failure` when the file cannot be opened or renamed, and any error of `body`. The
  ///   temporary file is removed then.
  func write<Value>(_ body: (FileHandle) throws -> Value) throws -> Value {
    var status = stat()
    let exists = stat(path, &status) == 0
    if Self.inputs.contains(Self.identity(of: path) ?? "") { throw Failure(errno: ETXTBSY) }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return try write(path, flags: O_WRONLY, body)
    }
    var isInPlace = false
    defer { if !isInPlace { unlink(part) } }
    let value = try write(part, flags: O_WRONLY | O_CREAT | O_TRUNC, body)
    if let mode { chmod(part, mode) } else if exists { chmod(part, status.st_mode & 0o7777) }
    guard rename(part, path) == 0 else { throw Failure(errno: errno) }
    isInPlace = true
    return value
  }

  private func write<Value>(
    _ path: String, flags: Int32, _ body: (FileHandle) throws -> Value
  ) throws -> Value {
    // Without a reader, the opening of a pipe would wait for one, and no signal would end it.
    let deadline = Date(timeIntervalSinceNow: Self.waitForReader)
    var descriptor = open(path, flags | O_NONBLOCK | O_CLOEXEC, mode ?? 0o644)
    while descriptor < 0, errno == ENXIO, Date() < deadline {
      usleep(20_000)
      descriptor = open(path, flags | O_NONBLOCK | O_CLOEXEC, mode ?? 0o644)
    }
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    _ = fcntl(descriptor, F_SETFL, flags & O_ACCMODE)
    let file = FileHandle(fileDescriptor: descriptor)
    defer { try? file.close() }
    let value = try body(file)
    do { try file.close() } catch { throw Failure(error) }
    return value
  }
}

/// The output of a command: a file that an option names, or standard output.
struct Output {
  /// nil: standard output.
  private let path: String?
  /// Such as `the report`, for messages.
  private let what: String
  private let file: OutputFile?

  /// - Parameters:
  ///   - path: nil or `-` is standard output.
  ///   - mode: that of `OutputFile`.
  init(_ path: String?, _ what: String = "", mode: mode_t? = nil) {
    self.path = path == "-" ? nil : path
    self.what = what
    file = self.path.map { OutputFile($0, mode: mode) }
  }

  var isStandardOutput: Bool { path == nil }

  /// Checks before the work whether the output can be written.
  ///
  /// - Parameter state: what is so after a failure, such as `nothing was loaded`.
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written.
  func check(_ state: String? = nil) throws { try failing(state) { try file?.check() } }

  /// Calls `body` with standard output, or with a temporary file that replaces the file at the end.
  ///
  /// - Throws: `CommandFailure` with exit code 74 when it cannot be written; the file is then as
  ///   before. Any other error of `body`.
  func write<Value>(
    _ state: String? = nil, _ body: (FileHandle) throws -> Value
  ) throws -> Value {
    try failing(state) { try file?.write(body) ?? body(.standardOutput) }
  }

  func write(_ content: Data, _ state: String? = nil) throws {
    try write(state) { try $0.writeAll(content) }
  }

  private func failing<Value>(_ state: String?, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as OutputFile.Failure {
      let place = path.map { what.isEmpty ? $0 : "\(what) \($0)" } ?? "to standard output"
      throw Terminal.failure(
        .outputFailed, "cannot write \(place): \(error)\(state.map { "; \($0)" } ?? "")")
    }
  }
}

extension FileHandle {
  /// - Throws: `OutputFile.Failure`.
  func writeAll(_ content: Data) throws {
    do { try write(contentsOf: content) } catch { throw OutputFile.Failure(error) }
  }
}
