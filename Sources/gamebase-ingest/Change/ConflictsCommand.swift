internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

struct ConflictsCommand: Command {
  static let help =
    "conflicts: List lines that contradicted a stored row, or accept their values."
  static let subcommands: Commands = [
    ConflictsListCommand.self, ConflictsAcceptCommand.self, ConflictsUndoCommand.self,
  ]
}

/// The options that select conflicts.
struct ConflictOptions: ParsableArguments {
  @OptionGroup var entries: EntryOptions

  @Option(
    help: "Only conflicts of one row: its key as a JSON array, as the list shows it.",
    transform: form("must be a JSON array, as conflicts list shows it, such as [\"p1\"]") { text in
      // A `jsonb` value cannot hold NUL.
      let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
      return value is [Any] && !text.contains("\\u0000") ? text : nil
    })
  var key: String?

  var filter: EntryFilter { entries.filter(naturalKey: key) }
}

struct ConflictsListCommand: Command {
  static let help = """
    list: List conflicts: by stream and column, then one by one.

    A conflict is a value of a line that contradicts the stored row, which keeps its own value until \
    conflicts accept replaces it.
    """

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var conflicts: ConflictOptions

  @Flag(help: "List accepted conflicts, with their acceptance, instead of open ones.")
  var accepted = false

  @OptionGroup var list: ListOptions

  func run() throws {
    var filter = conflicts.filter
    filter.includesResolved = accepted
    try database.show(list.format) { output in
      try output.add(
        "groups",
        """
        select stream, field, count(*) as lines, (array_agg(line order by conflict_id))[1] as first_example
          from \(EntryFilter.conflicts) group by stream, field order by count(*) desc, stream, field
        """, filter.parameters,
        empty: accepted
          ? "no conflict was accepted" : "no conflict is open; --accepted lists the accepted ones")
      let acceptance = accepted ? ", acceptance_id as acceptance, accepted_by, accepted_at" : ""
      try output.add(
        "conflicts",
        """
        select line, stream, natural_key as key, field, kept, refused\(acceptance)
          from \(EntryFilter.conflicts) order by conflict_id limit $9
        """, filter.parameters + [.integer(list.limit)], empty: "")
    }
  }
}

struct ConflictsAcceptCommand: ChangingCommand {
  static let help = """
    accept: Replace stored values by those of lines that contradicted them.

    gamebase-ingest conflicts accept --file receipts-corrected.jsonl --dry-run [options]
    gamebase-ingest conflicts accept --key '["2025072900012345"]' [options]

    The options choose open conflicts. A line is accepted as a whole: all its values are stored, also in \
    columns that were NULL. Of several lines with one key the one refused last wins. A line older than an \
    accepted one is taken only with --file, --load or --key.

    A line that names another user or application than the stored row, or another currency and no price, \
    is not accepted, and the exit code is 3: undo the older file and load the new one instead. conflicts \
    undo restores the replaced values. Needs the owner's rights.
    """

  @OptionGroup var options: ChangeOptions
  @OptionGroup var conflicts: ConflictOptions
  @Option(help: "The number of changes to list one by one.", transform: number(0)) var limit = 50

  func validate() throws {
    if conflicts.filter.isEmpty {
      throw ValidationError("Choose conflicts by --file, --load, --stream, --key or --field.")
    }
  }

  func run() throws {
    let (accepted, changes) = try options.change("conflicts accept")
      .accept(conflicts.filter, listedChanges: limit)
    for sentence in accepted.left?.all ?? [] { Terminal.problem(sentence) }
    if let number = accepted.acceptanceID {
      let more = accepted.valueCount - (changes?.rowCount ?? 0)
      let counts =
        "\(counted(accepted.lineCount, "line")) of \(counted(accepted.rowCount, "row")), "
        + "\(counted(accepted.valueCount, "change")) of a value"
        + (more > 0 ? ", of which --limit lists \(more) more" : "")
      try options.show(
        "acceptance \(number)", changes,
        done: "acceptance \(number): \(counts); conflicts undo \(number) takes it back",
        wouldBe: "it would accept \(counts)")
    } else {
      try Terminal.output(
        accepted.left == nil
          ? "nothing to accept: no such conflict is open" : "nothing was accepted")
    }
    if accepted.needsDecision { throw Terminal.code(.loadedWithFindings) }
  }
}

struct ConflictsUndoCommand: ChangingCommand {
  static let help = """
    undo: Undo an acceptance and restore the values that it replaced.

    The conflicts are open again. A value of a later acceptance stays. Exits with 64 while later files have \
    lines that may have met the accepted values. --with-later undoes those files too; load them again \
    afterwards. Needs the owner's rights.
    """

  @Argument(help: "The number of the acceptance, as conflicts list --accepted shows it.")
  var acceptance: Int

  @OptionGroup var options: ChangeOptions
  @Flag(help: "Also undo later files that depend on the acceptance.") var withLater = false

  func run() throws {
    let undone = try options.change("conflicts undo")
      .undoAcceptance(acceptance, withLater: withLater)
    try undone.requireNothingInTheWay("the accepted values")
    guard let files = undone.files, let restored = undone.restored else {
      return try Terminal.output("nothing to undo: acceptance \(acceptance) is undone already")
    }
    let counts =
      "\(counted(restored.lines, "line")) with \(counted(restored.values, "change")) of a value"
      + (files.rowCount == 0 ? "" : ", and \(counted(files.rowCount, "later file"))")
    try options.show(
      "the undo", files, done: "acceptance \(acceptance) is undone: \(counts)",
      wouldBe: "it would take back \(counts)")
  }
}
