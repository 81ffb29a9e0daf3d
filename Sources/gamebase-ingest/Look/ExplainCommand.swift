internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// `gamebase-ingest explain`: why a line is what it is.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show one line field by field: what it says, the rule, and what it becomes.",
    usage: """
      gamebase-ingest explain <file>:<line> [options]
      gamebase-ingest explain receipts/2026-11-20.jsonl.gz:212
      """,
    discussion: """
      Takes one line in place of paths, and the options of load: give those that the file was \
      loaded with. Needs no database. Tokens are shown as their digests. Exits with 3 when the line \
      is refused.
      """)

  @OptionGroup var records: RecordOptions

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
    else { throw Terminal.failure(.usage, "\(place.path) is a folder; name one file of it") }
    let rules = records.loadOptions.rules(startOfRun: currentMilliseconds())
    let explainer = LineExplainer(stream: stream, rules: rules)
    do {
      let source = try DecodedSource(InputFile(input, options: ReadOptions()))
      var reader = LineReader(source, limit: rules.limits.lineBytes) { _ in }
      while let line = try reader.next() {
        guard line.number == place.line else { continue }
        let explanation = try explainer.explain(line)
        try Terminal.output(
          "\(printable(input.path)):\(line.number)  \(stream.name), \(line.byteCount) bytes from byte "
            + "\(line.byteOffset)")
        try explanation.show()
        if case .rejected = explanation.verdict { throw Terminal.code(.loadedWithFindings) }
        return
      }
    } catch let error as ReadError {
      throw Terminal.failure(.fileFailed, "\(input.path) \(error.message)")
    }
    throw Terminal.failure(.usage, "\(input.path) has no line \(place.line)")
  }
}
