internal import ArgumentParser
internal import Loading
internal import RecordPipeline

struct ValidateCommand: Command {
  static let help = """
    validate: Check files by the rules of load, without a database.

    Prints refused lines as file:line: code [field]: reason. --format json writes one document for \
    programs. Duplicates and conflicts need a database, so validate does not look for them.
    """

  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
  @Option(help: "The form of the verdicts.") var format: OutputFormat = .text

  @Option(
    help: "Refused lines to print per file; if unset, all in JSON and 20 in text.",
    transform: number(0))
  var show: Int?

  func run() throws {
    let found = try inputs.found()
    found.noteSkipped()
    let files = found.inputs
    var inputs = ObjectWindow.assign(files, lanes: [Array(files.indices)]).makeIterator()
    let (options, startOfRun) = (self.inputs.records.loadOptions, currentMilliseconds())
    var output = try ValidationOutput(format, show: show)
    for entry in found.entries {
      if case .failure(let failure) = entry {
        try output.write(failure.path) { _ in
          (FileVerdict(failure), ErrorCode(failure.kind).exitCode)
        }
      } else if let input = inputs.next() {
        try output.write(input.path) {
          try FileVerdict.check(input, options: options, startOfRun: startOfRun, reject: $0)
        }
      }
    }
    try output.end(found)
  }
}

/// Prints the verdicts: as lines of text with a table at the end, or as one JSON document.
///
/// Each call prints at once, so memory does not grow with the number of refused lines.
private struct ValidationOutput {
  private let isJSON: Bool
  /// The most refused lines to print per file.
  private let show: Int
  private var isFirst = true
  private var exitCode = Loading.ExitCode.success
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  /// - Parameter show: nil: all in JSON, 20 in text.
  init(_ format: OutputFormat, show: Int?) throws {
    isJSON = format == .json
    self.show = show ?? (isJSON ? .max : 20)
    if isJSON { try Terminal.output(#"{"files":["#) }
  }

  /// Prints the refused lines of a file, and the verdict on it.
  mutating func write(
    _ path: String,
    _ check: ((RejectedLine) throws -> Void) throws -> (FileVerdict, Loading.ExitCode)
  ) throws {
    if isJSON { try Terminal.output("\(isFirst ? "" : ","){\"rejects\":[") }
    isFirst = false
    var shown = 0
    let (verdict, code) = try check { line in
      guard shown < show else { return }
      shown += 1
      try Terminal.output(
        isJSON
          ? (shown > 1 ? "," : "") + jsonText(RefusedLine(line))
          : "\(printable(path)):\(line.lineNumber): \(line.rejection.sentence)")
    }
    exitCode = exitCode.joined(with: code)
    // The members follow those lines that are printed already.
    if isJSON { return try Terminal.output("],\(jsonText(verdict).dropFirst())") }
    try end(verdict, shown: shown)
  }

  private mutating func end(_ file: FileVerdict, shown: Int) throws {
    let path = printable(file.path)
    if let error = file.error { Terminal.problem("\(file.path): \(error)") }
    if file.rejected > shown, show > 0 {
      try Terminal.output(
        "\(path): \(file.rejected - shown) more refused lines; --show N prints more")
    }
    if file.looksTruncated, file.status != .failed {
      Terminal.note("\(path) \(FileDiagnosis.truncation)")
    }
    if !file.unknownFields.isEmpty {
      // They do not affect the verdict.
      let listed = file.unknownFields.prefix(Self.listedFields).map { field in
        "\(field.field.map { printable($0) } ?? "further names") (\(field.lines))"
      }
      let more = file.unknownFields.count - listed.count
      Terminal.note(
        "\(path): unknown fields, kept in extra: " + listed.joined(separator: ", ")
          + (more > 0 ? ", and \(more) more" : ""))
    }
    table.add([
      file.path, file.stream, file.status.rawValue.replacing("_", with: " "), file.lines, file.good,
      file.rejected, file.blank,
    ])
  }

  /// - Throws: the exit code, unless it is 0.
  func end(_ found: FoundInputs) throws {
    for shortfall in found.shortfalls { Terminal.problem(shortfall.message) }
    let code = found.shortfalls.isEmpty ? exitCode : exitCode.joined(with: .incomplete)
    if isJSON {
      let skipped = try jsonText(found.skipped)
      try Terminal.output(#"],"skipped":\#(skipped),"exit_code":\#(code.rawValue)}"#)
    } else {
      try table.show()
    }
    if code != .success { throw Terminal.code(code) }
  }
}

extension Rejection {
  /// `code [field]: reason`, safe to print.
  var sentence: String {
    "\(code.rawValue)\(field.map { " \(printable($0))" } ?? ""): \(printable(reason))"
  }
}
