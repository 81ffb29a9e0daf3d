internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest validate`: the verdicts of `load`, without a database.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check files by the rules of load, without a database.",
    discussion: """
      Prints refused lines as file:line: code [field]: reason. What only a database can tell, \
      duplicates and conflicts, is not looked for.
      """)

  @OptionGroup var records: RecordOptions

  @Option(help: ArgumentHelp("Refused lines to print of each file.", valueName: "n"))
  var show = 20

  func run() throws {
    let options = records.loadOptions
    let now = Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
    let rules = options.rules(startOfRun: now)
    var worst = Loading.ExitCode.success
    var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])
    for input in try records.inputs() {
      let result = try check(input, rules: rules)
      let totals = result.totals
      let isAboveLimit = options.rejectLimit.isPassed(
        rejected: totals.rejectedCount, lines: totals.lineCount)
      let (status, code): (String, Loading.ExitCode) =
        if result.failed {
          ("failed", .fileFailed)
        } else if isAboveLimit {
          ("above limit", .rejectLimitPassed)
        } else {
          totals.rejectedCount > 0 ? ("has rejects", .loadedWithFindings) : ("good", .success)
        }
      worst = max(worst, code)
      table.add(
        [input.path, input.stream, status]
          + [totals.lineCount, totals.rowCount, totals.rejectedCount, totals.blankCount].map {
            String($0)
          })
    }
    for line in table.lines { try Terminal.output(line) }
    if worst != .success { throw Terminal.code(worst) }
  }

  private func check(
    _ input: Input, rules: NormalizationRules
  ) throws -> (totals: FileTotals, failed: Bool) {
    guard let stream = StreamCatalog.stream(named: input.stream) else { return (.init(), true) }
    var shown = 0
    do {
      let file = try InputFile(path: input.path)
      let totals = try Pipeline(stream: stream, rules: rules, sourceFileID: 0).run(
        DecodedSource(file),
        routing: .init(largestKnownKey: nil, memory: 0, seed: 0),
        emit: { batch in
          for reject in batch.rejects where shown < show {
            shown += 1
            try Terminal.output(describe(reject, of: input))
          }
        })
      try file.checkUnchanged()
      if totals.rejectedCount > shown, show > 0 {
        try Terminal.output(
          "\(printable(input.path)): \(totals.rejectedCount - shown) more refused lines; "
            + "--show N prints more")
      }
      return (totals, false)
    } catch let error as ReadError {
      Terminal.note("gamebase-ingest: \(printable(input.path)) \(error.message)")
      return (FileTotals(), true)
    }
  }

  private func describe(_ reject: RejectedLine, of input: Input) -> String {
    let field = reject.rejection.field.map { " \(printable($0))" } ?? ""
    return "\(printable(input.path)):\(reject.lineNumber): \(reject.rejection.code.rawValue)"
      + "\(field): \(reject.rejection.reason)"
  }
}
