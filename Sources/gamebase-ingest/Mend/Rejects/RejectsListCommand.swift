internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest rejects list`: what was refused, grouped by reason, and line by line.
struct RejectsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List refused lines: by code and field, then one by one.",
    discussion: """
      Of loaded files all of them, of files that failed the first 1,000. Lines that a replay has \
      loaded are left out unless --all is given.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also lines that a replay has loaded.")
  var all = false

  @Option(help: "Lines to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    var filter = rejects.filter
    filter.includesResolved = all
    let condition = "from \(RejectFilter.source) where \(RejectFilter.condition)"
    try reportingErrors {
      try connection.transaction {
        try show(
          try connection.query(
            """
            select stream as stream, code as code, coalesce(field, '-') as field, count(*)::text as lines,
              (array_agg(path || ':' || line_number order by reject_id, path, line_number))[1]
                as first_example
            \(condition)
            group by stream, code, field order by count(*) desc, stream, code, field
            """, filter.parameters), empty: "no line was refused")
        try show(
          try connection.query(
            """
            select path || ':' || line_number as line, byte_offset::text as byte_offset,
              code as code, coalesce(field, '-') as field,
              case when resolved_at is null then status else 'resolved' end as status,
              reason as reason
            \(condition) order by reject_id, path, line_number limit $9
            """, filter.parameters + [.integer(limit)]), empty: "")
      }
    }
  }
}
