internal import ArgumentParser
internal import Loading
internal import RecordPipeline

struct RetentionCommand: ChangingCommand {
  static let help = """
    retention: Drop old months of facts, or with --ledger old details of the ledger.

    gamebase-ingest retention --keep 24 [--stream <stream>] [--dry-run] [options]
    gamebase-ingest retention --keep 24 --ledger [--dry-run] [options]

    Without --ledger, drops old months of level-ups, game-user snapshots, items and events, each in a \
    transaction of its own, oldest first, after running loads and queries have ended. Receipts all stay, \
    and files of dropped months still count as loaded.

    --ledger removes refused lines, accepted conflicts, dismissed failures, undone files and runs without \
    files that were settled before the months to keep. All totals of the reports stay. A removed line \
    cannot be shown or replayed any more. Needs the owner's rights.
    """

  @OptionGroup var options: ChangeOptions

  @Option(
    help: "The number of months to keep, counted from the current one (UTC).",
    // 1200 months are a century, more than any data covers; with far more, PostgreSQL's dates overflow.
    transform: number(1, 1200))
  var keep: Int

  @Option(help: "Only the table of this stream.") var stream: RecordStream?
  @Flag(help: "Remove old details of the ledger, and drop no month of facts.") var ledger = false

  func validate() throws {
    if ledger, stream != nil { throw ValidationError("Use only one of --ledger and --stream.") }
    if let stream, !stream.isPartitionedByMonth {
      throw ValidationError("\(stream.name) is not partitioned by month.")
    }
  }

  func run() throws {
    if ledger { return try removeFromLedger() }
    let streams = stream.map { [$0] } ?? StreamCatalog.all.filter(\.isPartitionedByMonth)
    let change = try options.database.change("retention")
    let months = try change.months(ofStreams: streams.map(\.name), keep: keep)
    guard !months.isEmpty else {
      return try Terminal.output("no month is older than the months to keep")
    }
    for month in months {
      if !options.dryRun { try change.drop(month) }
      try Terminal.output(
        "\(options.dryRun ? "would drop" : "dropped") \(month.partition), about \(month.rows) rows, "
          + "\(month.bytes / 1_048_576) MiB")
    }
    if !options.dryRun { try options.database.refresh(change.interruption) }
  }

  private func removeFromLedger() throws {
    let report = try options.change("retention").removeFromLedger(keepingMonths: keep)
    let counts = enumeration(
      [
        counted(report.rejectCount, "refused line"),
        counted(report.conflictCount, "accepted conflict"),
        counted(report.failureCount, "dismissed failure"),
        counted(report.fileCount, "undone file"),
        "\(counted(report.loadCount, "run")) without files",
      ], with: "and")
    try options.show("the removal", done: "removed \(counts)", wouldBe: "it would remove \(counts)")
  }
}
