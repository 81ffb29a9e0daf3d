internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// The command that a command line begins with.
struct NamedCommand {
  private(set) var words = ["gamebase-ingest"]
  private(set) var command: any ParsableCommand.Type
  /// The argument where a subcommand must stand, if it names none.
  private(set) var unknownWord: String?

  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - root: the command that holds all others.
  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    command = root
    for argument in arguments {
      guard !command.configuration.subcommands.isEmpty, argument != "help" else { return }
      let next = command.configuration.subcommands.first { $0._commandName == argument }
      guard let next else {
        unknownWord = argument
        return
      }
      command = next
      words.append(argument)
    }
  }

  /// Writes the parser's message for a wrong command line, with the command that prints the help.
  ///
  /// - Parameter origin: the place of the wrong value, if that is not the command line.
  func writeProblem(_ message: String, origin: String?) {
    let line = words.joined(separator: " ")
    let subcommands = command.configuration.subcommands.map { $0._commandName }
    if let unknownWord, !unknownWord.hasPrefix("-") {
      let near = nearestNames(to: unknownWord, among: subcommands, atMost: 2)
      Terminal.problem(
        "there is no command \(line) \(withoutPassword(unknownWord))"
          + (near.isEmpty ? "" : "; did you mean \(enumeration(near, with: "or"))?"))
    } else if unknownWord != nil, words.count > 1 {
      Terminal.problem(
        "\(line) needs a subcommand before its options: \(enumeration(subcommands, with: "or")), as in "
          + "\(line) \(subcommands[0])")
    } else {
      // As all messages, it begins in lower case and ends without a full stop.
      var text = message
      if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
      let isWord = text.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
      if isWord { text = text.prefix(1).lowercased() + text.dropFirst() }
      Terminal.problem(text + (origin.map { "; \($0)" } ?? ""))
    }
    Terminal.problem("see \(line) --help")
  }
}

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
