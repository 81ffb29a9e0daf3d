internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest explain`: shows one line of a file, field by field.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show one line field by field: its text, the rule, and the result.",
    usage: """
      gamebase-ingest explain <file>:<line> [options]
      gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212
      """,
    discussion: """
      The argument names one line; the options are those of load, so give the ones that the file was \
      loaded with. The command needs no database. Tokens appear as their digests. Exits with 3 when \
      the line is refused.
      """)

  @OptionGroup var records: RecordOptions
  @OptionGroup var configuration: ConfigurationOptions

  func validate() throws {
    guard records.paths.count == 1, place != nil else {
      throw ValidationError("Name one line, as in receipts.jsonl:212.")
    }
  }

  private var place: LinePlace? { records.paths.first.flatMap { LinePlace(argument: $0) } }

  func run() throws {
    guard let place else { return }
    var isFolder = ObjCBool(false)
    _ = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
    guard !isFolder.boolValue, let input = try records.inputs([place.path]).inputs.first,
      let stream = StreamCatalog.stream(named: input.stream)
    else { throw Terminal.failure(.usage, "\(place.path) is a folder; name one file in it") }
    let rules = records.loadOptions.rules(startOfRun: currentMilliseconds())
    let line = try reportingErrors {
      try ExplainedLine(place.line, of: input, stream: stream, rules: rules)
    }
    try Terminal.output(
      "\(printable(input.path)):\(place.line)  \(stream.name), \(line.byteCount) bytes from byte "
        + "\(line.byteOffset)")
    try line.explanation.show()
    if case .rejected = line.explanation.verdict { throw Terminal.code(.loadedWithFindings) }
  }
}
