internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// The message for a command line that could not be parsed, with the command that prints its help.
struct CommandLineProblem {
  private let message: String
  private let help: String

  /// - Parameters:
  ///   - message: the parser's message.
  ///   - origin: the place of the wrong value, if that is not the command line.
  ///   - arguments: without the program's name.
  ///   - root: the command that holds all others.
  init(
    _ message: String, origin: String? = nil, arguments: [String], of root: any ParsableCommand.Type
  ) {
    let named = NamedCommand(arguments, of: root)
    help = (named.words + ["--help"]).joined(separator: " ")
    if let unknown = named.unknownWord {
      let near = nearestNames(to: unknown, among: named.subcommands, atMost: 2)
      self.message =
        "there is no command \((named.words + [printable(withoutPassword(unknown))]).joined(separator: " "))"
        + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?")
    } else if named.lacksSubcommand {
      let command = named.words.joined(separator: " ")
      self.message =
        "\(command) needs a subcommand before its options: \(alternatives(named.subcommands)), as in "
        + "\(command) \(named.subcommands[0])"
    } else {
      self.message =
        Self.inOurForm(Self.withoutForgedLines(message, arguments))
        + (origin.map { "; \($0)" } ?? "")
    }
  }

  func write() {
    // Only the line breaks of the parser are left here; those of an argument are escaped.
    if LogStyle.current.format == .text {
      Terminal.note(printableLines("gamebase-ingest: \(message)"))
    } else {
      Terminal.problem(message)
    }
    Terminal.problem("see \(printable(help))")
  }

  /// Gives the parser's message the form of all other messages.
  ///
  /// They follow a name and a colon, so they begin in lower case and end without a full stop.
  private static func inOurForm(_ message: String) -> String {
    var text = message
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
    return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// Escapes the line breaks that come from arguments, and keeps those of the parser.
  ///
  /// The parser quotes arguments, and a shell pattern may have expanded to file names with line
  /// breaks.
  private static func withoutForgedLines(_ message: String, _ arguments: [String]) -> String {
    var message = message
    for argument in arguments where argument.utf8.contains(0x0A) {
      // The parser quotes `--name=value` as a whole, or only the name, or only the value.
      let parts = [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
      for part in parts { message = message.replacing(part, with: printable(part)) }
    }
    return message
  }
}

/// The longest sequence of command names that a command line begins with.
struct NamedCommand {
  private(set) var words = ["gamebase-ingest"]
  private(set) var command: any ParsableCommand.Type
  /// The names of the subcommands that could follow.
  private(set) var subcommands: [String] = []
  /// The word that follows where a subcommand must stand, and names none.
  private(set) var unknownWord: String?
  /// True when an option follows a command where one of its subcommands must stand.
  private(set) var lacksSubcommand = false

  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    command = root
    for argument in arguments {
      let choices = command.configuration.subcommands
      guard let next = choices.first(where: { $0._commandName == argument }) else {
        subcommands = choices.map { $0._commandName }
        if choices.isEmpty || argument == "help" { return }
        if !argument.hasPrefix("-") {
          unknownWord = argument
        } else if words.count > 1 {
          lacksSubcommand = true
        }
        return
      }
      command = next
      words.append(argument)
    }
  }
}

/// Joins names for a sentence: `a, b or c`.
func alternatives(_ names: [String]) -> String { enumeration(names, with: "or") }

/// Joins names for a sentence, with a conjunction before the last one: `a, b and c`.
func enumeration(_ names: [String], with conjunction: String) -> String {
  guard names.count > 1, let last = names.last else { return names.joined() }
  return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}

/// A number with its noun: `1 line`, `2 lines`.
///
/// - Parameter noun: the singular of a noun that takes an s.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// A duration for a person: `4.2 s`, or `3 min 20 s` from 100 seconds on.
func elapsedText(_ seconds: Double) -> String {
  let tenths = Int((seconds * 10).rounded())
  return seconds < 100
    ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 600) min \(tenths / 10 % 60) s"
}
