internal import ArgumentParser
internal import Loading
internal import Postgres

/// `gamebase-ingest prune`: removes old details of the ledger.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove old refused lines, accepted conflicts, dismissed failures and empty runs.",
    usage: """
      gamebase-ingest prune --keep 24 --dry-run [options]
      gamebase-ingest prune --keep 24 --database service=games-admin
      """,
    discussion: """
      A record is old when its file was loaded, and the record was settled, before the months to keep. \
      The lines are counted first, so every total of the reports stays; report.load_history loses the \
      entries of undone files, of dismissed failures and of runs without files. Loaded files stay known, \
      and can be undone. A pruned line cannot be shown or replayed any more, and a pruned conflict is not \
      opened again by conflicts undo. Open conflicts and open failures stay. Loads wait meanwhile. Needs \
      the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "The number of months to keep, counted from the current one (UTC).", valueName: "months"))
  var keep: Int

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func validate() throws { try checkMonths(keep) }

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "prune")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try Prune(connection: connection, wait: DatabaseOptions.wait, interruption: interruption)
        .run(keep: keep, isDryRun: dryRun)
    }
    let counts = [
      counted(report.rejectCount, "refused line"),
      counted(report.conflictCount, "accepted conflict"),
      counted(report.failureCount, "dismissed failure"), counted(report.fileCount, "undone file"),
      "\(counted(report.loadCount, "run")) without files",
    ]
    try Terminal.output(of: dryRun ? nil : "the removal") {
      try Terminal.output(
        (dryRun ? "dry run: nothing was kept; it would remove " : "removed ")
          + enumeration(counts, with: "and"))
    }
  }
}
