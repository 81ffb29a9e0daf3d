internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest conflicts`: lines that contradicted a stored row.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "List lines that contradicted a stored row, or accept their values.",
    subcommands: [
      ConflictsListCommand.self, ConflictsAcceptCommand.self, ConflictsUndoCommand.self,
    ])
}

/// The options that select conflicts.
struct ConflictOptions: ParsableArguments {
  @OptionGroup var entries: EntryOptions

  @Option(
    help: ArgumentHelp(
      "Only conflicts of one row: its key as a JSON array, as the list shows it.", valueName: "json"
    ))
  var key: String?

  func validate() throws {
    // A `jsonb` value cannot hold NUL.
    if let key,
      key.contains("\\u0000")
        || !((try? JSONSerialization.jsonObject(with: Data(key.utf8))) is [Any])
    {
      throw ValidationError(
        "--key must be a JSON array, as conflicts list shows it, such as '[\"p1\"]'.")
    }
  }

  var filter: EntryFilter {
    var filter = entries.filter
    filter.naturalKey = key
    return filter
  }
}

/// `gamebase-ingest conflicts list`: lists conflicts with the kept and the refused values.
struct ConflictsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List conflicts: by stream and column, then one by one.",
    discussion: """
      A conflict is a value of a line that contradicts the stored row. The database keeps the stored \
      value until conflicts accept replaces it. --accepted lists the accepted conflicts. Tokens appear \
      as their digests.
      """)

  @OptionGroup var database: DatabaseOptions

  @OptionGroup var conflicts: ConflictOptions

  @Flag(help: "List accepted conflicts, with their acceptance, instead of open ones.")
  var accepted = false

  @OptionGroup var list: ListOptions

  func run() throws {
    let connection = try database.connectToSchema()
    let filter = conflicts.filter
    try reportingErrors {
      try connection.transaction(.readOnlySnapshot) {
        var output = StateOutput(list.format)
        try output.add(
          "groups", .conflictGroups(of: filter, accepted: accepted, on: connection),
          empty: accepted
            ? "no conflict was accepted" : "no conflict is open; --accepted lists the accepted ones"
        )
        try output.add(
          "conflicts",
          .conflicts(of: filter, accepted: accepted, limit: list.limit, on: connection), empty: "")
        try output.end()
      }
    }
  }
}

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
    let change = try database.change("conflicts accept", isDryRun: dryRun)
    let (report, changes) = try reportingErrors {
      try change.accept(conflicts.filter, listedChanges: limit)
    }
    try Terminal.output(of: dryRun ? nil : report.acceptanceID.map { "acceptance \($0)" }) {
      if let changes, changes.rowCount > 0 { try printTable(changes) }
      let more = report.valueCount - (changes?.rowCount ?? 0)
      if more > 0 { try Terminal.output("and \(more) more changes; --limit lists them") }
      noteLeftLines(report)
      try printSummary(report)
    }
    if report.leftCount > 0 { throw Terminal.code(.loadedWithFindings) }
  }

  private func noteLeftLines(_ report: Acceptance) {
    for (count, reason) in [
      (report.rowlessCount, "were left: their row is no longer stored"),
      (
        report.foreignCount,
        "were left: they name another user or application than the stored row, or another currency and no "
          + "price; undo the file of the stored row and load the new file"
      ),
      (
        report.incompleteCount,
        "were left: an older version of this program kept only a part of them; undo their file and load it "
          + "again"
      ),
      (
        report.supersededCount,
        "were left: a later line with the same key is accepted already; --file, --load or --key accepts "
          + "them anyway"
      ),
    ] where count > 0 {
      Terminal.note("gamebase-ingest: \(count) lines \(reason)")
    }
  }

  private func printSummary(_ report: Acceptance) throws {
    guard let number = report.acceptanceID else {
      return try Terminal.output(
        report.leftCount + report.supersededCount > 0
          ? "nothing was accepted" : "nothing to accept: no such conflict is open")
    }
    let counts =
      "\(counted(report.lineCount, "line")) of \(counted(report.rowCount, "row")), "
      + "\(counted(report.valueCount, "change")) of a value"
    try Terminal.output(
      dryRun
        ? "dry run: nothing was kept; it would accept \(counts)"
        : "acceptance \(number): \(counts); conflicts undo \(number) takes it back")
  }
}

/// `gamebase-ingest conflicts undo`: undoes an acceptance.
struct ConflictsUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo an acceptance and restore the values that it replaced.",
    discussion: """
      The conflicts are open again, and the acceptance stays in ingest.acceptance, marked as undone. \
      A value of a later acceptance stays. The reports are refreshed in the same transaction.

      Exits with 64 while later files have duplicates, fills or conflicts that may have met the \
      accepted values. --with-later undoes those files too; load them again afterwards.
      """)

  @Argument(help: "The number of the acceptance, as conflicts list --accepted shows it.")
  var acceptance: Int

  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Also undo later files that depend on the acceptance.")
  var withLater = false

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func run() throws {
    let change = try database.change("conflicts undo", isDryRun: dryRun)
    let report = try reportingErrors {
      try change.undoAcceptance(acceptance, withLater: withLater)
    }
    try report.requireNothingInTheWay("the accepted values")
    guard let files = report.files, let restored = report.restored else {
      return try Terminal.output("nothing to undo: acceptance \(acceptance) is undone already")
    }
    let counts =
      "\(counted(restored.lines, "line")) with \(counted(restored.values, "change")) of a value"
      + (files.rowCount == 0 ? "" : ", and \(counted(files.rowCount, "later file"))")
    try Terminal.output(of: dryRun ? nil : "the undo") {
      if files.rowCount > 0 { try printTable(files) }
      try Terminal.output(
        dryRun
          ? "dry run: nothing was kept; it would take back \(counts)"
          : "acceptance \(acceptance) is undone: \(counts)")
    }
  }
}
