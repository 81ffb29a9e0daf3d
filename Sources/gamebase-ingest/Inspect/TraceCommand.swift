internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest trace`: finds the line that a row came from, or the outcome of a line.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Show the line that a row came from, or the outcome of a line.",
    usage: """
      gamebase-ingest trace --stream receipt <payment-seq>
      gamebase-ingest trace --stream level_up '["app","user",null,5,"2025-07-01T00:00:00+00:00"]'
      gamebase-ingest trace receipts/2026-11-20.jsonl.gz:212
      """,
    discussion: """
      Name a row by its natural key: one JSON array, as conflicts list shows it, or one argument per \
      part. Name a line by its number and its file: the path that report.load_history shows, the end of \
      that path from a / on, the source_file_id, or the first digits of the sha256 (at least 8).

      The only record of a duplicate line is the count of its file, so a line is called a duplicate \
      only when the counts of the file allow nothing else.
      """)

  @Argument(help: "With --stream the parts of a natural key; otherwise one line, as FILE:LINE.")
  var place: [String] = []

  @OptionGroup var database: DatabaseOptions

  @Option(help: "The stream of the row to trace.")
  var stream: String?

  @Option(help: "text or json.")
  var format: StateFormat = .text

  func validate() throws {
    try checkStream(stream)
    guard !place.isEmpty, stream != nil || line != nil else {
      throw ValidationError("Name one line, as in receipts.jsonl:212, or --stream and a key.")
    }
  }

  private var line: LinePlace? {
    place.count == 1 ? place.first.flatMap { LinePlace(argument: $0) } : nil
  }

  func run() throws {
    let connection = try database.connectToSchema()
    try reportingErrors {
      try connection.transaction {
        if let stream {
          try output(RowTracing(connection, stream: stream).trace(try naturalKey()))
        } else if let line {
          try output(
            LineTracing(connection).trace(line: line.line, of: line.path), lineNumber: line.line)
        }
      }
    }
  }

  /// The argument if it is a JSON array, else a JSON array of all arguments.
  private func naturalKey() throws -> String {
    if place.count == 1, place[0].hasPrefix("[") { return place[0] }
    return String(decoding: try JSONEncoder().encode(place), as: UTF8.self)
  }

  private func output(_ trace: RowTrace) throws {
    var output = try ListOutput(format)
    try output.add("origin", trace.origin, empty: "")
    try output.add("fills", trace.fills, empty: nil)
    try output.add("conflicts", trace.conflicts, empty: nil)
    try output.add("accepted_values", trace.acceptedValues, empty: nil)
    try output.end()
  }

  private func output(_ trace: LineTrace, lineNumber: Int) throws {
    if format == .json { return try outputJSON(trace) }
    let file = trace.file
    try Terminal.output(
      "\(printable(file.path)):\(lineNumber)  \(file.stream), file \(file.sourceFileID) of load "
        + "\(file.loadID), \(file.loadedAt)")
    switch trace.outcome {
    case .undone(let time):
      try Terminal.output("the file was undone at \(time): nothing of it is left")
    case .recorded(let records): try show(records.table(), empty: "")
    case .unrecorded(let possible): try Terminal.output(text(of: possible))
    }
  }

  private func outputJSON(_ trace: LineTrace) throws {
    var output = try ListOutput(.json)
    try output.add("line", trace.place, empty: nil)
    var possible: [LineTrace.PossibleOutcome] = []
    if case .unrecorded(let found) = trace.outcome { possible = found }
    if case .recorded(let records) = trace.outcome {
      try output.add("records", records, empty: nil)
    } else {
      try output.add("records", [String]()) {}
    }
    try output.add("possible_outcomes", possible) {}
    try output.end()
  }

  private func text(of possible: [LineTrace.PossibleOutcome]) -> String {
    if possible.count == 1, let only = possible.first {
      return "the line was \(words(for: only.kind)): nothing else of it is kept"
    }
    return "nothing is kept of the line; it was one of these: "
      + possible.map { "\(words(for: $0.kind)) (\(counted($0.lineCount, "line")))" }.joined(
        separator: "; ")
  }

  private func words(for kind: LineTrace.PossibleOutcome.Kind) -> String {
    switch kind {
    case .duplicate: "a duplicate"
    case .blank: "blank"
    case .suppressed: "suppressed, because its user was erased"
    case .erased: "erased with its user"
    }
  }
}
