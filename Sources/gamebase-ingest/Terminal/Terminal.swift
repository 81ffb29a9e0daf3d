internal import ArgumentParser
internal import Foundation
internal import Loading

/// What the commands print: results on standard output, everything else on standard error.
enum Terminal {
  /// True when somebody watches standard error.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// Puts something in the place of standard streams that were closed when the program started.
  ///
  /// Else the next thing to be opened would get their numbers: what is printed would go into the
  /// connection to the server. What stands there fails on every use, as a closed stream does.
  static func holdStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is given out, and that is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a line of a result.
  ///
  /// - Throws: exit code 74 when it cannot be written: a result that is lost is no success.
  static func output(_ line: String) throws {
    guard write(line + "\n", to: STDOUT_FILENO) else {
      problem("cannot write to standard output: \(String(cString: strerror(errno)))")
      throw code(.outputFailed)
    }
  }

  /// Prints the result of a change that is committed, and says that it is when the result cannot be printed.
  ///
  /// - Parameter change: such as "the undo"; nil: nothing was changed.
  static func output(of change: String?, _ write: () throws -> Void) throws {
    do { try write() } catch {
      if let change {
        problem("\(change) is committed all the same; only its result is not printed")
      }
      throw error
    }
  }

  /// Writes a line for people; that it cannot be written is no reason to fail.
  static func note(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

  /// Says what went wrong, in one line and in the one form that all such lines have.
  static func problem(_ message: String) { note("gamebase-ingest: \(printable(message))") }

  /// Says what may go wrong, or went on with less, in the same form.
  static func warning(_ message: String) { problem("warning: \(message)") }

  /// Replaces the line that is being watched.
  static func overwrite(_ line: String) { _ = write("\r\u{1B}[K" + line, to: STDERR_FILENO) }

  static func code(_ code: Loading.ExitCode) -> any Error {
    ArgumentParser.ExitCode(code.rawValue)
  }

  /// Says what went wrong in one sentence and gives the error that ends the command.
  ///
  /// - Parameter cause: the cause, where the exit code alone does not tell it.
  static func failure(
    _ code: Loading.ExitCode, _ message: String, cause: ErrorCode? = nil,
    detail: [String: String] = [:]
  ) -> any Error {
    problem(message)
    return CommandFailure(
      exitCode: code, code: cause ?? ErrorCode(code) ?? .defect, message: message, detail: detail)
  }

  static func failure(_ error: LoadError) -> any Error {
    failure(error.exitCode, error.message, cause: error.code, detail: error.detail)
  }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(
          descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        if count < 0 {
          if errno == EINTR { continue }
          return false
        }
        offset += count
      }
      return true
    }
  }
}
