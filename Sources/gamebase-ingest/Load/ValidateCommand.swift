internal import ArgumentParser
internal import Loading
internal import RecordPipeline

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check files by the rules of load, without a database.",
    discussion: """
      Prints refused lines as file:line: code [field]: reason. --format json writes one document for \
      programs. Duplicates and conflicts need a database, so validate does not look for them.
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

  @Option(help: "The form of the verdicts.")
  var format: OutputFormat = .text

  @Option(help: "Refused lines to print per file; if unset, all in JSON and 20 in text.")
  var show: UInt?

  func run() throws {
    var found = try inputs.found()
    found.noteSkipped()
    found.inputs = ObjectWindow.assign(found.inputs, lanes: [Array(found.inputs.indices)])
    let (options, startOfRun) = (inputs.records.loadOptions, currentMilliseconds())
    let output = try ValidationOutput(format, show: show.map { Int(clamping: $0) })
    var worst = Loading.ExitCode.success
    func end(_ verdict: FileVerdict, _ code: Loading.ExitCode) throws {
      try output.end(verdict)
      worst = worst.joined(with: code)
    }
    // Paths that failed stand between the files, in the order of the command line.
    for place in 0...found.inputs.count {
      for failure in found.failures where failure.place == place {
        try output.begin()
        try end(FileVerdict(failure), ErrorCode(failure.kind).exitCode)
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
