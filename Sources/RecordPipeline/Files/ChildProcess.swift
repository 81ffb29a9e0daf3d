internal import CProcess
internal import Glibc

/// A program that runs beside this one, and ends with the thread that started it.
final class ChildProcess {
  private let number: pid_t
  /// What the program writes to its standard error: a file without a name.
  private let messages: Int32
  /// The exit code; nil: it runs.
  private(set) var exitCode: Int32?

  /// - Parameters:
  ///   - command: the path of the program, and its arguments.
  ///   - environment: each variable as `NAME=value`.
  ///   - output: its standard output; nil: with the messages.
  ///   - largestFile: the bytes above which a write to a file fails; nil: any.
  /// - Throws: `ReadError` when it cannot be started.
  init(
    _ command: [String], environment: [String], output: Int32?, largestFile: Int? = nil
  ) throws(ReadError) {
    messages = try temporaryFile()
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    number = gbi_start(
      arguments, variables, nil, output ?? messages, messages, 1, Int64(largestFile ?? 0))
    guard number > 0 else {
      throw ReadError(
        .storageUnavailable, "cannot be read: rclone does not start: \(describe(errno))")
    }
  }

  deinit {
    end()
    close(messages)
  }

  /// True once the program has ended.
  func hasEnded() -> Bool {
    take(WNOHANG)
    return exitCode != nil
  }

  /// Waits for the end of the program.
  ///
  /// - Parameter isInterrupted: asked every 20 ms; true ends the program.
  func wait(isInterrupted: () -> Bool = { false }) -> Int32 {
    while !hasEnded() {
      if isInterrupted() { end() } else { usleep(20_000) }
    }
    return exitCode ?? -1
  }

  /// Ends the program.
  func end() {
    guard exitCode == nil else { return }
    kill(number, SIGKILL)
    take(0)
  }

  private func take(_ flags: Int32) {
    guard exitCode == nil else { return }
    var status: Int32 = 0
    var ended = waitpid(number, &status, flags)
    while ended < 0, errno == EINTR { ended = waitpid(number, &status, flags) }
    guard ended != 0 else { return }
    let signal = status & 0x7F
    exitCode = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// The end of what the program has written to its standard error.
  var text: String {
    let length = Int(lseek(messages, 0, SEEK_END))
    let count = min(max(length, 0), Self.longestText)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(
        0, pread(messages, buffer.baseAddress, count, off_t(max(length, 0) - count)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let longestText = 256 * 1024
}

/// The folder for files that live as long as their process.
var temporaryFolder: String {
  let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  return named.isEmpty ? "/tmp" : named
}

/// An open file that has no name.
private func temporaryFile() throws(ReadError) -> Int32 {
  var name = Array("\(temporaryFolder)/gamebase-ingest-XXXXXX".utf8CString)
  let descriptor = mkostemp(&name, O_CLOEXEC)
  guard descriptor >= 0 else { throw ObjectFolder.failure(errno) }
  unlink(name)
  return descriptor
}
