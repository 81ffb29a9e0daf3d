internal import ArgumentParser
internal import Postgres

/// `gamebase-ingest rejects`: the refused lines that were kept.
struct RejectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rejects",
    abstract: "Look at refused lines.",
    subcommands: [RejectsListCommand.self])
}

/// `gamebase-ingest rejects list`: what was refused, grouped by reason, and line by line.
struct RejectsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List refused lines of loaded files: by code and field, then one by one.")

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("Only those of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: ArgumentHelp("Only those of files whose path ends so.", valueName: "path"))
  var file: String?

  @Option(help: "Only those with this code.")
  var code: String?

  @Option(help: "Lines to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connect()
    let condition = """
      from ingest.reject r join ingest.source_file f using (source_file_id)
      where ($1::bigint is null or f.load_id = $1) and ($2::text is null or right(f.path, length($2)) = $2)
        and ($3::text is null or r.code = $3)
      """
    let parameters: [Parameter] = [.optional(load), .optional(file), .optional(code)]
    try reportingErrors {
      try connection.transaction {
        try show(
          try connection.query(
            """
            select r.code as code, coalesce(r.field, '-') as field, count(*)::text as lines,
              (array_agg(f.path || ':' || r.line_number order by r.reject_id))[1] as first_example
            \(condition) group by r.code, r.field order by count(*) desc, r.code, r.field
            """, parameters), empty: "no line was refused")
        try show(
          try connection.query(
            """
            select f.path || ':' || r.line_number as line, r.byte_offset::text as byte_offset,
              r.code as code, coalesce(r.field, '-') as field, r.reason as reason
            \(condition) order by r.reject_id limit $4
            """, parameters + [.integer(limit)]), empty: "")
      }
    }
  }
}
