internal import ArgumentParser

/// `gamebase-ingest failures`: files that failed and have not been loaded since.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures",
    abstract: "Look at files that failed, and dismiss those that are not to be mended.",
    subcommands: [FailuresListCommand.self, FailuresDismissCommand.self])
}
