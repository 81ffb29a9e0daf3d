internal import ArgumentParser

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
