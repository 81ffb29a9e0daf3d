internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest validate`: checks files by the rules of `load`, without a database.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check files by the rules of load, without a database.",
    discussion: """
      Prints refused lines as file:line: code [field]: reason. --format json writes one document for \
      programs. Duplicates and conflicts need a database, so validate does not look for them.
      """)

  @OptionGroup(title: "Records") var records: RecordOptions
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
  @OptionGroup(title: "Missing files") var completeness: CompletenessOptions

  @Option(help: "text or json.")
  var format: StateFormat = .text

  @Option(
    help: ArgumentHelp(
      "Refused lines to print per file; if unset, all in JSON and 20 in text.", valueName: "n"))
  var show: Int?

  func validate() throws {
    if let show, show < 0 { throw ValidationError("--show must not be negative.") }
  }

  func run() throws {
    var found = try records.inputs(completeness)
    found.noteSkipped()
    found.inputs = ObjectWindow.assign(found.inputs, lanes: [Array(found.inputs.indices)])
    let (options, startOfRun) = (records.loadOptions, currentMilliseconds())
    let output = try ValidationOutput(format, show: show)
    var worst = Loading.ExitCode.success
    func end(_ verdict: FileVerdict, _ code: Loading.ExitCode) throws {
      try output.end(verdict)
      worst = worst.joined(with: code)
    }
    // Paths that failed stand between the files, in the order of the command line.
    for place in 0...found.inputs.count {
      for failure in found.failures where failure.place == place {
        try output.begin()
        try end(FileVerdict(failure), ErrorCode(failure.kind).ofUnreadInput)
      }
      guard place < found.inputs.count else { break }
      let input = found.inputs[place]
      try output.begin()
      let (verdict, code) = try FileVerdict.check(
        input, options: options, startOfRun: startOfRun
      ) { try output.reject($0, of: input.path) }
      try end(verdict, code)
    }
    for shortfall in found.shortfalls {
      Terminal.problem(shortfall.message)
      worst = worst.joined(with: .incomplete)
    }
    try output.end(worst, skipped: found.skipped)
    if worst != .success { throw Terminal.code(worst) }
  }
}
