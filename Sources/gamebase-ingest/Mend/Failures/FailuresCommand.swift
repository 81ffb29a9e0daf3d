internal import ArgumentParser

/// `gamebase-ingest failures`: lists and dismisses files that failed and have not been loaded
/// since.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures",
    abstract: "List files that failed, and dismiss failures that need no further action.",
    subcommands: [FailuresListCommand.self, FailuresDismissCommand.self])
}
