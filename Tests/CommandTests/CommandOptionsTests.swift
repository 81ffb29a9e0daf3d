import ArgumentParser
import Testing

@testable import gamebase_ingest

/// The keys of the configuration file are the names of options.
@Suite struct CommandOptionsTests {
  @Test(arguments: CommandOptionsTests.leaves(of: GamebaseIngest.self))
  func `the options that a command has are those of its help`(command: [String]) {
    let named = NamedCommand(command, of: GamebaseIngest.self)
    let help = GamebaseIngest.helpMessage(for: named.command, includeHidden: true, columns: 1000)
    let names = help.matches(of: /(?m)^  (?:-., )?--([a-z-]+)/).map { String($0.1) }
    let options = CommandOptions(named.command)
    #expect(names.filter { !["help", "version"].contains($0) }.sorted() == options.names.sorted())
    #expect(command.first != "load" || options.has("max-rejects"))
  }

  private static func leaves(of command: any ParsableCommand.Type) -> [[String]] {
    let subcommands = command.configuration.subcommands
    guard !subcommands.isEmpty else { return [[]] }
    return subcommands.flatMap { next in leaves(of: next).map { [next._commandName] + $0 } }
  }
}
