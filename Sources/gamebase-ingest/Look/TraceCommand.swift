internal import ArgumentParser
internal import Foundation
internal import Loading
internal import Postgres

/// `gamebase-ingest trace`: from a row to its line, and from a line to what became of it.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Show which line a row came from, or what became of a line.",
    usage: """
      gamebase-ingest trace --stream receipt <payment-seq>
      gamebase-ingest trace --stream level_up '["app","user",null,5,"2025-07-01T00:00:00+00:00"]'
      gamebase-ingest trace receipts/2026-11-20.jsonl.gz:212
      """,
    discussion: """
      A row is named by its natural key, as one JSON array as conflicts list shows it, or as one \
      argument for each part. A line is named by its file's path as report.load_history has it, or the \
      end of that path from a / on, its source_file_id, or the beginning of its sha256.

      Of a line that was a duplicate nothing is kept but the file's count: it is told as such where \
      nothing else is possible.
      """)

  @Argument(help: "With --stream the parts of a natural key; without it one line, as FILE:LINE.")
  var place: [String] = []

  @OptionGroup var database: DatabaseOptions

  @Option(help: "The stream of the row to trace.")
  var stream: String?

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
          try RowTracing(connection, stream: stream).trace(try naturalKey())
        } else if let line {
          try LineTracing(connection).trace(line)
        }
      }
    }
  }

  /// A JSON array as it is, or one of the parts.
  private func naturalKey() throws -> String {
    if place.count == 1, place[0].hasPrefix("[") { return place[0] }
    return String(decoding: try JSONEncoder().encode(place), as: UTF8.self)
  }
}
