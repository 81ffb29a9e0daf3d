internal import ArgumentParser
internal import Loading
internal import RecordPipeline

struct LoadCommand: Command {
  static let help = """
    load: Load files into the database, each completely or not at all.

    gamebase-ingest load <paths> ... [options]
    gamebase-ingest load receipts/ levelups-2026-11-20.jsonl --database service=games
    gamebase-ingest load data/ --local
    """

  @OptionGroup var options: RunOptions

  @Flag(
    help: "Load each file, show the result, and roll it back; files do not see each other's rows.")
  var dryRun = false

  @Flag(help: "Leave the reports as they are, until the next refresh or load without this option.")
  var noRefresh = false

  @Option(
    help: "The name of standard input: selects the stream, and stands in ledger and messages.")
  var name: String?

  func validate() throws {
    if let name {
      guard options.inputs.paths == [InputFile.standardInputPath] else {
        throw ValidationError("--name is for standard input: load - --name NAME.")
      }
      guard !name.isEmpty, name != InputFile.standardInputPath,
        !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
      else { throw ValidationError("--name must be a text without control characters.") }
    }
  }

  func run() throws {
    let outputs = try RunOutputs(options, day: RunOutputs.day())
    if options.inputs.paths.isEmpty, let folder = options.database.local, !folder.isEmpty {
      throw LoadError(
        .usage,
        "no input is named: \(folder) follows --local, so it was taken for the private server's folder; "
          + "write inputs first, as in load \(folder) --local")
    }
    let found = try options.inputs.found(named: name)
    found.noteSkipped()
    var load = try options.loadOptions()
    load.refreshes = !noRefresh
    load.night.target = ConfiguredCommandLine.current?.target?.name
    load.isDryRun = dryRun
    try outputs.load(found, load, target: options.target())
  }
}
