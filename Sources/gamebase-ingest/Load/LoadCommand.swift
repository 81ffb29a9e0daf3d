internal import ArgumentParser
internal import Configuration
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest load`: loads files into the database.
struct LoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load files into the database, each completely or not at all.",
    usage: """
      gamebase-ingest load <paths> ... [options]
      gamebase-ingest load receipts/ levelups-2026-11-20.jsonl --database service=games
      gamebase-ingest load data/ --local
      """)

  @OptionGroup(title: "Records") var records: RecordOptions
  @OptionGroup(title: "Missing files") var completeness: CompletenessOptions
  @OptionGroup(title: "Database and configuration") var database: DatabaseOptions
  @OptionGroup(title: "Erased users") var erasureKey: ErasureKeyOptions
  @OptionGroup(title: "Loading") var loading: LoadingOptions
  @OptionGroup(title: "Outputs") var outputs: OutputOptions

  @Flag(
    help: "Load each file, show the result, and roll it back; files do not see each other's rows.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Leave the reports as they are, instead of refreshing them after the last file.",
      discussion: "The next load without this option, or refresh, brings them up to date."))
  var noRefresh = false

  @Option(
    help: ArgumentHelp(
      "The name of standard input: selects the stream, and stands in ledger and messages.",
      valueName: "name"))
  var name: String?

  func validate() throws {
    if let name {
      guard records.paths == [InputFile.standardInputPath] else {
        throw ValidationError("--name is for standard input: load - --name NAME.")
      }
      guard !name.isEmpty, name != InputFile.standardInputPath,
        !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
      else { throw ValidationError("--name must be a text without control characters.") }
    }
  }

  func run() throws {
    let clock = ReportClock()
    let outputs = try RunOutputs(outputs, day: RunOutputs.today, quiet: loading.quiet)
    try outputs.check()
    do { try load(outputs) } catch let failure as CommandFailure {
      _ = outputs.write(RunReport(failure, clock: clock))
      throw failure
    }
  }

  private func load(_ outputs: RunOutputs) throws {
    if records.paths.isEmpty, let folder = database.local, !folder.isEmpty {
      throw Terminal.failure(
        .usage,
        "no input is named: \(folder) follows --local, so it was taken for the private server's folder; "
          + "write inputs first, as in load \(folder) --local")
    }
    let found =
      try name.map { try records.standardInput(named: $0, completeness) }
      ?? records.inputs(completeness)
    found.noteSkipped()
    let key = try erasureKey.key()
    let target = try database.target(isQuiet: loading.quiet)
    var options = records.loadOptions
    options.erasureKey = key
    loading.apply(to: &options)
    options.refreshes = !noRefresh
    options.night.target = ConfiguredCommandLine.target?.name
    options.isDryRun = dryRun
    try outputs.load(found, options, target: target)
  }
}

extension RunReport {
  /// The report of a command that failed before its run.
  init(_ failure: CommandFailure, clock: ReportClock = ReportClock()) {
    self.init(
      failedWith: failure.exitCode, code: failure.code, message: failure.message,
      detail: failure.detail, version: Version.current, clock: clock)
  }
}
