internal import ArgumentParser
internal import Loading

/// `gamebase-ingest conflicts accept`: replaces stored values by those of lines that contradicted
/// them.
struct ConflictsAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Replace stored values by those of lines that contradicted them.",
    usage: """
      gamebase-ingest conflicts accept --file receipts-corrected.jsonl --dry-run [options]
      gamebase-ingest conflicts accept --key '["2025072900012345"]' [options]
      """,
    discussion: """
      The options choose open conflicts; give at least one of --file, --load, --stream, --key and \
      --field. A line is accepted as a whole: all its values are stored, also in columns that were NULL, \
      and columns that the line does not have keep their values. Of several lines with one key the one \
      refused last wins. A line older than an accepted one is taken only with --file, --load or --key.

      A line that names another user or application than the stored row, or another currency and no \
      price, is not accepted, and the exit code is 3: undo the older file and load the new one instead.

      All lines are accepted in one transaction, which refreshes the reports. The replaced values are kept, and conflicts undo \
      restores them. A second run changes nothing. Needs the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @OptionGroup var conflicts: ConflictOptions

  @Option(help: "The number of changes to list one by one.")
  var limit = 50

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func validate() throws {
    if conflicts.filter.isEmpty {
      throw ValidationError("Choose conflicts by --file, --load, --stream, --key or --field.")
    }
    if limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema(asOwnerFor: "conflicts accept")
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try ConflictAcceptance(
        conflicts.filter, isDryRun: dryRun, listedChanges: limit, connection: connection,
        wait: DatabaseOptions.wait, interruption: interruption
      ).run()
    }
    let change = dryRun ? nil : report.acceptanceID.map { "acceptance \($0)" }
    try Terminal.output(of: change) {
      try printChanges(report)
      noteLeftLines(report)
      try printSummary(report)
    }
    if report.leftLines > 0 { throw Terminal.code(.loadedWithFindings) }
  }

  private func printChanges(_ report: AcceptanceReport) throws {
    if !report.changes.isEmpty {
      var table = TextTable(["line", "stream", "key", "column", "before", "after"])
      for change in report.changes {
        table.add([
          change.line, change.stream, change.naturalKey, change.field, change.before ?? "-",
          change.after ?? "-",
        ])
      }
      for line in table.lines { try Terminal.output(line) }
    }
    let more = report.changeCount - report.changes.count
    if more > 0 { try Terminal.output("and \(more) more changes; --limit lists them") }
  }

  private func noteLeftLines(_ report: AcceptanceReport) {
    for (count, reason) in [
      (report.linesWithoutRow, "were left: their row is no longer stored"),
      (
        report.linesOfOthers,
        "were left: they name another user or application than the stored row, or another currency and no "
          + "price; undo the file of the stored row and load the new file"
      ),
      (
        report.incompleteLines,
        "were left: an older version of this program kept only a part of them; undo their file and load it "
          + "again"
      ),
      (
        report.supersededLines,
        "were left: a later line with the same key is accepted already; --file, --load or --key accepts "
          + "them anyway"
      ),
    ] where count > 0 {
      Terminal.note("gamebase-ingest: \(count) lines \(reason)")
    }
  }

  private func printSummary(_ report: AcceptanceReport) throws {
    guard let number = report.acceptanceID else {
      return try Terminal.output(
        report.leftLines + report.supersededLines > 0
          ? "nothing was accepted" : "nothing to accept: no such conflict is open")
    }
    let counts =
      "\(counted(report.lines, "line")) of \(counted(report.rows, "row")), "
      + "\(counted(report.changeCount, "change")) of a value"
    try Terminal.output(
      report.isDryRun
        ? "dry run: nothing was kept; it would accept \(counts)"
        : "acceptance \(number): \(counts); conflicts undo \(number) takes it back")
  }
}
