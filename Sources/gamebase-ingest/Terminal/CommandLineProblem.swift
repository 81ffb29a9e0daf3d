internal import ArgumentParser
internal import Loading

/// What is wrong with a command line, in the form of all other messages, and where its help is.
struct CommandLineProblem {
  private let message: String
  private let help: String

  /// - Parameter message: what the parser says.
  init(_ message: String, arguments: [String], of root: any ParsableCommand.Type) {
    let named = NamedCommand(arguments, of: root)
    help = (named.words + ["--help"]).joined(separator: " ")
    if let unknown = named.unknownWord {
      let near = nearestNames(to: unknown, among: named.subcommands, atMost: 2)
      self.message =
        "there is no command \((named.words + [printable(unknown)]).joined(separator: " "))"
        + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?")
    } else {
      self.message = Self.inOurForm(Self.withoutForgedLines(message, arguments))
    }
  }

  func tell() {
    // A message may have lines of its own; none may come from an argument.
    Terminal.note(printableLines("gamebase-ingest: \(message)"))
    Terminal.problem("see \(printable(help))")
  }

  /// Begins in lower case, as what follows a name and a colon does, and ends without a full stop.
  private static func inOurForm(_ message: String) -> String {
    var text = message
    if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
    let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
    return isWord ? text.prefix(1).lowercased() + text.dropFirst() : text
  }

  /// A message with the line breaks escaped that an argument brought into it, not those of its own.
  ///
  /// Messages about the command line quote it, and a shell may have put the names of files there.
  private static func withoutForgedLines(_ message: String, _ arguments: [String]) -> String {
    var message = message
    for argument in arguments where argument.utf8.contains(0x0A) {
      // Of an option with a value, a message may quote the one or the other.
      let parts = [argument] + argument.split(separator: "=", maxSplits: 1).map(String.init)
      for part in parts { message = message.replacing(part, with: printable(part)) }
    }
    return message
  }
}

/// The command that the first words of a command line name, as far as they do.
private struct NamedCommand {
  private(set) var words = ["gamebase-ingest"]
  /// Names that could follow.
  private(set) var subcommands: [String] = []
  /// The word that follows where only a subcommand can, and is none.
  private(set) var unknownWord: String?

  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    var command = root
    for argument in arguments {
      let choices = command.configuration.subcommands
      guard let next = choices.first(where: { $0._commandName == argument }) else {
        subcommands = choices.map { $0._commandName }
        if !choices.isEmpty, !argument.hasPrefix("-"), argument != "help" { unknownWord = argument }
        return
      }
      command = next
      words.append(argument)
    }
  }
}
