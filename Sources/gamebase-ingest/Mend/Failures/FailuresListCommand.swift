internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest failures list`: lists files that wait to be loaded again.
struct FailuresListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List files that failed and have not been loaded since, newest first.")

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also list dismissed failures, including those of files that have been loaded since.")
  var all = false

  @Option(help: "The number of failures to list.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    let listing = FailureListing(on: connection)
    try reportingErrors {
      try connection.transaction {
        try showFailures(listing, limit: limit)
        if all {
          try show(try listing.dismissals(limit: limit), empty: "no failure was dismissed")
        }
      }
    }
  }
}
