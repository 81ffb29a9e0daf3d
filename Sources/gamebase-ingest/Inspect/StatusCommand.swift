internal import ArgumentParser
internal import Loading
internal import Postgres

struct StatusCommand: Command {
  static let help = """
    status: Show whether the reports can be trusted, the loaded files, and the last runs.

    gamebase-ingest status [options]
    gamebase-ingest status --check --app-id Qb2FhTzN --database service=games
    gamebase-ingest status --check --format json --database service=games

    --check shows report.health and the open failures; the role gamebase_monitor can do this, on a standby, \
    too. With an application, from an option or the target, only its feeds are judged, and only failures \
    that are known to be its own, as run judges them. An application without a line is late.

    A run without an end counts as killed when its last heartbeat is more than a minute old. Exits with 78 \
    when the database is not at the schema of this program.
    """

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Show only the health of the feeds, and exit with 7 unless every verdict is ok.")
  var check = false

  @Option(help: "The application whose feeds are judged; all if unset.") var appId: String?
  @Option(help: "The same, for targets that check their files.") var expectApp: String?
  @Option(help: "The form of the state.") var format: OutputFormat = .text

  /// The application that `run` judges after a night of the target.
  private var app: String? { appId ?? expectApp }

  func run() throws {
    let connection = try database.connect()
    var output = StateOutput(format, on: connection)
    // A schema of another version may lack the tables that the queries read.
    guard try check || addSchema(to: &output, of: connection) else {
      return try output.end(.configuration)
    }
    let isOK = try connection.transaction(.readOnlySnapshot) {
      let health = try Health(of: app, on: connection)
      if check {
        let scope = app.map { ", of \(printable($0))" } ?? ""
        try output.text(["verdict     \(health.verdict)\(scope)"])
      } else {
        try addReports(to: &output)
      }
      let feeds = health.feeds.map { feed -> [TextTable.Cell] in
        [
          // The empty application is that of lines without one.
          feed.appID.map { $0.isEmpty ? "(none)" : $0 }, feed.stream, feed.verdict,
          feed.implausibleDayCount, feed.openConflictCount, feed.reason,
        ]
      }
      let header = [
        "application", "stream", "verdict", "implausible days", "open conflicts", "reason",
      ]
      try output.text([""] + TextTable(header, feeds).lines)
      if !check { try addLists(to: &output) }
      try addHealth(health, to: &output)
      return health.isOK
    }
    try output.end(check && !isOK ? .incomplete : .success)
  }

  /// - Returns: true when the schema is that of this program.
  private func addSchema(to output: inout StateOutput, of connection: Connection) throws -> Bool {
    do {
      let status = try Migrator(connection: connection).status()
      let version = connection.place.serverVersion
      try output.add("server_version", version)
      try output.add("schema", status.sentence)
      try output.add("schema_is_current", status.isCurrent)
      try output.text([
        "server      PostgreSQL \(version.prefix { $0 != " " })",
        "schema      \(status.sentence)",
      ])
      return status.isCurrent
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      throw LoadError(
        .configuration,
        "the role cannot read the ledger: connect as the loader or the owner, or run status --check, "
          + "which gamebase_monitor can do, too")
    }
  }

  private func addReports(to output: inout StateOutput) throws {
    let reports = try output.connection.onlyRow(
      of: [String: String].self,
      """
      select row_to_json(r)::text as json, concat('reports     ',
          coalesce(to_char(refreshed_at, '"refreshed at "YYYY-MM-DD HH24:MI:SS" UTC"'), 'not refreshed yet'),
          case when pending_files > 0 then format('; they lack changes of %s file%s; run gamebase-ingest refresh',
            pending_files, case when pending_files > 1 then 's' end) end) as line
        from (
          select max(refreshed_at) as refreshed_at, (select count(*) from rollup.pending_file) as pending_files
            from rollup.refresh_state
        ) r
      """)
    output.add("reports", json: reports["json"] ?? "null")
    try output.text([reports["line"] ?? ""])
  }

  private func addLists(to output: inout StateOutput) throws {
    try output.add(
      "streams",
      """
      select stream, count(*) as files, sum(inserted_count)::bigint as rows,
          sum(rejected_count)::bigint as rejected, sum(conflict_count)::bigint as conflicts,
          max(loaded_at) as last_loaded_at
        from ingest.source_file where undone_at is null group by stream order by stream
      """, empty: "nothing is loaded")
    try output.add(
      "runs", "select * from ingest.recent_run order by load_id desc",
      empty: "there was no run yet")
    try output.add("locks", Lock.holders, Lock.parameters(Lock.streams), empty: nil)
  }

  private func addHealth(_ health: Health, to output: inout StateOutput) throws {
    let listed = 50
    try output.add("verdict", health.verdict)
    try output.add("causes", health.causes)
    try output.add("health", health.feeds)
    output.add("settings", json: try Health.settingsJSON(on: output.connection))
    try output.add(
      "open_failures",
      """
      select kind, stream, path, app_id, first_failed_at, last_failed_at, attempt_count, error_code, error
        from report.open_failure where \(Health.isOf) \(Health.order) limit $3
      """, Health.parameters(app, health.feeds) + [.integer(format == .json ? nil : listed)],
      empty: check ? nil : "there is no open failure")
    let more = health.failures.count - listed
    if more > 0 { try output.text(["and \(more) more, in report.open_failure"]) }
  }
}

extension Migrator.Status {
  /// The state in words, with the next step.
  var sentence: String {
    problem.map { "the database \($0)" } ?? "up to date (\(applied.last ?? ""))"
  }
}
