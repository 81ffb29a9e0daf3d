internal import Foundation
internal import Loading
internal import Synchronization

/// The output of a command: a file that an option names, or standard output.
///
/// A file is written beside its place and then renamed, so that no reader sees a half-written file. An
/// existing pipe or device is written to directly.
struct Output {
  /// Writes some bytes of an output.
  typealias Writer = (Data) throws -> Void

  /// nil: standard output.
  private let path: String?
  /// For messages, such as `the report report.json`.
  private let name: String
  /// The mode of a file that is replaced or new; nil: that of the replaced file, or the usual one.
  private let mode: mode_t?

  /// - Parameters:
  ///   - path: nil or `-` is standard output.
  ///   - what: such as `the report`, for messages.
  init(_ path: String?, _ what: String = "", mode: mode_t? = nil) {
    let file = path == "-" ? nil : path
    self.path = file.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    name = file.map { what.isEmpty ? $0 : "\(what) \($0)" } ?? "to standard output"
    self.mode = mode
  }

  // MARK: - Files that no output replaces

  private static let kept = Mutex(Set([identity(of: "/dev/stdin")].compactMap(\.self)))

  /// The identities of the files that this process reads, such as its key: no output replaces one.
  static var inputs: Set<String> { kept.withLock(\.self) }

  /// Keeps a file that this process reads from being replaced.
  static func keep(_ path: String) {
    guard let identity = identity(of: path) else { return }
    kept.withLock { _ = $0.insert(identity) }
  }

  /// A text that two names of one regular file have in common; nil: the path is none.
  static func identity(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  // MARK: - Writing

  /// The path of the temporary file, which is in the folder of the file.
  private static func part(of path: String) -> String { "\(path).part-\(getpid())" }

  /// Checks before the work whether the output can be written, and leaves nothing behind.
  ///
  /// - Parameter state: what is so after a failure, such as `nothing was loaded`.
  /// - Throws: `LoadError` with exit code 74 when it cannot be written.
  func check(_ state: String? = nil) throws(LoadError) {
    guard let path else { return }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(EISDIR, state) }
      guard access(path, W_OK) == 0 else { throw failure(errno, state) }
      return
    }
    let descriptor = Foundation.open(
      Self.part(of: path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode ?? 0o644)
    guard descriptor >= 0 else { throw failure(errno, state) }
    close(descriptor)
    unlink(Self.part(of: path))
  }

  /// Calls `body` with a function that writes to the output.
  ///
  /// - Throws: `LoadError` with exit code 74 when the output cannot be written; any error of `body`. A
  ///   file is then as before, and the temporary one is removed.
  func write<Value>(_ state: String? = nil, _ body: (Writer) throws -> Value) throws -> Value {
    func writer(_ descriptor: Int32) -> Writer {
      { guard Terminal.write($0, to: descriptor) else { throw failure(errno, state) } }
    }
    guard let path else { return try body(writer(STDOUT_FILENO)) }
    var status = stat()
    let exists = stat(path, &status) == 0
    guard !Self.inputs.contains(Self.identity(of: path) ?? "") else {
      throw failure(ETXTBSY, state)
    }
    let isFile = !exists || status.st_mode & S_IFMT == S_IFREG
    let place = isFile ? Self.part(of: path) : path
    let descriptor = try open(place, isFile ? O_CREAT | O_TRUNC : 0, state)
    var isInPlace = false
    defer { if isFile, !isInPlace { unlink(place) } }
    let result = Result { try body(writer(descriptor)) }
    let error = close(descriptor) == 0 ? 0 : errno
    let value = try result.get()
    guard error == 0 else { throw failure(error, state) }
    guard isFile else { return value }
    if let mode { chmod(place, mode) } else if exists { chmod(place, status.st_mode & 0o7777) }
    guard rename(place, path) == 0 else { throw failure(errno, state) }
    isInPlace = true
    return value
  }

  func write(_ content: Data, _ state: String? = nil) throws {
    try write(state) { try $0(content) }
  }

  /// Writes what a run leaves; a failure is a message.
  func isWritten(_ content: @autoclosure () throws -> Data) -> Bool {
    do {
      try write(content())
      return true
    } catch {
      Terminal.problem("\(error)")
      return false
    }
  }

  /// The seconds for which a pipe without a reader is tried.
  private static let waitForReader = 1.0

  private func open(_ path: String, _ flags: Int32, _ state: String?) throws(LoadError) -> Int32 {
    // Without a reader, the opening of a pipe would wait for one, and no signal would end it.
    let flags = O_WRONLY | flags | O_NONBLOCK | O_CLOEXEC
    let deadline = Date(timeIntervalSinceNow: Self.waitForReader)
    var descriptor = Foundation.open(path, flags, mode ?? 0o644)
    while descriptor < 0, errno == ENXIO, Date() < deadline {
      usleep(20_000)
      descriptor = Foundation.open(path, flags, mode ?? 0o644)
    }
    guard descriptor >= 0 else { throw failure(errno, state) }
    _ = fcntl(descriptor, F_SETFL, O_WRONLY)
    return descriptor
  }

  private func failure(_ code: Int32, _ state: String?) -> LoadError {
    let known = [ENXIO: "nobody reads this pipe", ETXTBSY: "this command reads it"]
    let reason = known[code] ?? String(cString: strerror(code))
    return LoadError(
      .outputFailed, "cannot write \(name): \(reason)\(state.map { "; \($0)" } ?? "")")
  }
}
