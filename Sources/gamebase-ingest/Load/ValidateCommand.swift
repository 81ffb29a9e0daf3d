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
  var format: ValidationFormat = .text

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
    found.inputs = ObjectWindows.assign(found.inputs, lanes: [Array(found.inputs.indices)])
    let validation = FileValidation(records.loadOptions, startOfRun: currentMilliseconds())
    let output = format.output(show: show)
    var worst = Loading.ExitCode.success
    try output.begin()
    for file in found.inOrder {
      try output.begin(file)
      let result = try validation.check(file) { try output.reject($0, of: file) }
      try output.end(file, result)
      worst = worst.joined(with: result.exitCode)
    }
    for shortfall in found.shortfalls {
      Terminal.problem(shortfall.message)
      worst = worst.joined(with: .incomplete)
    }
    try output.end(worst, skipped: found.skipped)
    if worst != .success { throw Terminal.code(worst) }
  }
}
