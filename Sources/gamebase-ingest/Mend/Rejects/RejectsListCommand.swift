internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest rejects list`: lists refused lines, by code and field and one by one.
struct RejectsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List refused lines: by code and field, then one by one.",
    discussion: """
      The list has all refused lines of loaded files, and the first 1,000 of each failed file. --all \
      adds the lines that a replay has loaded.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also list lines that a replay has loaded.")
  var all = false

  @Option(help: "The number of lines to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.includesResolved = all
    let listing = RejectListing(filter, on: connection)
    try reportingErrors {
      try connection.transaction {
        try show(try listing.groups(), empty: "no line was refused")
        try show(try listing.lines(limit: limit), empty: "")
      }
    }
  }
}
