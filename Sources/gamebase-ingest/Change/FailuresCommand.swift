internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest failures`: lists and dismisses files that failed and have not been loaded
/// since.
struct FailuresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failures",
    abstract: "List files that failed, and dismiss failures that need no further action.",
    subcommands: [FailuresListCommand.self, FailuresDismissCommand.self])
}

/// `gamebase-ingest failures list`: lists files that wait to be loaded again.
struct FailuresListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List files that failed and have not been loaded since, newest first.")

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also list dismissed failures, including those of files that have been loaded since.")
  var all = false

  @OptionGroup var list: ListOptions

  func run() throws {
    let connection = try database.connectToSchema()
    let listing = FailureListing(on: connection)
    try reportingErrors {
      try connection.transaction {
        var output = try ListOutput(list.format)
        try output.add(
          "failures", listing.openFailures(limit: list.limit),
          empty: "no file has an open failure")
        let count = try listing.openCount()
        try output.add("failure_count", count) {
          if count > list.limit {
            try Terminal.output("and \(count - list.limit) more: raise --limit")
          }
        }
        if all {
          try output.add(
            "dismissals", listing.dismissals(limit: list.limit), empty: "no failure was dismissed")
        }
        try output.end()
      }
    }
  }
}

/// `gamebase-ingest failures dismiss`: closes failures that need no further action.
struct FailuresDismissCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dismiss",
    abstract: "Take failures off the list of files that wait to be loaded again.",
    usage: """
      gamebase-ingest failures dismiss <failure> ... [options]
      gamebase-ingest failures dismiss inbox/receipts-test.jsonl --note 'a test of the vendor'
      """,
    discussion: """
      Name a failure by its number, as failures list prints it, by the path of its file, or by the end \
      of that path from a / on. ingest.failure_dismissal keeps each dismissal with its time, role and \
      note. The file can still be loaded; if it fails again, that is a new failure. The command needs \
      the rights of the tables' owner.
      """)

  @Argument(help: "Numbers or paths of failures.")
  var failures: [String]

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The reason, stored with the dismissal.", valueName: "text"))
  var note: String?

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "failures dismiss")
    try reportingErrors {
      let dismissed = try RetryPolicy().throughContention(during: "dismissing failures") {
        try connection.transaction {
          let listing = FailureListing(on: connection)
          let chosen = try failures.flatMap { try listing.failures(ofFileCalled: $0) }
          _ = try DatabaseOptions.wait(for: [.table("ingest.failure_dismissal")], on: connection) {
            try Failure.dismiss(chosen, note: note, on: connection)
          }
          return chosen
        }
      }
      for failure in dismissed {
        try Terminal.output("dismissed \(failure.number): \(printable(failure.path))")
      }
    }
  }
}
