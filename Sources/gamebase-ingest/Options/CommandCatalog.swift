internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Synchronization

/// The commands with their options, as the parser declares them.
struct CommandCatalog {
  /// A command of the program; the program itself has no words.
  struct Entry {
    /// Such as `["rejects", "list"]`.
    let words: [String]
    let options: [OptionKey]
    let subcommands: [Entry]
  }

  let root: Entry

  private static let programType = Mutex<(any ParsableCommand.Type)?>(nil)

  /// Names the program's command, before any command runs.
  static func setProgram(_ type: any ParsableCommand.Type) {
    programType.withLock { $0 = type }
  }

  /// The commands of this program.
  static var program: CommandCatalog {
    guard let type = programType.withLock(\.self) else {
      preconditionFailure("main names the program's command first")
    }
    return CommandCatalog(type)
  }

  /// - Parameter type: the program's command.
  init(_ type: any ParsableCommand.Type) {
    // The parser describes itself only in this form, which its plugins for manuals use, too.
    let dump = try? JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8))
    root =
      dump.map { Self.entry($0.command, words: []) }
      ?? Entry(words: [], options: [], subcommands: [])
  }

  /// All options of all commands.
  var allOptions: [OptionKey] { Self.options(of: root) }

  /// The command that a command line begins with, and the number of its words.
  func command(in arguments: [String]) -> Entry {
    var entry = root
    for argument in arguments {
      guard let next = entry.subcommands.first(where: { $0.words.last == argument }) else { break }
      entry = next
    }
    return entry
  }

  private static func options(of entry: Entry) -> [OptionKey] {
    entry.options + entry.subcommands.flatMap(options)
  }

  private static func entry(_ command: Dump.Command, words: [String]) -> Entry {
    Entry(
      words: words,
      options: (command.arguments ?? []).compactMap(option),
      subcommands: (command.subcommands ?? []).filter { $0.commandName != "help" }.map {
        entry($0, words: words + [$0.commandName])
      })
  }

  /// nil: a positional argument, or an option of the parser.
  private static func option(_ argument: Dump.Argument) -> OptionKey? {
    guard let name = argument.preferredName?.name, argument.kind != "positional",
      !["help", "version"].contains(name)
    else { return nil }
    return OptionKey(
      name: name, kind: argument.kind == "flag" ? .flag : .option,
      isRepeating: argument.isRepeating, abstract: argument.abstract ?? "",
      defaultValue: argument.defaultValue, values: argument.allValues)
  }

  /// The part of the parser's description that is used here.
  private struct Dump: Decodable {
    let command: Command

    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
      let arguments: [Argument]?
    }

    struct Argument: Decodable {
      let kind: String
      let isRepeating: Bool
      let preferredName: Name?
      let abstract: String?
      let defaultValue: String?
      let allValues: [String]?
    }

    struct Name: Decodable { let name: String }
  }
}
