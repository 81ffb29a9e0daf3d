internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest rejects`: lists, shows, exports or replays stored rejects.
struct RejectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rejects",
    abstract: "List, show, export or replay refused lines.",
    subcommands: [
      RejectsListCommand.self, RejectsShowCommand.self, RejectsExportCommand.self,
      RejectsReplayCommand.self,
    ])
}

/// The options that select rejects.
struct RejectOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only lines of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: ArgumentHelp("Only lines of files whose path ends with this.", valueName: "path"))
  var file: String?

  @Option(help: "Only lines of one stream.")
  var stream: String?

  @Option(help: "Only lines with this reject code.")
  var code: String?

  @Option(
    help: ArgumentHelp("Only lines that were refused because of this field.", valueName: "name"))
  var field: String?

  func validate() throws {
    try checkStream(stream)
    if let code, RejectCode(rawValue: code) == nil {
      throw ValidationError("There is no reject code \(code); the documentation lists all codes.")
    }
    // An empty value is most likely an unset shell variable; an empty path would select every file.
    if file?.isEmpty == true || field?.isEmpty == true {
      throw ValidationError("--file and --field must not be empty.")
    }
  }

  var filter: RejectFilter {
    var filter = RejectFilter()
    filter.loadID = load
    filter.path = file
    filter.stream = stream
    filter.code = code
    filter.field = field
    return filter
  }
}
