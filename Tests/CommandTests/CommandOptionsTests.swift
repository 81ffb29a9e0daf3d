import ArgumentParser
import Testing

@testable import gamebase_ingest

/// The keys of the configuration file are the names of options, which the help of a command lists.
@Suite struct CommandOptionsTests {
  @Test(arguments: CommandOptionsTests.leaves(of: GamebaseIngest.self))
  func `the parser knows each option of the help, and asks for a value where the help has one`(
    words: [String]
  ) {
    let options = NamedCommand(words, of: GamebaseIngest.self).options
    #expect(words.first != "load" || options["max-rejects"] == true && options["quiet"] == false)
    for (name, takesValue) in options {
      let message = Self.message(words + ["--\(name)"])
      #expect(!message.contains("Unknown option"))
      #expect(message.contains("Missing value for '--\(name)") == (takesValue && name != "local"))
      #expect(Self.message(words + ["--\(name)=x"]).contains("does not take") != takesValue)
    }
  }

  private static func message(_ arguments: [String]) -> String {
    do {
      _ = try GamebaseIngest.parseAsRoot(arguments)
      return ""
    } catch { return GamebaseIngest.fullMessage(for: error) }
  }

  private static func leaves(of command: any ParsableCommand.Type) -> [[String]] {
    let subcommands = command.configuration.subcommands
    guard !subcommands.isEmpty else { return [[]] }
    return subcommands.flatMap { next in leaves(of: next).map { [next._commandName] + $0 } }
  }
}
