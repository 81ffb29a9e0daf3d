internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest status`: what the database holds and what happened last.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the schema's state, what is loaded, and the last runs.",
    discussion: "Exits with 78 when the database is not at this program's schema.")

  @OptionGroup var database: DatabaseOptions

  func run() throws {
    let connection = try database.connect()
    try reportingErrors {
      let status = try Migrator(connection: connection).status()
      let version = connection.serverVersion
      try Terminal.output("server      PostgreSQL \(version / 10_000).\(version % 10_000)")
      try Terminal.output("schema      \(describe(status))")
      guard !status.applied.isEmpty else { throw Terminal.code(.configuration) }
      try connection.transaction {
        try show(
          try connection.query(
            """
            select stream as stream, count(*)::text as files, sum(inserted_count)::text as rows,
              sum(rejected_count)::text as rejected, sum(conflict_count)::text as conflicts,
              to_char(max(loaded_at), 'YYYY-MM-DD HH24:MI:SS "UTC"') as last_loaded
            from ingest.source_file where undone_at is null group by stream order by stream
            """), empty: "nothing is loaded")
        try show(
          try connection.query(
            """
            select l.load_id::text as load,
              to_char(l.started_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as started,
              coalesce(l.exit_code::text, 'not ended') as exit, count(f.source_file_id)::text as files,
              coalesce(sum(f.line_count), 0)::text as lines
            from ingest.load l left join ingest.source_file f using (load_id)
            group by l.load_id order by l.load_id desc limit 5
            """), empty: "nothing was ever loaded")
        try show(
          try connection.query(
            """
            select path as failed_file, stream as stream,
              to_char(failed_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as failed, reason as reason
            from ingest.failed_file order by failed_at desc limit 10
            """), empty: "no file waits to be loaded again")
      }
      if !status.isCurrent { throw Terminal.code(.configuration) }
    }
  }

  private func describe(_ status: Migrator.Status) -> String {
    if !status.unknown.isEmpty { return "newer than this program (\(GamebaseIngest.version))" }
    if status.applied.isEmpty { return "none yet; run gamebase-ingest migrate" }
    if !status.changed.isEmpty { return "an applied migration was changed: \(status.changed[0])" }
    if !status.pending.isEmpty {
      return "\(status.pending.count) migrations are pending; run gamebase-ingest migrate"
    }
    return status.areViewsCurrent
      ? "up to date (\(status.applied.last ?? ""))"
      : "the views are older; run gamebase-ingest migrate"
  }
}
