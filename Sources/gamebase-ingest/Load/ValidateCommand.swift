internal import ArgumentParser
internal import Loading
internal import RecordPipeline

struct ValidateCommand: Command {
  static let help = """
    validate: Check files by the rules of load, without a database.

    Prints refused lines as file:line: code [field]: reason. Duplicates and conflicts need a database, so \
    validate does not look for them.
    """

  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
  @Option(help: "The form of the verdicts.") var format: OutputFormat = .text

  @Option(
    help: "Refused lines to print per file; if unset, all in JSON and 20 in text.",
    transform: number(0))
  var show: Int?

  /// Each line is printed at once, so memory does not grow with the number of refused lines.
  func run() throws {
    let found = try inputs.found()
    found.noteSkipped()
    let files = found.inputs
    var assigned = ObjectWindow.assign(files, lanes: [Array(files.indices)]).makeIterator()
    let (options, startOfRun) = (inputs.records.loadOptions, currentMilliseconds())
    let isJSON = format == .json
    let most = show ?? (isJSON ? .max : 20)
    var exitCode = found.shortfalls.isEmpty ? ExitCode.success : .incomplete
    var rows: [[TextTable.Cell]] = []
    if isJSON { try Terminal.output(#"{"files":["#) }
    for (place, entry) in found.entries.enumerated() {
      if isJSON { try Terminal.output("\(place > 0 ? "," : ""){\"rejects\":[") }
      var shown = 0
      let report =
        switch entry {
        case .failure(let failure): FileReport(failure)
        case .success(let input):
          try FileReport.checking(
            assigned.next() ?? input, options: options, startOfRun: startOfRun
          ) { line in
            guard shown < most else { return }
            shown += 1
            try Terminal.output(
              isJSON
                ? (shown > 1 ? "," : "") + jsonText(RefusedLine(line))
                : "\(printable(input.path)):\(line.lineNumber): \(line.rejection.sentence)")
          }
        }
      exitCode = exitCode.joined(with: report.exitCode)
      if isJSON {
        // The members follow those lines that are printed already.
        try Terminal.output("],\(jsonText(report).dropFirst())")
      } else {
        try note(report, hidden: most > 0 ? report.rejected - shown : 0)
      }
      rows.append([
        report.path, report.stream, report.status.rawValue, report.lines,
        report.lines - report.rejected - report.blank, report.rejected, report.blank,
      ])
    }
    for shortfall in found.shortfalls { Terminal.problem(shortfall.error.message) }
    if isJSON {
      let skipped = try jsonText(found.skipped)
      try Terminal.output(#"],"skipped":\#(skipped),"exit_code":\#(exitCode.rawValue)}"#)
    } else {
      let header = ["file", "stream", "status", "lines", "good", "rejected", "blank"]
      try TextTable(header, rows).show()
    }
    if exitCode != .success { throw Terminal.code(exitCode) }
  }

  /// Prints what the table does not have of a file.
  ///
  /// - Parameter hidden: the number of refused lines that were not printed.
  private func note(_ file: FileReport, hidden: Int) throws {
    let path = printable(file.path)
    if let error = file.error { Terminal.problem("\(file.path): \(error)") }
    if hidden > 0 {
      try Terminal.output("\(path): \(hidden) more refused lines; --show N prints more")
    }
    if file.looksTruncated, file.status != .failed {
      Terminal.note("\(path) \(FileDiagnosis.truncation)")
    }
    if !file.newFields.isEmpty {
      let fields = listed(file.newFields.map(printable), atMost: 10)
      Terminal.note("\(path): unknown fields, kept in extra: \(fields)")
    }
  }
}

extension Rejection {
  /// `code [field]: reason`, safe to print.
  var sentence: String {
    "\(code.rawValue)\(field.map { " \(printable($0))" } ?? ""): \(printable(reason))"
  }
}
