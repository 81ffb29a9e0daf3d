internal import ArgumentParser
internal import Configuration
internal import Loading
internal import Postgres
internal import RecordPipeline

/// `gamebase-ingest run`: the work of one night, from the files to the outputs.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Load the files of a day, refresh the reports, and judge the result.",
    usage: """
      gamebase-ingest run [options]
      gamebase-ingest run --target kr --date 2026-01-31
      gamebase-ingest run '/data/inbox/receipt-%Y-%m-%d*' --database service=games --plan
      """,
    discussion: """
      The sources of the configuration file, or the paths given, name the files of a day: %Y, %m and %d \
      stand for it, and %% for a percent sign. The day is yesterday in the time zone of the reports, \
      unless --date, or --since and --until, are given.

      It loads the files, refreshes the reports, and judges the feeds like status --check: by \
      report.health, of the application of --app-id or --expect-app, else of all. It ends with 7 when \
      data is late, missing or implausible, which also is a path that finds no file. Files that were \
      undone are left alone. A second run of a day loads nothing, and ends as the first one, until its \
      refused lines are replayed and its conflicts are accepted.
      """)

  @OptionGroup(title: "Records") var records: RecordOptions
  @OptionGroup(title: "Missing files") var completeness: CompletenessOptions
  @OptionGroup(title: "Database and configuration") var database: DatabaseOptions
  @OptionGroup(title: "Erased users") var erasureKey: ErasureKeyOptions
  @OptionGroup(title: "Loading") var loading: LoadingOptions
  @OptionGroup(title: "Outputs") var outputs: OutputOptions

  @Option(help: ArgumentHelp("The day of the files; yesterday if unset.", valueName: "yyyy-mm-dd"))
  var date: String?

  @Option(help: ArgumentHelp("The first of several days.", valueName: "yyyy-mm-dd"))
  var since: String?

  @Option(
    help: ArgumentHelp("The last of several days; yesterday if unset.", valueName: "yyyy-mm-dd"))
  var until: String?

  @Flag(help: "Print what would be done, and do nothing; ends with 0.")
  var plan = false

  func validate() throws {
    for (name, day) in [("--date", date), ("--since", since), ("--until", until)] {
      if let day, CalendarDay(text: day) == nil {
        throw ValidationError("\(name) must be a day, such as 2026-01-31.")
      }
    }
    if date != nil, since != nil || until != nil {
      throw ValidationError("Use only one of --date, and --since with --until.")
    }
    if since == nil, until != nil { throw ValidationError("--until needs --since.") }
  }

  func run() throws {
    let clock = ReportClock()
    let quiet = loading.quiet
    var outputs = try RunOutputs(
      outputs, day: date ?? until, quiet: quiet)
    if !plan { try outputs.check() }
    do { try run(&outputs) } catch let failure as CommandFailure {
      if !plan {
        var report = RunReport(failure, clock: clock)
        report.night = NightReport(Night(target: ConfiguredCommandLine.target?.name))
        _ = outputs.write(report)
      }
      throw failure
    }
  }

  private func run(_ outputs: inout RunOutputs) throws {
    let sources = try sources()
    var options = records.loadOptions
    loading.apply(to: &options)
    options.erasureKey = try erasureKey.key()
    let target = try database.target(isQuiet: loading.quiet)
    let days = try days(target, options)
    if let last = days.last { outputs.day = last }
    let name = ConfiguredCommandLine.target?.name
    let plan = try RunPlan(
      sources, of: records.paths.isEmpty ? name : nil, days: days, records: records,
      completeness: completeness)
    if self.plan { return try plan.show() }
    plan.found.noteSkipped()
    options.night = Night(target: name, days: days)
    outputs.appID = records.appId ?? records.expectApp
    try outputs.load(plan.found, options, target: target)
  }

  /// The days of the run, which the database knows.
  private func days(_ target: ConnectionTarget, _ options: LoadOptions) throws -> [String] {
    try reportingErrors {
      let connection = try options.retries(logger: commandLogger(), interruption: Interruption()) {
        () throws(LoadError) in try Connection.open(target)
      }
      try Migrator(connection: connection).requireCurrent()
      return try connection.transaction(.readOnlySnapshot) {
        try Night.days(from: date ?? since, through: date ?? until, on: connection)
      }
    }
  }

  /// The sources of the run: the paths given, else those of the target.
  ///
  /// - Throws: `CommandFailure` with exit code 64 when there are none.
  private func sources() throws -> [Configuration.Source] {
    if !records.paths.isEmpty { return [Configuration.Source(paths: records.paths)] }
    let target = ConfiguredCommandLine.target
    guard let sources = target?.sources, !sources.isEmpty else {
      throw Terminal.failure(
        .usage,
        target.map {
          "the target \($0.name) has no sources: add [[targets.\($0.name).sources]] to the configuration file, or give paths"
        }
          ?? "no input is named: give paths, or a configuration file with a target and its sources")
    }
    return sources
  }
}
