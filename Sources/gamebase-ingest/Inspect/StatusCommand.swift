internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether the reports can be trusted, the loaded files, and the last runs.",
    usage: """
      gamebase-ingest status [options]
      gamebase-ingest status --check --app-id Qb2FhTzN --database service=games
      gamebase-ingest status --check --format json --database service=games
      """,
    discussion: """
      --check shows only the verdict on each feed, from report.health, with the open failures, and exits with \
      7 unless all are ok. The role gamebase_monitor can do this, also on a standby.

      With an application, from an option or the target, only its feeds are judged, and only failures that \
      are known to be its own, as run judges them. An application without a line is late.

      A run without an end counts as killed when its last heartbeat is more than a minute old. Locks of \
      streams are listed with the sessions that hold them, as far as the role may see those. failures \
      dismiss takes a failure off the list.

      Exits with 78 when the database is not at the schema of this program.
      """)

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Show only the health of the feeds, and exit with 7 unless every verdict is ok.")
  var check = false

  @Option(help: "The application whose feeds are judged; all if unset.")
  var appId: String?

  @Option(help: "The same, for targets that check their files.")
  var expectApp: String?

  @Option(help: "The form of the state.")
  var format: OutputFormat = .text

  /// The application that `run` judges after a night of the target.
  private var app: String? { appId ?? expectApp }

  func run() throws {
    let connection = try database.connect()
    var output = StateOutput(format)
    if !check {
      let status = try schema(of: connection)
      try output.add("server_version", connection.serverVersionName)
      try output.add("schema", status.sentence)
      try output.add("schema_is_current", status.isCurrent)
      try output.text {
        let version = connection.serverVersion
        try Terminal.output("server      PostgreSQL \(version / 10_000).\(version % 10_000)")
        try Terminal.output("schema      \(status.sentence)")
      }
      // A schema of another version may lack the tables that the queries read.
      guard status.isCurrent else { return try end(&output, .configuration) }
    }
    let health = try connection.transaction(.readOnlySnapshot) {
      let health = try Health(of: app, on: connection)
      try add(health, to: &output, on: connection)
      return health
    }
    try end(&output, check && !health.isOK ? .incomplete : .success)
  }

  private func schema(of connection: Connection) throws -> Migrator.Status {
    do { return try Migrator(connection: connection).status() } catch let error as PostgresError
      where error.sqlState == .insufficientPrivilege
    {
      throw LoadError(
        .configuration,
        "the role cannot read the ledger: connect as the loader or the owner, or run status --check, "
          + "which gamebase_monitor can do, too")
    }
  }

  private func end(_ output: inout StateOutput, _ code: Loading.ExitCode) throws {
    try output.end(code)
    if code != .success { throw Terminal.code(code) }
  }

  private static let listedFailures = 50

  private func add(
    _ health: Health, to output: inout StateOutput, on connection: Connection
  ) throws {
    if check {
      try output.text {
        try Terminal.output(
          "verdict     \(health.verdict)\(app.map { ", of \(printable($0))" } ?? "")")
      }
    } else {
      let reports = Listing.reports(on: connection)
      output.add("reports", json: try reports.object())
      try output.text {
        try Terminal.output("reports     \(sentence(try reports.table().decoded()[0]))")
      }
    }
    try output.text { try show(health.feeds) }
    if !check {
      try output.add("streams", .streams(on: connection), empty: "nothing is loaded")
      try output.add("runs", .runs(on: connection), empty: "there was no run yet")
      try output.add("locks", .streamLocks(on: connection), empty: nil)
    }
    try output.add("verdict", health.verdict)
    try output.add("causes", health.causes)
    try output.add("health", health.feeds)
    output.add("settings", json: try Health.settingsJSON(on: connection))
    try output.add(
      "open_failures",
      .openFailures(
        of: app, health, limit: format == .json ? nil : Self.listedFailures, on: connection),
      empty: check ? nil : "there is no open failure")
    let more = health.failures.count - Self.listedFailures
    try output.text {
      if more > 0 { try Terminal.output("and \(more) more, in report.open_failure") }
    }
  }

  /// Prints a blank line and the verdict of each feed as a table.
  private func show(_ feeds: [FeedHealth]) throws {
    let rows = feeds.map { feed in
      // The empty application is that of lines without one.
      [
        feed.appID.map { $0.isEmpty ? "(none)" : $0 } ?? "-", feed.stream ?? "-", feed.verdict,
        String(feed.implausibleDayCount), String(feed.openConflictCount), feed.reason,
      ]
    }
    let header = [
      "application", "stream", "verdict", "implausible days", "open conflicts", "reason",
    ]
    try TextTable(header, rows).show(isApart: true)
  }

  private struct ReportState: Decodable {
    let refreshedAt: String?
    let pendingFiles: Int
  }

  private func sentence(_ reports: ReportState) -> String {
    let refreshed =
      reports.refreshedAt.map { "refreshed at \($0.prefix(19)) UTC" } ?? "not refreshed yet"
    guard reports.pendingFiles > 0 else { return refreshed }
    let files = counted(reports.pendingFiles, "file")
    return "\(refreshed); they lack changes of \(files); run gamebase-ingest refresh"
  }
}

extension Migrator.Status {
  /// The state in words, with the next step.
  var sentence: String {
    problem.map { "the database \($0)" } ?? "up to date (\(applied.last ?? ""))"
  }
}
