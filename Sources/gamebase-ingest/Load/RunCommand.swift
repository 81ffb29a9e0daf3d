internal import ArgumentParser
internal import Configuration
internal import Loading
internal import Postgres
internal import RecordPipeline

struct RunCommand: Command {
  static let help = """
    run: Load the files of a day, refresh the reports, and judge the result.

    gamebase-ingest run [options]
    gamebase-ingest run --target kr --date 2026-01-31
    gamebase-ingest run '/data/inbox/receipt-%Y-%m-%d*' --database service=games --plan

    The sources of the configuration file, or the paths given, name the files of a day: %Y, %m and %d \
    stand for it, and %% for a percent sign. The day is yesterday in the time zone of the reports, \
    unless --date, or --since and --until, are given.

    It ends with 7 when data is late, missing or implausible; a path that finds no file is missing. Files \
    that were undone are left alone. A second run of a day loads nothing, and ends as the first one, until \
    its refused lines are replayed and its conflicts are accepted.
    """

  @OptionGroup var options: RunOptions
  @Option(help: "The day of the files; yesterday if unset.", transform: day) var date: String?
  @Option(help: "The first of several days.", transform: day) var since: String?
  @Option(help: "The last of several days; yesterday if unset.", transform: day) var until: String?
  @Flag(help: "Print what would be done, and do nothing; ends with 0.") var plan = false

  func validate() throws {
    if date != nil, since != nil || until != nil {
      throw ValidationError("Use only one of --date, and --since with --until.")
    }
    if since == nil, until != nil { throw ValidationError("--until needs --since.") }
  }

  /// Loads the files of the paths given, else of the target's sources, on the days, which the database knows.
  func run() throws {
    let outputs = try plan ? nil : RunOutputs(options, day: date ?? until)
    let (name, paths) = (ConfiguredCommandLine.current?.target?.name, options.inputs.paths)
    let sources =
      paths.isEmpty
      ? ConfiguredCommandLine.current?.target?.sources ?? [] : [Configuration.Source(paths: paths)]
    guard !sources.isEmpty else {
      throw LoadError(
        .usage,
        name.map {
          "the target \($0) has no sources: add [[targets.\($0).sources]] to the configuration file, or give paths"
        }
          ?? "no input is named: give paths, or a configuration file with a target and its sources")
    }
    var load = try options.loadOptions()
    let target = try options.target()
    let days = try days(load.retries, on: target)
    ConfiguredCommandLine.current?.day = days.last
    let expected = try RunPlan(
      sources, of: paths.isEmpty ? name : nil, days: days, inputs: options.inputs)
    guard let outputs else { return try expected.show() }
    expected.found.noteSkipped()
    load.night = Night(target: name, days: days)
    try outputs.load(expected.found, load, target: target)
  }

  private func days(_ retries: RetryPolicy, on target: ConnectionTarget) throws -> [String] {
    let connection = try retries(warn: target.warn, interruption: Interruption()) {
      () throws(LoadError) in try Connection.open(target)
    }
    try Migrator(connection: connection).requireCurrent()
    return try connection.transaction(.readOnlySnapshot) {
      try Night.days(from: date ?? since, through: date ?? until, on: connection)
    }
  }
}

/// The files that a run expects, by day and source.
private struct RunPlan {
  /// All files, each once, in the order of the days and then of the sources.
  private(set) var found = FoundInputs()
  /// One for each day and source.
  private var rows: [[TextTable.Cell]] = []

  /// Searches the files.
  ///
  /// A source without a placeholder has the same files on all days, so it is searched once, for the
  /// last day.
  /// - Parameter target: the target of the sources; nil: they are paths of the command line.
  init(
    _ sources: [Configuration.Source], of target: String?, days: [String],
    inputs: InputOptions
  ) throws {
    let searches = try sources.map { source in
      let stream = source.stream.flatMap { RecordStream(argument: $0) }
      if let name = source.stream, stream == nil {
        throw LoadError(.usage, "a source has no stream \(name)")
      }
      return (source, stream ?? inputs.records.stream, try source.paths.map { try DayPattern($0) })
    }
    var seen: Set<[UInt8]> = []
    for day in days {
      for (place, (source, stream, patterns)) in searches.enumerated() {
        let hasDay = patterns.contains { $0.hasDay }
        guard hasDay || day == days.last else { continue }
        let paths = patterns.map { $0.path(on: day) }
        let minFiles = source.minFiles ?? inputs.minFiles
        let found = try InputDiscovery(
          stream: stream, minFiles: minFiles, isNight: true,
          source: target.map { "source \(place + 1) of \($0)" }, askedOn: hasDay ? day : nil
        ).inputs(paths)
        let files = found.inputs
        let isMissing = !found.failures.isEmpty || !found.shortfalls.isEmpty
        rows.append([
          day, paths.joined(separator: " "), files.count, files.map(\.sizeOnDisk).reduce(0, +),
          minFiles, isMissing ? "yes" : "no",
        ])
        self.found.append(found) { seen.insert(Array($0.utf8)).inserted }
      }
    }
  }

  func show() throws {
    let entries = ConfiguredCommandLine.current?.entries ?? []
    let options = entries.map { [$0.arguments.joined(separator: " "), $0.origin] }
    let lines =
      (options.isEmpty ? [] : TextTable(["option", "from"], options).lines + [""])
      + TextTable(["day", "paths", "files", "bytes", "min files", "missing"], rows).lines + [""]
      + found.inputs.map { "load \($0.path) as \($0.stream)" }
      + found.failures.map {
        "\($0.error.kind == .pathMissing ? "missing" : "fail") \($0.path): \($0.error)"
      }
      + found.shortfalls.map { "missing: \($0.error)" }
      + found.skipped.map { "skip \($0.path): \($0.reason)" }
    for line in lines { try Terminal.output(printable(line)) }
  }
}
