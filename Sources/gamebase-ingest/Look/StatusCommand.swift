internal import ArgumentParser
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest status`: what the database holds and what happened last.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the schema's state, what is loaded, and the last runs.",
    discussion: """
      A run that has not ended is running, or was killed: that is said of one that has not been heard \
      of for a minute. Locks of streams are listed with the sessions that hold them, as far as the role \
      may see those. Files that failed and are not to be mended are taken off by failures dismiss.

      Exits with 78 when the database is not at this program's schema.
      """)

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
        // Another version of the schema may lack what these ask for.
        guard status.isCurrent else { throw Terminal.code(.configuration) }
        try showRuns(connection)
        try showLocks(connection)
        try showFailures(connection, limit: 10, empty: "no file waits to be loaded again")
      }
    }
  }

  /// A run that was killed cannot say so: it is the one that has not ended and is not heard of.
  private func showRuns(_ connection: Connection) throws {
    try show(
      try connection.query(
        """
        select l.load_id::text as load,
          to_char(l.started_at, 'YYYY-MM-DD HH24:MI:SS "UTC"') as started,
          case when l.finished_at is not null then coalesce(l.exit_code::text, '-')
            when coalesce(l.seen_at, l.started_at)
              > clock_timestamp() - $1::integer * interval '1 second' then 'running'
            else 'killed, last heard of '
              || to_char(coalesce(l.seen_at, l.started_at), 'YYYY-MM-DD HH24:MI:SS "UTC"')
          end as exit,
          count(f.source_file_id)::text as files, coalesce(sum(f.line_count), 0)::text as lines
        from ingest.load l left join ingest.source_file f using (load_id)
        group by l.load_id order by l.load_id desc limit 5
        """, [.integer(HeartbeatTiming.patience)]), empty: "nothing was ever loaded")
  }

  private func showLocks(_ connection: Connection) throws {
    let locks = StreamCatalog.all.map { LockName.stream($0.name) }
    let holders = try LockHolder.all(of: locks, on: connection)
    guard !holders.isEmpty else { return }
    try Terminal.output("")
    var table = TextTable(["lock", "held by", "waiting"])
    for holder in holders { table.add([holder.lock, holder.summary, String(holder.waiting)]) }
    for line in table.lines { try Terminal.output(line) }
  }

  private func describe(_ status: Migrator.Status) -> String {
    if status.isBeforeFirstRelease {
      return "made before the first release; make a new database and load the files again"
    }
    if !status.unknown.isEmpty { return "newer than this program (\(Version.current))" }
    if status.applied.isEmpty { return "none yet; run gamebase-ingest migrate" }
    if !status.changed.isEmpty { return "an applied migration was changed: \(status.changed[0])" }
    if !status.pending.isEmpty {
      return "\(status.pending.count) migrations are pending; run gamebase-ingest migrate"
    }
    return status.areDefinitionsCurrent
      ? "up to date (\(status.applied.last ?? ""))"
      : "the functions and views are older; run gamebase-ingest migrate"
  }
}
