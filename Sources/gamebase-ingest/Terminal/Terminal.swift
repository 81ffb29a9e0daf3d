internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Synchronization

/// The form of an output: for people or for programs.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

/// The output of the commands: results on standard output, everything else on standard error.
enum Terminal {
  private static let usedFormat = Mutex(OutputFormat.text)

  /// The form of the messages of this process; of JSON, each has a line.
  static var format: OutputFormat {
    get { usedFormat.withLock(\.self) }
    set { usedFormat.withLock { $0 = newValue } }
  }

  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 && format == .text }

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

  /// Writes a line of a result, or throws 74, because a lost result is no success.
  static func output(_ line: String) throws {
    guard write(Data("\(line)\n".utf8), to: STDOUT_FILENO) else {
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

  /// Writes a line to standard error; a failed write is ignored.
  static func note(_ line: String) { write(line, "info", text: line) }

  /// Writes an error message as one line with the program's name before it.
  static func problem(_ message: String) {
    write(message, "error", text: "gamebase-ingest: \(printable(message))")
  }

  /// Writes a warning as one line with the program's name before it.
  static func warning(_ message: String) {
    write(message, "warning", text: "gamebase-ingest: warning: \(printable(message))")
  }

  private static func write(_ message: String, _ level: String, text: String) {
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let event = ["time": time, "level": level, "message": message]
    // A dictionary of texts can always be encoded.
    let json = format == .json ? try? jsonText(event) : nil
    _ = write(Data("\(json ?? text)\n".utf8), to: STDERR_FILENO)
  }

  /// Replaces the progress line on a terminal.
  static func overwrite(_ line: String) {
    _ = write(Data("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
  }

  static func code(_ code: Loading.ExitCode) -> any Error {
    ArgumentParser.ExitCode(code.rawValue)
  }

  /// Writes bytes to a file or stream; false: `errno` has the reason of the failure.
  static func write(_ content: Data, to descriptor: Int32) -> Bool {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}

// MARK: - Texts

/// A value as JSON on one line, with sorted keys in snake case, safe to show on a terminal.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.keyEncodingStrategy = .convertToSnakeCase
  return printableJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
}

/// Quotes a text as one word of a command line that a user can paste into a shell.
func shellQuoted(_ text: String) -> String {
  "'" + printable(text).replacing("'", with: #"'\''"#) + "'"
}

/// Joins names for a sentence, with a conjunction before the last one: `a, b and c`.
func enumeration(_ names: [String], with conjunction: String) -> String {
  guard names.count > 1, let last = names.last else { return names.joined() }
  return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}

/// A number with its noun, which takes an s: `1 line`, `2 lines`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// A duration for a person: `4.2 s`, or `3 min 20 s` from 100 seconds on.
func elapsedText(_ seconds: Double) -> String {
  let tenths = Int((seconds * 10).rounded())
  return seconds < 100
    ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 600) min \(tenths / 10 % 60) s"
}
