internal import ArgumentParser
internal import Foundation
internal import Loading

/// `gamebase-ingest conflicts`: lines that contradicted what was stored.
struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts",
    abstract: "Look at lines that contradicted a stored row, or take them as the truth.",
    subcommands: [
      ConflictsListCommand.self, ConflictsAcceptCommand.self, ConflictsUndoCommand.self,
    ])
}

/// Which conflicts a command is about.
struct ConflictOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only those of files whose path ends with this, or of the file of this number.",
      valueName: "path"))
  var file: String?

  @Option(help: ArgumentHelp("Only those of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: "Only those of one stream.")
  var stream: String?

  @Option(
    help: ArgumentHelp(
      "Only those of one row: its key as a JSON array, as the list shows it.", valueName: "json"))
  var key: String?

  @Option(help: ArgumentHelp("Only those in one column.", valueName: "column"))
  var field: String?

  func validate() throws {
    try checkStream(stream)
    if let key, !isArray(key) {
      throw ValidationError(
        "--key is a JSON array, as conflicts list shows it, such as '[\"p1\"]'.")
    }
    // Every path ends with nothing: a variable that is not set is no choice.
    if file?.isEmpty == true || field?.isEmpty == true {
      throw ValidationError("--file and --field are not empty.")
    }
  }

  private func isArray(_ json: String) -> Bool {
    // PostgreSQL's jsonb has no NUL.
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
