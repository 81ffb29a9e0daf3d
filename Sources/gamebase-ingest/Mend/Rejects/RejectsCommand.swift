internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest rejects`: the refused lines that were kept.
struct RejectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rejects",
    abstract: "Look at refused lines, take them out to mend them, or try them again.",
    subcommands: [
      RejectsListCommand.self, RejectsShowCommand.self, RejectsExportCommand.self,
      RejectsReplayCommand.self,
    ])
}

/// Which rejects a command is about.
struct RejectOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only those of one run.", valueName: "load-id"))
  var load: Int?

  @Option(help: ArgumentHelp("Only those of files whose path ends with this.", valueName: "path"))
  var file: String?

  @Option(help: "Only those of one stream.")
  var stream: String?

  @Option(help: "Only those with this code.")
  var code: String?

  @Option(help: ArgumentHelp("Only those at fault in this field.", valueName: "name"))
  var field: String?

  func validate() throws {
    try checkStream(stream)
    if let code, RejectCode(rawValue: code) == nil {
      throw ValidationError("There is no code \(code); the documentation lists them all.")
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
