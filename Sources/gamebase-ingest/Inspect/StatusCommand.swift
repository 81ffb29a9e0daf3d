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

  private static let listedFailures = 50

  /// The application that `run` judges after a night of the target.
  private var app: String? { appId ?? expectApp }

  func run() throws {
    let connection = try database.connect()
    if check { return try HealthCheck(connection, of: app, format: format).run() }
    try reportingErrors {
      let status: Migrator.Status
      do { status = try Migrator(connection: connection).status() } catch let error as PostgresError
        where error.sqlState == .insufficientPrivilege
      {
        throw LoadError(
          .configuration,
          "the role cannot read the ledger: connect as the loader or the owner, or run status --check, "
            + "which gamebase_monitor can do, too")
      }
      switch format {
      case .text: try show(status, on: connection)
      case .json: try showJSON(status, on: connection)
      }
      guard status.isCurrent else { throw Terminal.code(.configuration) }
    }
  }

  // MARK: - Text

  private func show(_ status: Migrator.Status, on connection: Connection) throws {
    let version = connection.serverVersion
    try Terminal.output("server      PostgreSQL \(version / 10_000).\(version % 10_000)")
    try Terminal.output("schema      \(status.sentence)")
    // A schema of another version may lack the tables that the queries read.
    guard status.isCurrent else { return }
    try connection.transaction(.readOnlySnapshot) {
      let listing = StatusListing(on: connection)
      try Terminal.output("reports     \(describe(try listing.reports()))")
      let health = try HealthListing(on: connection).health(of: app)
      try showHealth(health.feeds)
      try gamebase_ingest.show(try listing.streams().table(), empty: "nothing is loaded")
      try gamebase_ingest.show(try listing.runs(), empty: "there was no run yet")
      try showLocks(try listing.streamLocks())
      try gamebase_ingest.show(
        try listing.openFailures(
          of: app, health, columns: .forPeople, limit: Self.listedFailures
        ).table(), empty: "there is no open failure")
      let more = health.failures.count - Self.listedFailures
      if more > 0 { try Terminal.output("and \(more) more, in report.open_failure") }
    }
  }

  private func showLocks(_ holders: [LockHolder]) throws {
    guard !holders.isEmpty else { return }
    try Terminal.output("")
    var table = TextTable(["lock", "held by", "waiting"])
    for holder in holders { table.add(["\(holder.lock)", holder.summary, String(holder.waiting)]) }
    for line in table.lines { try Terminal.output(line) }
  }

  private func describe(_ reports: StatusListing.ReportState) -> String {
    let refreshed = reports.refreshed.map { "refreshed at \($0)" } ?? "not refreshed yet"
    guard reports.pendingFiles > 0 else { return refreshed }
    let files = counted(reports.pendingFiles, "file")
    return "\(refreshed); they lack changes of \(files); run gamebase-ingest refresh"
  }

  // MARK: - JSON

  private func showJSON(_ status: Migrator.Status, on connection: Connection) throws {
    var document = JSONObject()
    try document.add("exit_code", status.isCurrent ? 0 : Loading.ExitCode.configuration.rawValue)
    try document.add("version", Version.current)
    try document.add("server_version", connection.serverVersionName)
    try document.add("schema", status.sentence)
    try document.add("schema_is_current", status.isCurrent)
    if status.isCurrent {
      try connection.transaction(.readOnlySnapshot) {
        _ = try document.addHealth(of: app, on: connection)
        let listing = StatusListing(on: connection)
        document.add("reports", json: try listing.reportsJSON())
        document.add("streams", json: try listing.streams().json())
        document.add("runs", json: try listing.runsJSON())
        try document.add(
          "locks",
          try listing.streamLocks().map {
            ["lock": "\($0.lock)", "held_by": $0.summary, "waiting": String($0.waiting)]
          })
      }
    }
    try Terminal.output(document.text)
  }
}

/// `status --check`: the verdict on each feed, and exit code 7 unless all are ok.
///
/// It needs only the rights of the monitor role.
struct HealthCheck {
  private let connection: Connection
  private let app: String?
  private let format: StateFormat
  private static let listedFailures = 10

  init(_ connection: Connection, of app: String?, format: StateFormat) {
    self.connection = connection
    self.app = app
    self.format = format
  }

  /// - Throws: exit code 7 when a verdict is not `ok`.
  func run() throws {
    let isOK = try reportingErrors {
      do { return try connection.transaction(.readOnlySnapshot) { try show() } } catch let error
        as PostgresError
        where [.undefinedTable, .undefinedColumn, .invalidSchemaName].contains(error.sqlState)
      {
        throw LoadError(
          .configuration,
          "the database is not at the schema of this program; run gamebase-ingest migrate")
      }
    }
    if !isOK { throw Terminal.code(.incomplete) }
  }

  /// - Returns: true when every verdict is `ok`.
  private func show() throws -> Bool {
    switch format {
    case .text:
      let health = try HealthListing(on: connection).health(of: app)
      try Terminal.output(
        "verdict     \(health.verdict)\(app.map { ", of \(printable($0))" } ?? "")")
      try showHealth(health.feeds)
      for failure in health.failures.prefix(Self.listedFailures) {
        try Terminal.output(
          failure.kind.padding(toLength: 12, withPad: " ", startingAt: 0) + printable(failure.path))
      }
      let more = health.failures.count - Self.listedFailures
      if more > 0 { try Terminal.output("and \(more) more, in report.open_failure") }
      return health.isOK
    case .json:
      var document = JSONObject()
      try document.add("version", Version.current)
      let health = try document.addHealth(of: app, on: connection)
      try document.add(
        "exit_code", (health.isOK ? Loading.ExitCode.success : .incomplete).rawValue)
      try Terminal.output(document.text)
      return health.isOK
    }
  }
}

extension JSONObject {
  /// Adds the verdicts, with the failures and settings that explain them.
  fileprivate mutating func addHealth(of app: String?, on connection: Connection) throws -> Health {
    let listing = HealthListing(on: connection)
    let health = try listing.health(of: app)
    try add("verdict", health.verdict)
    try add("causes", health.causes)
    try add("health", health.feeds)
    add(
      "open_failures",
      json: try StatusListing(on: connection).openFailures(
        of: app, health, columns: .forPrograms
      ).json())
    add("settings", json: try listing.settingsJSON())
    return health
  }
}

extension Migrator.Status {
  /// The state in words, with the next step.
  var sentence: String {
    if isBeforeFirstRelease {
      return "made before the first release; make a new database and load the files again"
    }
    if !unknown.isEmpty { return "newer than this program (\(Version.current))" }
    if applied.isEmpty { return "none yet; run gamebase-ingest migrate" }
    if !changed.isEmpty { return "an applied migration was changed: \(changed[0])" }
    if !pending.isEmpty {
      return "behind by \(counted(pending.count, "migration")); run gamebase-ingest migrate"
    }
    return areDefinitionsCurrent
      ? "up to date (\(applied.last ?? ""))"
      : "the functions and views are older; run gamebase-ingest migrate"
  }
}
