internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// A command of the program.
protocol Command: ParsableCommand {
  /// The name, a colon and a sentence, then the usage, and then all else, with empty lines between them.
  ///
  /// Each line of the usage begins with the name of the program; without one, the parser lists the options.
  static var help: String { get }
  static var subcommands: Commands { get }
}

typealias Commands = [any ParsableCommand.Type]

extension Command {
  static var subcommands: Commands { [] }

  static var configuration: CommandConfiguration {
    let parts = help.split(separator: "\n\n").map(String.init)
    let title = parts[0].split(separator: ": ", maxSplits: 1).map(String.init)
    let hasUsage = parts.count > 1 && parts[1].hasPrefix("gamebase-ingest ")
    return CommandConfiguration(
      commandName: title[0], abstract: title[1], usage: hasUsage ? parts[1] : nil,
      discussion: parts.dropFirst(hasUsage ? 2 : 1).joined(separator: "\n\n"),
      subcommands: subcommands)
  }
}

/// A command that changes stored data: what it changes stands on the command line, so it takes only its
/// connection from the configuration file.
protocol ChangingCommand: Command {}

/// The command that a command line begins with.
struct NamedCommand {
  /// The command that holds all others.
  let root: any ParsableCommand.Type
  private(set) var words = ["gamebase-ingest"]
  private(set) var command: any ParsableCommand.Type
  /// The argument where a subcommand must stand, if it names none.
  private(set) var unknownWord: String?

  /// - Parameter arguments: without the program's name.
  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    (self.root, command) = (root, root)
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

  /// The options that the help of the command lists, by name: true when the option takes a value.
  var options: [String: Bool] {
    // As wide as this, each option has a line.
    let lines = root.helpMessage(for: command, includeHidden: true, columns: 1000)
      .matches(of: /(?m)^  (?:-., )?--([a-z-]+)( \[?<)?/)
    let options = lines.map { (String($0.1), $0.2 != nil) }
    return Dictionary(options) { $1 }.filter { !["help", "version"].contains($0.key) }
  }

  /// Writes the parser's message for a wrong command line, with the origin of the wrong value if that is not
  /// the command line, and the command that prints the help.
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
