internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest conflicts list`: what was kept and what was refused.
struct ConflictsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List contradictions: by stream and column, then one by one.",
    discussion: """
      The stored row is kept: first wins, until conflicts accept says otherwise. Conflicts that were \
      accepted are in the list of --accepted. Tokens are shown as their digests.
      """)

  @OptionGroup var database: DatabaseOptions

  @OptionGroup var conflicts: ConflictOptions

  @Flag(help: "Those whose lines were accepted, with the acceptance, instead of the open ones.")
  var accepted = false

  @Option(help: "Contradictions to list one by one.")
  var limit = 50

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    let condition = """
      from ingest.conflict c join ingest.source_file f using (source_file_id)
        left join ingest.acceptance a using (acceptance_id)
      where f.undone_at is null and (c.acceptance_id is not null) = $6
        and \(ConflictFilter.condition)
      """
    let acceptance = """
      , c.acceptance_id::text as acceptance, a.accepted_by as accepted_by,
        to_char(a.accepted_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as accepted_at
      """
    let parameters = conflicts.filter.parameters + [.boolean(accepted)]
    try reportingErrors {
      try connection.transaction {
        try show(
          try connection.query(
            """
            select c.stream as stream, c.field as field, count(*)::text as lines,
              (array_agg(f.path || ':' || c.line_number order by c.conflict_id))[1] as first_example
            \(condition) group by c.stream, c.field order by count(*) desc, c.stream, c.field
            """, parameters),
          empty: accepted ? "no conflict was accepted" : "no line contradicted a stored row")
        try show(
          try connection.query(
            """
            select f.path || ':' || c.line_number as line, c.stream as stream,
              c.natural_key::text as key, c.field as field, c.kept as kept, c.refused as refused
              \(accepted ? acceptance : "")
            \(condition) order by c.conflict_id limit $7
            """, parameters + [.integer(limit)]), empty: "")
      }
    }
  }
}
