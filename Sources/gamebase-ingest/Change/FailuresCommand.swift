internal import ArgumentParser
internal import Loading
internal import Postgres

struct FailuresCommand: Command {
  static let help =
    "failures: Dismiss failures that need no further action; status lists the open ones."
  static let subcommands: Commands = [FailuresDismissCommand.self]
}

struct FailuresDismissCommand: ChangingCommand {
  static let help = """
    dismiss: Take failures off the list of what keeps the reports from being trusted.

    gamebase-ingest failures dismiss <path> ... [options]
    gamebase-ingest failures dismiss 'inbox/*-test.jsonl' --note 'tests of the vendor'
    gamebase-ingest failures dismiss Qb2FhTzN/receipt/2026-01-31 --note 'a launch'

    Name a failure by its path, as status and report.open_failure show it or in another spelling, or \
    several by a quoted pattern with *, ?, [...] or {...,...}. A day has the path APP/STREAM/DAY; after \
    its dismissal the reports show it as complete. A file that fails again is a new failure. Needs the \
    owner's rights.
    """

  @Argument(help: "Paths of open failures, or patterns.") var paths: [String]
  @OptionGroup var database: DatabaseOptions
  @Option(help: "The reason, stored with the dismissal.") var note: String?

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "failures dismiss")
    let dismissed = try RetryPolicy().throughContention(during: "dismissing failures") {
      try connection.transaction {
        let chosen = try OpenFailure.all(selectedBy: paths, on: connection)
        try OpenFailure.dismiss(chosen, note: note, on: connection)
        return chosen
      }
    }
    for failure in dismissed {
      try Terminal.output(
        "dismissed \(printable(failure.path)) (\(failure.kind)\(failure.stream.map { ", \($0)" } ?? ""))"
      )
    }
  }
}
