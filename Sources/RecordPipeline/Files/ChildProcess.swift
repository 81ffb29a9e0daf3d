internal import CProcess
internal import Glibc

/// A program that runs beside this one, and ends with the thread that started it; its bytes are its standard output.
final class ChildProcess: ByteSource {
  private let number: pid_t
  /// The end of a pipe from which its standard output is read; -1: the output goes with the messages.
  let output: Int32
  /// A file in memory, which takes the standard error of the program.
  private let messages = gbi_private_file()
  /// The exit code, or 128 and the signal; nil: it runs.
  private(set) var exitCode: Int32?

  /// - Parameters:
  ///   - command: the path of the program, and its arguments.
  ///   - environment: each variable as `NAME=value`.
  ///   - largestFile: the bytes above which a write to a file fails; 0: any.
  /// - Throws: `ReadError` when it cannot be started.
  init(
    _ command: [String], environment: [String], isRead: Bool, largestFile: Int = 0
  ) throws(ReadError) {
    var ends = [-1, messages]
    let hasOutput = !isRead || pipe2(&ends, Int32(O_CLOEXEC)) == 0
    output = ends[0]
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    number =
      messages < 0 || !hasOutput
      ? -1 : gbi_start(arguments, variables, nil, ends[1], messages, 1, Int64(largestFile))
    let code = errno
    if isRead, ends[1] >= 0 { close(ends[1]) }
    guard number > 0 else {
      exitCode = -1
      throw ReadError(
        .storageUnavailable, "cannot be read: rclone does not start: \(describe(code))")
    }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
    close(messages)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadError) -> Int {
    try readBytes(of: output, into: buffer)
  }

  /// Waits for the end of the program.
  ///
  /// - Parameter isInterrupted: asked every 20 ms; true ends the program.
  func wait(isInterrupted: () -> Bool = { false }) -> Int32 {
    while true {
      take(WNOHANG)
      if let exitCode { return exitCode }
      if isInterrupted() { end() } else { usleep(20_000) }
    }
  }

  private func end() {
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
    let longest = 256 * 1024
    let start = max(0, lseek(messages, 0, SEEK_END) - off_t(longest))
    let bytes = [UInt8](unsafeUninitializedCapacity: longest) { buffer, initializedCount in
      initializedCount = max(0, pread(messages, buffer.baseAddress, longest, start))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Reads from an open file or pipe, and waits where it has nothing yet.
///
/// - Returns: the number of bytes; 0: the end.
func readBytes(
  of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(ReadError) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 { return count }
    switch errno {
    case EINTR: continue
    // The parent process may have made standard input non-blocking.
    case EAGAIN:
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, -1)
    default: throw ReadError(.ioFailure, "cannot be read: \(describe(errno))")
    }
  }
}
