internal import ArgumentParser
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest validate`: the verdicts of `load`, without a database.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check files by the rules of load, without a database.",
    discussion: """
      Prints refused lines as file:line: code [field]: reason; --format json writes one document for \
      programs, --format github annotations for a pull request. What only a database can tell, \
      duplicates and conflicts, is not looked for.
      """)

  @OptionGroup var records: RecordOptions

  @Option(help: "text, json or github.")
  var format: ValidationFormat = .text

  @Option(
    help: ArgumentHelp(
      "Refused lines to print of each file; all in JSON, else 20 if unset.", valueName: "n"))
  var show: Int?

  func validate() throws {
    if let show, show < 0 { throw ValidationError("--show is not negative.") }
  }

  func run() throws {
    let found = try records.inputs()
    let rules = records.loadOptions.rules(startOfRun: currentMilliseconds())
    let output = format.output(show: show)
    var worst = Loading.ExitCode.success
    try output.begin()
    for file in found.inOrder {
      try output.begin(file)
      let result = try check(file, rules: rules, output: output)
      try output.end(file, result)
      worst = worst.joined(with: result.exitCode)
    }
    try output.end(worst, skipped: found.skipped)
    if worst != .success { throw Terminal.code(worst) }
  }

  private func check(
    _ checked: CheckedFile, rules: NormalizationRules, output: any ValidationOutput
  ) throws -> ValidationResult {
    let input: Input
    switch checked {
    case .input(let found): input = found
    case .failure(let failure):
      return ValidationResult(status: .failed, totals: FileTotals(), error: failure.reason)
    }
    guard let stream = StreamCatalog.stream(named: input.stream) else {
      preconditionFailure("an input's stream is one of the catalog")
    }
    do {
      let file = try InputFile(input, options: records.loadOptions.reading)
      var sample = RejectSample()
      let totals = try Pipeline(stream: stream, rules: rules, sourceFileID: 0).run(
        DecodedSource(file),
        routing: .init(largestKnownKey: nil, memory: 0, seed: 0),
        emit: { batch in
          sample.note(batch.rejects)
          for reject in batch.rejects { try output.reject(reject, of: checked) }
        })
      try file.checkUnchanged()
      let limit = records.loadOptions.rejectLimit
      if limit.failsWithoutGoodLine, totals.hasNoGoodLine {
        let diagnosis = FileDiagnosis(sample, stream: stream, rules: rules)
        return ValidationResult(
          status: .noGoodLine, totals: totals,
          error: diagnosis.message(rejected: totals.rejectedCount, lines: totals.lineCount))
      }
      let isAboveLimit = limit.isPassed(rejected: totals.rejectedCount, lines: totals.lineCount)
      return ValidationResult(
        status: isAboveLimit ? .aboveLimit : totals.rejectedCount > 0 ? .hasRejects : .good,
        totals: totals)
    } catch let error as ReadError {
      return ValidationResult(status: .failed, totals: FileTotals(), error: error.message)
    }
  }
}

/// A file of `validate`, in the order given.
enum CheckedFile {
  case input(Input)
  /// The search itself found that the path cannot be read.
  case failure(FailedInput)

  var path: String {
    switch self {
    case .input(let input): input.path
    case .failure(let failure): failure.path
    }
  }

  /// nil where it is not known.
  var stream: String? {
    switch self {
    case .input(let input): input.stream
    case .failure(let failure): failure.stream
    }
  }
}

extension FoundInputs {
  var inOrder: [CheckedFile] {
    var files = inputs.map { CheckedFile.input($0) }
    for failure in failures.reversed() { files.insert(.failure(failure), at: failure.place) }
    return files
  }
}

/// What became of a file that was checked.
struct ValidationResult {
  enum Status: String {
    case good
    case hasRejects = "has_rejects"
    case aboveLimit = "above_limit"
    case noGoodLine = "no_good_line"
    case failed
  }

  let status: Status
  let totals: FileTotals
  var error: String?

  var exitCode: Loading.ExitCode {
    switch status {
    case .good: .success
    case .hasRejects: .loadedWithFindings
    case .aboveLimit, .noGoodLine: .rejectLimitPassed
    case .failed: .fileFailed
    }
  }
}
