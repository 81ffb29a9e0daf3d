internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest failures list`: what waits to be loaded again.
struct FailuresListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List files that failed and have not been loaded since, newest first.")

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "List the dismissed ones too, with those that have been loaded since.")
  var all = false

  @Option(help: "Failures to list.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      try connection.transaction {
        try showFailures(connection, limit: limit, empty: "no file waits to be loaded again")
        if all { try showDismissed(connection) }
      }
    }
  }

  private func showDismissed(_ connection: Connection) throws {
    try show(
      try connection.query(
        """
        select path as dismissed_file, failed_file_id::text as failure, stream as stream,
          to_char(dismissed_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as dismissed, dismissed_by as by,
          note as note, reason as reason
        from ingest.failure_dismissal order by dismissed_at desc, failed_file_id limit $1
        """, [.integer(limit)]), empty: "no failure was dismissed")
  }
}
