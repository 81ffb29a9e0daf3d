internal import ArgumentParser
internal import Foundation
internal import Loading

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
  @Option(
    help: ArgumentHelp(
      "Only conflicts of files with this path, its end from a / on, or this source_file_id.",
      valueName: "path"))
  var file: String?

  @Option(help: ArgumentHelp("Only conflicts of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: "Only conflicts of one stream.")
  var stream: String?

  @Option(
    help: ArgumentHelp(
      "Only conflicts of one row: its key as a JSON array, as the list shows it.", valueName: "json"
    ))
  var key: String?

  @Option(help: ArgumentHelp("Only conflicts in one column.", valueName: "column"))
  var field: String?

  func validate() throws {
    try checkStream(stream)
    if let key, !isArray(key) {
      throw ValidationError(
        "--key must be a JSON array, as conflicts list shows it, such as '[\"p1\"]'.")
    }
    // An empty value is most likely an unset shell variable; it would select no conflict.
    if file?.isEmpty == true || field?.isEmpty == true {
      throw ValidationError("--file and --field must not be empty.")
    }
  }

  private func isArray(_ json: String) -> Bool {
    // A `jsonb` value cannot hold NUL.
    !json.contains("\\u0000")
      && (try? JSONSerialization.jsonObject(with: Data(json.utf8))) is [Any]
  }

  var filter: ConflictFilter {
    var filter = ConflictFilter()
    filter.file = file
    filter.loadID = load
    filter.stream = stream
    filter.naturalKey = key
    filter.field = field
    return filter
  }
}
