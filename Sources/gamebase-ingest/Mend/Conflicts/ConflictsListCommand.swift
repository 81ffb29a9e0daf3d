internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest conflicts list`: lists conflicts with the kept and the refused values.
struct ConflictsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List conflicts: by stream and column, then one by one.",
    discussion: """
      A conflict is a value of a line that contradicts the stored row. The database keeps the stored \
      value until conflicts accept replaces it. --accepted lists the accepted conflicts. Tokens appear \
      as their digests.
      """)

  @OptionGroup var database: DatabaseOptions

  @OptionGroup var conflicts: ConflictOptions

  @Flag(help: "List accepted conflicts, with their acceptance, instead of open ones.")
  var accepted = false

  @Option(help: "The number of conflicts to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    let listing = ConflictListing(conflicts.filter, accepted: accepted, on: connection)
    try reportingErrors {
      try connection.transaction {
        try show(
          try listing.groups(),
          empty: accepted ? "no conflict was accepted" : "no line contradicted a stored row")
        try show(try listing.conflicts(limit: limit), empty: "")
      }
    }
  }
}
