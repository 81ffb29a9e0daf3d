internal import ArgumentParser
internal import Loading
internal import Postgres

struct UndoCommand: ChangingCommand {
  static let help = """
    undo: Undo a loaded file: its rows, rejects, conflicts, fills and accepted values.

    gamebase-ingest undo <file> [options]
    gamebase-ingest undo --load <load-id> [options]
    gamebase-ingest undo receipts/2026-11-20.jsonl.gz --dry-run

    The entry of the file stays in the ledger, marked as undone. Until the same bytes, or another file of \
    the path, are loaded by load (run leaves them alone), it is an open failure; the last line of the \
    output dismisses it. Loads wait meanwhile, and the reports are refreshed in the same transaction.

    Exits with 64 while later files have lines that may have met the rows of this file, because those lines \
    would be lost. --with-later undoes those files too; load them again afterwards. Needs the owner's rights.
    """

  @Argument(
    help: "A file: its path or the end of it, its source_file_id, or its first sha256 digits.")
  var file: String?

  @OptionGroup var options: ChangeOptions
  @Option(help: "Undo all files of one run.") var load: Int?
  @Flag(help: "Also undo later files that depend on these.") var withLater = false

  func validate() throws {
    guard (file == nil) != (load == nil), file?.isEmpty != true else {
      throw ValidationError("Name one file, or a run with --load.")
    }
  }

  func run() throws {
    let choice = load.map { FileChoice.load($0) } ?? .file(file ?? "")
    let report = try options.change("undo").undo(choice, withLater: withLater)
    try report.requireNothingInTheWay("these rows and would be lost")
    guard let files = report.files else {
      return try Terminal.output("nothing to undo: it is undone already")
    }
    let undone = try report.undone
    let counts =
      "\(counted(undone.count, "file")) with \(counted(undone.map(\.rows).reduce(0, +), "row"))"
    let next =
      "\nwhere none will come: gamebase-ingest failures dismiss "
      + report.failurePaths.map(shellQuoted).joined(separator: " ")
    try options.show(
      "the undo", files,
      done:
        "undone: \(counts), which load can load again, the oldest first; status lists them until then\(next)",
      wouldBe: "\(counts) would be undone\(next)")
  }
}

extension UndoneFiles {
  /// Lists the files that depend on the undo on standard error, and ends the command with 64.
  func requireNothingInTheWay(_ met: String) throws {
    guard let inTheWay else { return }
    TextTable(inTheWay, limit: 50).lines.forEach(Terminal.note)
    throw LoadError(
      .usage,
      "\(inTheWay.rowCount) other files have lines that may have met \(met); nothing was undone. "
        + "--with-later takes those files back too; load them again afterwards")
  }
}
