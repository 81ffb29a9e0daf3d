internal import Configuration
internal import Loading
internal import RecordPipeline

/// The files that a run expects, by day and source.
struct RunPlan {
  /// The files of one source on one day.
  struct Part {
    let day: ReportDay
    let paths: [String]
    /// nil: the names of the files tell.
    let stream: String?
    let minFiles: Int
    let found: FoundInputs

    /// The files that were found, with those that have failed.
    var fileCount: Int { found.inputs.count + found.failures.count }

    /// A sentence that names the missing files and the next step.
    var shortfall: String {
      "\(day.text): \(counted(fileCount, "file")) in \(paths.joined(separator: " ")), and min-files is "
        + "\(minFiles); run the day again when the others are there"
    }
  }

  let days: [ReportDay]
  let parts: [Part]
  /// The paths of all sources, on any day.
  let patterns: [PathPattern]

  /// Searches the files.
  ///
  /// A source without a placeholder has the same files on all days, so it is searched once, for the
  /// last day.
  /// - Throws: `CommandFailure` with exit code 64 when a path cannot be used.
  init(
    _ sources: [Configuration.Source], days: [ReportDay], records: RecordOptions,
    completeness: CompletenessOptions
  ) throws {
    self.days = days
    var parts: [Part] = []
    for source in sources {
      let patterns = try Self.dayPatterns(of: source)
      let hasDay = patterns.contains { $0.hasDay }
      for day in hasDay ? days[...] : days.suffix(1) {
        let paths = patterns.map { $0.path(on: day.text) }
        // The folder of a day can come late.
        let found = try records.inputs(
          paths, stream: source.stream, takesMissingFolderAsEmpty: hasDay)
        parts.append(
          Part(
            day: day, paths: paths, stream: source.stream,
            minFiles: source.minFiles ?? completeness.minFiles, found: found))
      }
    }
    self.parts = parts
    patterns = try Self.patterns(of: sources)
  }

  /// The paths of all files of the sources, on any day.
  ///
  /// - Throws: `CommandFailure` with exit code 64 when a path has an unknown placeholder.
  static func patterns(of sources: [Configuration.Source]) throws -> [PathPattern] {
    try sources.flatMap { try dayPatterns(of: $0) }.map { PathPattern($0.anyDay) }
  }

  private static func dayPatterns(of source: Configuration.Source) throws -> [DayPattern] {
    do throws(ConfigurationError) {
      return try source.paths.map { path throws(ConfigurationError) in try DayPattern(path) }
    } catch {
      throw Terminal.failure(.usage, error.message)
    }
  }

  /// All files, each once, in the order of the days and then of the sources.
  var found: FoundInputs {
    var all = FoundInputs()
    var seen: Set<[UInt8]> = []
    for day in days {
      for part in parts where part.day == day {
        all.append(part.found) { seen.insert(Array($0.utf8)).inserted }
      }
    }
    return all
  }

  /// The sources that lack files.
  var missing: [Part] { parts.filter { $0.fileCount < $0.minFiles } }

  /// The state of each path, for the ledger; it already knows the paths that failed in the search.
  ///
  /// - Parameter refusal: why none of the files was loaded; nil: they were.
  func expectedFiles(refusal: String?) -> [ExpectedFiles] {
    parts.flatMap { part in
      let isMissing = part.fileCount < part.minFiles
      guard part.found.failures.isEmpty || isMissing else { return [ExpectedFiles]() }
      let problem = isMissing ? part.shortfall : refusal
      return part.paths.map { ExpectedFiles(path: $0, stream: part.stream, problem: problem) }
    }
  }
}

/// Prints what a run would do.
struct PlanTable {
  private let plan: RunPlan
  private let judges: Bool

  init(_ plan: RunPlan, judges: Bool) {
    self.plan = plan
    self.judges = judges
  }

  func show() throws {
    if let line = ConfiguredCommandLine.current, !line.entries.isEmpty {
      var options = TextTable(["option", "from"])
      for entry in line.entries {
        options.add([entry.arguments.joined(separator: " "), entry.origin])
      }
      for line in options.lines { try Terminal.output(line) }
      try Terminal.output("")
    }
    var table = TextTable(["day", "paths", "files", "bytes", "min files", "missing"])
    for part in plan.parts {
      let bytes = part.found.inputs.map(\.sizeOnDisk).reduce(0, +)
      table.add([
        part.day.text, part.paths.joined(separator: " "), String(part.found.inputs.count),
        String(bytes), String(part.minFiles),
        part.found.failures.isEmpty && part.fileCount >= part.minFiles ? "no" : "yes",
      ])
    }
    for line in table.lines { try Terminal.output(line) }
    try Terminal.output("")
    for input in plan.found.inputs {
      try Terminal.output("load \(printable(input.path)) as \(input.stream)")
    }
    for failure in plan.found.failures {
      try Terminal.output("fail \(printable(failure.path)): \(printable(failure.reason))")
    }
    for file in plan.found.skipped {
      try Terminal.output("skip \(printable(file.path)): \(printable(file.reason))")
    }
    try Terminal.output(
      judges
        ? "the figures of each day would be judged before the first commit"
        : "no figure would be judged")
  }
}
