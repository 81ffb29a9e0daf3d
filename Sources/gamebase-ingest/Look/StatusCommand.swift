internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest status`: shows the state of the schema and the reports, the loaded files and the last runs.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the schema and the reports, the loaded files, and the last runs.",
    discussion: """
      A run without an end is running or was killed; status shows it as killed when its last heartbeat \
      is more than a minute old. Locks of streams are listed with the sessions that hold them, as far \
      as the role may see those. failures dismiss takes a failed file off the list.

      Exits with 78 when the database is not at the schema of this program.
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
        let listing = StatusListing(on: connection)
        if status.isCurrent {
          try Terminal.output("reports     \(describe(try listing.reports()))")
        }
        try show(try listing.streams(), empty: "nothing is loaded")
        // A schema of another version may lack the tables that the other queries read.
        guard status.isCurrent else { throw Terminal.code(.configuration) }
        try show(try listing.runs(), empty: "there was no run yet")
        try showLocks(try listing.streamLocks())
        try showFailures(FailureListing(on: connection), limit: 10)
      }
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
