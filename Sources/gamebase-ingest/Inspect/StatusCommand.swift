internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest status`: shows the state of the schema and the reports, the health of the feeds,
/// the loaded files and the last runs.
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
      --check shows only the verdict on each feed, from report.health, and exits with 7 unless all are \
      ok. The role gamebase_monitor can do this, also on a standby.

      With an application, from an option or the target, only its feeds are judged, and only failures \
      that are known to be its own, as run judges them. An application without a line is late.

      A run without an end is running or was killed; status shows it as killed when its last heartbeat \
      is more than a minute old. Locks of streams are listed with the sessions that hold them, as far \
      as the role may see those. The open failures are those of the view report.open_failure; failures \
      dismiss takes them off it.

      Exits with 78 when the database is not at the schema of this program.
      """)

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Show only the health of the feeds, and exit with 7 unless every verdict is ok.")
  var check = false

  @Option(help: "The application whose feeds are judged; all if unset.")
  var appId: String?

  @Option(help: ArgumentHelp("The same, for targets that check their files.", valueName: "app-id"))
  var expectApp: String?

  @Option(help: "text or json.")
  var format: StateFormat = .text

  /// The application that `run` judges after a night of the target.
  private var app: String? { appId ?? expectApp }

  func run() throws {
    let connection = try database.connect()
    let code = try reportingErrors {
      try check ? showHealth(on: connection) : showAll(on: connection)
    }
    if code != .success { throw Terminal.code(code) }
  }

  /// - Returns: exit code 7 unless every verdict is `ok`.
  private func showHealth(on connection: Connection) throws -> Loading.ExitCode {
    do {
      return try connection.transaction(.readOnlySnapshot) {
        var output = StateOutput(format)
        let health = try Health(of: app, on: connection)
        try output.add(text: {
          try Terminal.output(
            "verdict     \(health.verdict)\(app.map { ", of \(printable($0))" } ?? "")")
          try gamebase_ingest.show(health.feeds)
        })
        try addFailures(health, to: &output, on: connection)
        let code = health.isOK ? Loading.ExitCode.success : .incomplete
        try output.end(code)
        return code
      }
    } catch let error as PostgresError
      where [.undefinedTable, .undefinedColumn, .invalidSchemaName].contains(error.sqlState)
    {
      throw LoadError(
        .configuration,
        "the database is not at the schema of this program; run gamebase-ingest migrate")
    }
  }

  private func showAll(on connection: Connection) throws -> Loading.ExitCode {
    let status: Migrator.Status
    do { status = try Migrator(connection: connection).status() } catch let error as PostgresError
      where error.sqlState == .insufficientPrivilege
    {
      throw LoadError(
        .configuration,
        "the role cannot read the ledger: connect as the loader or the owner, or run status --check, "
          + "which gamebase_monitor can do, too")
    }
    var output = StateOutput(format)
    try output.add(
      json: {
        try $0.add("server_version", connection.serverVersionName)
        try $0.add("schema", status.sentence)
        try $0.add("schema_is_current", status.isCurrent)
      },
      text: {
        let version = connection.serverVersion
        try Terminal.output("server      PostgreSQL \(version / 10_000).\(version % 10_000)")
        try Terminal.output("schema      \(status.sentence)")
      })
    // A schema of another version may lack the tables that the queries read.
    if status.isCurrent {
      try connection.transaction(.readOnlySnapshot) { try addLists(to: &output, on: connection) }
    }
    let code = status.isCurrent ? Loading.ExitCode.success : .configuration
    try output.end(code)
    return code
  }

  private func addLists(to output: inout StateOutput, on connection: Connection) throws {
    let listing = StatusListing(on: connection)
    let health = try Health(of: app, on: connection)
    try output.add(
      json: { $0.add("reports", json: try listing.reports().object()) },
      text: {
        try Terminal.output("reports     \(sentence(try listing.reports().table().decoded()[0]))")
        try gamebase_ingest.show(health.feeds)
      })
    try output.add("streams", listing.streams(), empty: "nothing is loaded")
    try output.add(
      "runs", listing.runs(format == .json ? .forPrograms : .forPeople),
      empty: "there was no run yet")
    try output.add("locks", listing.streamLocks(), empty: nil)
    try addFailures(health, to: &output, on: connection)
  }

  private static let listedFailures = 50

  /// Adds the verdicts, with the failures and settings that explain them.
  private func addFailures(
    _ health: Health, to output: inout StateOutput, on connection: Connection
  ) throws {
    try output.add(
      json: {
        try $0.add("verdict", health.verdict)
        try $0.add("causes", health.causes)
        try $0.add("health", health.feeds)
        $0.add("settings", json: try Health.settingsJSON(on: connection))
      })
    let isJSON = format == .json
    try output.add(
      "open_failures",
      StatusListing(on: connection).openFailures(
        of: app, health, columns: isJSON ? .forPrograms : check ? .forChecks : .forPeople,
        limit: isJSON ? nil : Self.listedFailures),
      empty: check ? nil : "there is no open failure")
    let more = health.failures.count - Self.listedFailures
    try output.add(text: {
      if more > 0 { try Terminal.output("and \(more) more, in report.open_failure") }
    })
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
