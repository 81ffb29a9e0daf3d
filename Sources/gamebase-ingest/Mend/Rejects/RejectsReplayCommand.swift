internal import ArgumentParser
internal import Loading

/// `gamebase-ingest rejects replay`: applies the rules of this program to stored rejects again.
struct RejectsReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Read refused lines of loaded files again, by the rules of this program.",
    discussion: """
      Each line is read with the options that its file was loaded with. A line that the rules accept \
      now is loaded as a line of its file, marked as resolved, and counted under its new outcome in \
      the ledger. A second replay changes nothing. The reports are refreshed at the end. Exits with 3 \
      when lines are still refused or contradict a stored row.
      """)

  @OptionGroup var rejects: RejectOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var erasureKey: ErasureKeyOptions
  @OptionGroup var refreshing: RefreshOptions

  @Flag(help: "Do everything in the database, show the result, and roll it back.")
  var dryRun = false

  func run() throws {
    let target = try database.existingTarget()
    var options = LoadOptions()
    options.isDryRun = dryRun
    options.refreshWaitSeconds = refreshing.refreshWait
    options.erasureKey = try erasureKey.key()
    let interruption = Interruption()
    let signals = SignalHandling(interruption)
    defer { signals.stop() }
    let report = try reportingErrors {
      try RejectReplay(
        rejects.filter, options: options, target: target, logger: commandLogger(),
        interruption: interruption
      ).replay()
    }
    try printSummary(report)
    switch report.refresh {
    case .success(let refreshed): try Terminal.output(refreshed.sentence)
    case .failure(let error): Terminal.problem(error.message)
    case nil: break
    }
    if report.exitCode != .success { throw Terminal.code(report.exitCode) }
  }

  private func printSummary(_ report: ReplayReport) throws {
    guard !report.files.isEmpty else {
      return try Terminal.output("nothing to replay: no refused line is open")
    }
    var table = TextTable([
      "file", "stream", "inserted", "filled", "duplicates", "conflicts", "still refused", "cut",
    ])
    for file in report.files {
      table.add(
        [file.path, file.stream]
          + [
            file.inserted, file.filled, file.duplicates, file.conflicts, file.refused, file.cut,
          ].map { String($0) })
    }
    for line in table.lines { try Terminal.output(line) }
    let suppressed = report.files.map(\.suppressed).reduce(0, +)
    if suppressed > 0 {
      try Terminal.output("suppressed: \(counted(suppressed, "line")) of erased users")
    }
    let resolved = report.files.map(\.resolved).reduce(0, +)
    try Terminal.output(
      dryRun
        ? "dry run: nothing was kept; \(counted(resolved, "line")) would be resolved"
        : "\(counted(resolved, "line")) resolved")
  }
}
