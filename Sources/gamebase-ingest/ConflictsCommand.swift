internal import ArgumentParser
internal import Postgres

/// `gamebase-ingest conflicts`: lines that contradicted what was stored.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "Look at lines that contradicted a stored row.",
    subcommands: [ConflictsListCommand.self])
}

/// `gamebase-ingest conflicts list`: what was kept and what was refused.
struct ConflictsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List contradictions: by stream and column, then one by one.",
    discussion: """
      The stored row is always kept: first wins. Tokens are shown as their digests.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("Only those of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: ArgumentHelp("Only those of files whose path ends with this.", valueName: "path"))
  var file: String?

  @Option(help: "Only those of one stream.")
  var stream: String?

  @Option(help: ArgumentHelp("Only those in one column.", valueName: "column"))
  var field: String?

  @Option(help: "Contradictions to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    let condition = """
      from ingest.conflict c join ingest.source_file f using (source_file_id)
      where f.undone_at is null and ($1::bigint is null or f.load_id = $1)
        and ($2::text is null or right(f.path, length($2)) = $2)
        and ($3::text is null or c.stream = $3) and ($4::text is null or c.field = $4)
      """
    let parameters: [Parameter] = [
      .optional(load), .optional(file), .optional(stream), .optional(field),
    ]
    try reportingErrors {
      try connection.transaction {
        try show(
          try connection.query(
            """
            select c.stream as stream, c.field as field, count(*)::text as lines,
              (array_agg(f.path || ':' || c.line_number order by c.conflict_id))[1] as first_example
            \(condition) group by c.stream, c.field order by count(*) desc, c.stream, c.field
            """, parameters), empty: "no line contradicted a stored row")
        try show(
          try connection.query(
            """
            select f.path || ':' || c.line_number as line, c.stream as stream,
              c.natural_key::text as key, c.field as field, c.kept as kept, c.refused as refused
            \(condition) order by c.conflict_id limit $5
            """, parameters + [.integer(limit)]), empty: "")
      }
    }
  }
}
