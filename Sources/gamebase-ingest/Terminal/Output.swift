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

  /// As given; `-`, or no path, is standard output.
  let path: String
  /// For messages, such as `the report report.json`.
  private let name: String
  /// The mode of a file that is replaced or new; nil: that of the replaced file, or the usual one.
  private let mode: mode_t?
  /// The state after a failure, such as `nothing was loaded`; nil: it says nothing.
  private let state: String?

  /// - Parameter what: such as `the report`, for messages.
  init(_ path: String?, _ what: String? = nil, mode: mode_t? = nil, state: String? = nil) {
    self.path = path ?? "-"
    name = self.path == "-" ? "to standard output" : (what.map { "\($0) " } ?? "") + self.path
    (self.mode, self.state) = (mode, state)
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

  /// The file behind links, its mode, and the place to write: a temporary file in the same folder, or itself
  /// if it is a pipe or device.
  private var place: (file: String, part: String, mode: mode_t?) {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    var status = stat()
    let exists = stat(file, &status) == 0
    let isDirect = exists && status.st_mode & S_IFMT != S_IFREG
    return (
      file, isDirect ? file : "\(file).part-\(getpid())", exists ? status.st_mode & 0o7777 : nil
    )
  }

  /// Checks before the work whether the output can be written, and leaves nothing behind; all failures have
  /// the exit code 74.
  func check() throws(LoadError) {
    let (file, part, _) = place
    if path == "-" { return }
    if part != file {
      close(try open(part, O_CREAT | O_TRUNC))
      unlink(part)
    } else if access("\(file)/.", F_OK) == 0 {
      throw failure(EISDIR)
    } else if access(file, W_OK) != 0 {
      throw failure(errno)
    }
  }

  /// Calls `body` with a function that writes to the output; after an error the file is as before.
  func write<Value>(_ body: (Writer) throws -> Value) throws -> Value {
    func writer(_ descriptor: Int32) -> Writer {
      { guard Terminal.write($0, to: descriptor) else { throw failure(errno) } }
    }
    if path == "-" { return try body(writer(STDOUT_FILENO)) }
    let place = place
    guard !Self.inputs.contains(Self.identity(of: place.file) ?? "") else {
      throw failure(ETXTBSY)
    }
    let isFile = place.part != place.file
    let descriptor = try open(place.part, isFile ? O_CREAT | O_TRUNC : 0)
    // After the renaming there is no such file.
    defer { if isFile { unlink(place.part) } }
    let result = Result { try body(writer(descriptor)) }
    let error = close(descriptor) == 0 ? 0 : errno
    let value = try result.get()
    guard error == 0 else { throw failure(error) }
    if isFile, let mode = mode ?? place.mode { chmod(place.part, mode) }
    guard !isFile || rename(place.part, place.file) == 0 else { throw failure(errno) }
    return value
  }

  func write(_ content: Data) throws { try write { try $0(content) } }

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

  private func open(_ path: String, _ flags: Int32) throws(LoadError) -> Int32 {
    let deadline = Date(timeIntervalSinceNow: 1)
    while true {
      // The opening of a pipe would wait for its reader, and no signal would end it.
      let descriptor = Foundation.open(
        path, O_WRONLY | flags | O_NONBLOCK | O_CLOEXEC, mode ?? 0o644)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFL, O_WRONLY)
        return descriptor
      }
      guard errno == ENXIO, Date() < deadline else { throw failure(errno) }
      usleep(20_000)
    }
  }

  private func failure(_ code: Int32) -> LoadError {
    let known = [ENXIO: "nobody reads this pipe", ETXTBSY: "this command reads it"]
    let reason = known[code] ?? String(cString: strerror(code))
    return LoadError(
      .outputFailed, "cannot write \(name): \(reason)\(state.map { "; \($0)" } ?? "")")
  }
}
