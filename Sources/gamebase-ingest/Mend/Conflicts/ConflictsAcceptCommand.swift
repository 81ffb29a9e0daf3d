internal import ArgumentParser
internal import Loading

/// `gamebase-ingest conflicts accept`: takes the values of refused lines as the truth.
struct ConflictsAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Take the values of lines that contradicted a stored row as the truth.",
    usage: """
      gamebase-ingest conflicts accept --file receipts-corrected.jsonl --dry-run [options]
      gamebase-ingest conflicts accept --key '["2025072900012345"]' [options]
      """,
    discussion: """
      A line is accepted as a whole: all its values are stored, also where the row had none. Of \
      several lines of one key the one that was refused last wins, and a line older than an \
      accepted one is taken only where its file, run or key is named. The options choose open \
      conflicts; at least one of --file, --load, --stream, --key and --field is needed.

      What a line does not say stays as it is stored. One transaction for all; what stood before is kept, and conflicts undo brings it back. A line \
      that names another user or application than the stored row, or another currency without a price, is \
      left, and the exit code is 3 then: undo the older file and \
      load the new one instead. The same again changes nothing. Needs the owner's rights.
      """)

  @OptionGroup var database: DatabaseOptions

  @OptionGroup var conflicts: ConflictOptions

  @Option(help: "Changes to list one by one.")
  var limit = 50

  @Flag(help: "Do everything against the database, show what it comes to, and keep nothing.")
  var dryRun = false

  func validate() throws {
    if conflicts.filter.isEmpty {
      throw ValidationError("Choose conflicts by --file, --load, --stream, --key or --field.")
    }
    if limit < 0 { throw ValidationError("--limit is not negative.") }
  }

  func run() throws {
    let connection = try database.connectToSchema()
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try ConflictAcceptance(
        conflicts.filter, isDryRun: dryRun, listedChanges: limit, connection: connection,
        interruption: interruption
      ).run()
    }
    let change = dryRun ? nil : report.acceptanceID.map { "acceptance \($0)" }
    try Terminal.output(of: change) {
      try printChanges(report)
      tellLeft(report)
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

  private func tellLeft(_ report: AcceptanceReport) {
    for (count, reason) in [
      (report.linesWithoutRow, "were left: the row that they contradicted is no longer stored"),
      (
        report.linesOfOthers,
        "were left: they name another user or application than the stored row, or another currency and no "
          + "price; undo the file that brought it, and load the new one"
      ),
      (
        report.incompleteLines,
        "were left: an older version refused them and kept too little; undo their file and load it "
          + "again"
      ),
      (
        report.supersededLines,
        "were left: a later line of their key is accepted already; --file, --load or --key takes them all the same"
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
      "\(report.lines) lines of \(report.rows) rows, \(report.changeCount) changes of a value"
    try Terminal.output(
      report.isDryRun
        ? "dry run: nothing was kept; it would accept \(counts)"
        : "acceptance \(number): \(counts); conflicts undo \(number) takes it back")
  }
}
