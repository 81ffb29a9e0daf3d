internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Logging
internal import Synchronization

/// The output of the commands: results on standard output, everything else on standard error.
enum Terminal {
  /// True when standard error is a terminal.
  static var isTerminal: Bool {
    isatty(STDERR_FILENO) == 1 && LogStyle.current.format == .text
  }

  /// Opens `/dev/null` for standard streams that were closed when the program started.
  ///
  /// Otherwise the connection to the server could get the descriptor of such a stream, and output
  /// would go into that connection. `/dev/null` is opened for the wrong direction, so every use
  /// fails as on a closed stream.
  static func holdStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a line of a result.
  ///
  /// - Throws: exit code 74 when the line cannot be written, because a lost result is no success.
  static func output(_ line: String) throws {
    guard write(line + "\n", to: STDOUT_FILENO) else {
      problem("cannot write to standard output: \(String(cString: strerror(errno)))")
      throw code(.outputFailed)
    }
  }

  /// Prints the result of a change; if that fails, a message says that the change is committed.
  ///
  /// - Parameter change: a noun for the message, such as "the undo"; nil: nothing was changed.
  static func output(of change: String?, _ write: () throws -> Void) throws {
    do { try write() } catch {
      if let change {
        problem("\(change) is committed; only its result could not be printed")
      }
      throw error
    }
  }

  private static let name = "gamebase-ingest: "

  /// Writes a line to standard error; a failed write is ignored.
  ///
  /// - Parameter line: may begin with the program's name, which the JSON format leaves out.
  static func note(_ line: String) {
    let message = line.hasPrefix(name) ? String(line.dropFirst(name.count)) : line
    write(message, .info, text: line)
  }

  /// Writes an error message as one line with the program's name before it.
  static func problem(_ message: String) {
    write(message, .error, text: name + printable(message))
  }

  /// Writes a warning as one line with the program's name before it.
  static func warning(_ message: String) {
    write(message, .warning, text: "\(name)warning: \(printable(message))")
  }

  private static func write(_ message: String, _ level: LogStyle.Level, text: String) {
    let line = LogStyle.current.line(message, level, text: text)
    _ = write(line + "\n", to: STDERR_FILENO)
  }

  /// Replaces the progress line on a terminal.
  static func overwrite(_ line: String) { _ = write("\r\u{1B}[K" + line, to: STDERR_FILENO) }

  static func code(_ code: Loading.ExitCode) -> any Error {
    ArgumentParser.ExitCode(code.rawValue)
  }

  /// Writes an error message and returns the error that ends the command.
  ///
  /// - Parameters:
  ///   - cause: the cause for programs, where it is finer than the exit code.
  ///   - detail: facts about the cause, by name; no value of a record.
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

/// The logger of all commands, which gives log entries the form of all other messages.
func commandLogger() -> Logger { Logger(label: "gamebase-ingest") { _ in TerminalLog() } }

/// Writes each entry as a line on standard error, without a time, because log collectors add one.
struct TerminalLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    if event.level == .warning {
      Terminal.warning("\(event.message)")
    } else {
      Terminal.problem("\(event.message)")
    }
  }
}

/// The form of the messages on standard error: for people, or one JSON object a line for log
/// collectors.
struct LogStyle: Sendable {
  enum Format: String, CaseIterable, Sendable { case text, json }

  /// The weight of a message.
  enum Level: String, Sendable { case error, warning, info }

  var format = Format.text

  private static let used = Mutex(LogStyle())

  /// The style of this process.
  static var current: LogStyle {
    get { used.withLock(\.self) }
    set { used.withLock { $0 = newValue } }
  }

  /// The line of a message.
  ///
  /// - Parameters:
  ///   - message: without the program's name.
  ///   - text: the line of the text format.
  func line(_ message: String, _ level: Level, text: String) -> String {
    guard format == .json else { return text }
    let event = Event(
      time: Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
      level: level.rawValue, message: message)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A structure of texts can always be encoded.
    return (try? encoder.encode(event)).map { printableJSON(String(decoding: $0, as: UTF8.self)) }
      ?? text
  }

  private struct Event: Encodable {
    /// RFC 3339 in UTC, by the clock of this machine.
    let time: String
    let level: String
    let message: String
  }
}

/// Quotes a text as one word of a command line that a user can paste into a shell.
func shellQuoted(_ text: String) -> String {
  let quoted = printable(text).replacing("'", with: #"'\''"#)
  return "'\(quoted)'"
}
