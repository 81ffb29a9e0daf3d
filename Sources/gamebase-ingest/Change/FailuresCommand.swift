internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest failures`: dismisses files that failed and have not been loaded since.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures",
    abstract: "Dismiss failures that need no further action; status lists the open ones.",
    subcommands: [FailuresDismissCommand.self])
}

/// `gamebase-ingest failures dismiss`: closes failures that need no further action.
struct FailuresDismissCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Take failures off the list of files that wait to be loaded again.",
    usage: """
      gamebase-ingest failures dismiss <path> ... [options]
      gamebase-ingest failures dismiss inbox/receipts-test.jsonl --note 'a test of the vendor'
      gamebase-ingest failures dismiss 'inbox/*-test.jsonl' --note 'tests of the vendor'
      """,
    discussion: """
      Name a failure by its path, as status and report.open_failure show it or in another spelling, or \
      several by a pattern with *, ? or [...]. Quote a pattern, because the shell would expand it. \
      ingest.failure_dismissal keeps each dismissal with its time, role and note. The file can still be \
      loaded; if it fails again, that is a new failure. The command needs the rights of the tables' owner.
      """)

  @Argument(help: ArgumentHelp("Paths of open failures, or patterns.", valueName: "path"))
  var paths: [String]

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The reason, stored with the dismissal.", valueName: "text"))
  var note: String?

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "failures dismiss")
    try reportingErrors {
      let dismissed = try RetryPolicy().throughContention(during: "dismissing failures") {
        try connection.transaction {
          let chosen = try Failure.open(selectedBy: paths, on: connection)
          _ = try DatabaseOptions.wait(for: [.table("ingest.failure_dismissal")], on: connection) {
            try Failure.dismiss(chosen, note: note, on: connection)
          }
          return chosen
        }
      }
      for failure in dismissed {
        try Terminal.output(
          "dismissed \(printable(failure.path))" + (failure.stream.map { " (\($0))" } ?? ""))
      }
    }
  }
}
