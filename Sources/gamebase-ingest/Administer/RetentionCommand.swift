internal import ArgumentParser
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest retention`: drops the partitions of old months, or removes old details of the ledger.
struct RetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Drop old months of facts, or with --ledger old details of the ledger.",
    usage: """
      gamebase-ingest retention --keep 24 [--stream <stream>] [--dry-run] [options]
      gamebase-ingest retention --keep 24 --ledger [--dry-run] [options]
      """,
    discussion: """
      Without --ledger, drops old months of level-ups, game-user snapshots, items and events. Each \
      partition is dropped in its own transaction, oldest first, after running loads and queries \
      have ended. Receipts are not partitioned, so they all stay. The ledger does not change, so files \
      of dropped months still count as loaded. The first observations of users stay in the reports, \
      which are refreshed at the end.

      --ledger removes old refused lines, accepted conflicts, dismissed failures, and runs without files. A \
      record is old when its file was loaded, and the record was settled, before the months to keep. \
      The lines are counted first, so every total of the reports stays; report.load_history loses the \
      entries of undone files, of dismissed failures and of runs without files. Loaded files stay known, \
      and can be undone. A removed line cannot be shown or replayed any more, and a removed conflict is not \
      opened again by conflicts undo. Open conflicts and open failures stay. Loads wait meanwhile.

      Both need the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "The number of months to keep, counted from the current one (UTC).", valueName: "months"))
  var keep: Int

  @Option(help: ArgumentHelp("Only the table of this stream.", valueName: "stream"))
  var stream: String?

  @Flag(help: "Remove old details of the ledger, and drop no month of facts.")
  var ledger = false

  @Flag(help: "Show what would be removed, and remove nothing.")
  var dryRun = false

  func validate() throws {
    // 1200 months are a century, more than any data covers; with far more, PostgreSQL's dates
    // overflow.
    guard (1...1200).contains(keep) else {
      throw ValidationError("--keep must be between 1 and 1200 months.")
    }
    if ledger, stream != nil { throw ValidationError("Use only one of --ledger and --stream.") }
  }

  func run() throws {
    if ledger { try removeFromLedger() } else { try dropMonths() }
  }

  private func dropMonths() throws {
    let streams = try partitionedStreams()
    let change = try database.change("retention")
    try reportingErrors {
      let months = try change.months(ofStreams: streams, keep: keep)
      guard !months.isEmpty else {
        return try Terminal.output("no month is older than the months to keep")
      }
      for month in months {
        if !dryRun { try change.drop(month) }
        try Terminal.output(
          "\(dryRun ? "would drop" : "dropped") \(month.partition), about \(month.rows) rows, "
            + "\(month.bytes / 1_048_576) MiB")
      }
      guard !dryRun else { return }
      let refresh = Refresh(logger: commandLogger(), interruption: change.interruption)
      try Terminal.output(try refresh.run(on: database.existingTarget()).sentence)
    }
  }

  private func partitionedStreams() throws -> [String] {
    let partitioned = StreamCatalog.all.filter(\.isPartitionedByMonth).map(\.name)
    guard let stream else { return partitioned }
    guard partitioned.contains(stream) else {
      throw Terminal.failure(
        .usage,
        "\(stream) is not partitioned by month; \(partitioned.joined(separator: " and ")) are"
      )
    }
    return [stream]
  }

  private func removeFromLedger() throws {
    let change = try database.change("retention", isDryRun: dryRun)
    let report = try reportingErrors { try change.removeFromLedger(keepingMonths: keep) }
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
