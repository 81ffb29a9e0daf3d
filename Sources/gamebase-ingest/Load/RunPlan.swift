internal import Configuration
internal import Loading
internal import RecordPipeline

/// The files that a run expects, by day and source.
struct RunPlan {
  /// The files of one source on one day.
  struct Part {
    let day: String
    let paths: [String]
    let minFiles: Int
    let found: FoundInputs

    var isMissing: Bool { !found.failures.isEmpty || !found.shortfalls.isEmpty }
  }

  let days: [String]
  let parts: [Part]
  /// All files, each once, in the order of the days and then of the sources.
  let found: FoundInputs

  /// Searches the files.
  ///
  /// A source without a placeholder has the same files on all days, so it is searched once, for the
  /// last day.
  /// - Parameter target: the target of the sources; nil: they are paths of the command line.
  /// - Throws: `ConfigurationError` or `InputUsageError` when a path cannot be used.
  init(
    _ sources: [Configuration.Source], of target: String?, days: [String],
    inputs: InputOptions
  ) throws {
    var (parts, all) = ([Part](), FoundInputs())
    var seen: Set<[UInt8]> = []
    let streams = try sources.map { source in
      try source.stream.map { name in
        guard let stream = RecordStream(argument: name) else {
          throw LoadError(.usage, "a source has no stream \(name)")
        }
        return stream
      }
    }
    let patterns = try sources.map { try $0.paths.map { try DayPattern($0) } }
    for day in days {
      for (place, source) in sources.enumerated() {
        let hasDay = patterns[place].contains { $0.hasDay }
        guard hasDay || day == days.last else { continue }
        let paths = patterns[place].map { $0.path(on: day) }
        let minFiles = source.minFiles ?? Int(clamping: inputs.minFiles)
        var found = try InputDiscovery(
          stream: streams[place] ?? inputs.records.stream, minFiles: minFiles, isNight: true,
          source: target.map { "source \(place + 1) of \($0)" }
        ).inputs(paths)
        for place in found.inputs.indices where hasDay { found.inputs[place].askedOn = day }
        parts.append(Part(day: day, paths: paths, minFiles: minFiles, found: found))
        all.append(found) { seen.insert(Array($0.utf8)).inserted }
      }
    }
    self.days = days
    self.parts = parts
    found = all
  }

  /// Prints what the run would do.
  func show() throws {
    let entries = ConfiguredCommandLine.current?.entries ?? []
    if !entries.isEmpty {
      let rows = entries.map { [$0.arguments.joined(separator: " "), $0.origin] }
      try TextTable(["option", "from"], rows).show()
      try Terminal.output("")
    }
    let rows = parts.map { part in
      let bytes = part.found.inputs.map(\.sizeOnDisk).reduce(0, +)
      return [
        part.day, part.paths.joined(separator: " "), String(part.found.inputs.count),
        String(bytes), String(part.minFiles), part.isMissing ? "yes" : "no",
      ]
    }
    try TextTable(["day", "paths", "files", "bytes", "min files", "missing"], rows).show()
    try Terminal.output("")
    for input in found.inputs {
      try Terminal.output("load \(printable(input.path)) as \(input.stream)")
    }
    for failure in found.failures {
      let word = failure.kind == .missing ? "missing" : "fail"
      try Terminal.output("\(word) \(printable(failure.path)): \(printable(failure.reason))")
    }
    for shortfall in found.shortfalls {
      try Terminal.output("missing: \(printable(shortfall.message))")
    }
    for file in found.skipped {
      try Terminal.output("skip \(printable(file.path)): \(printable(file.reason))")
    }
  }
}
