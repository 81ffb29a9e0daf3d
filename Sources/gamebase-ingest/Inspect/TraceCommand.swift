internal import ArgumentParser
internal import Postgres
internal import RecordPipeline

struct TraceCommand: Command {
  static let help = """
    trace: Show the line that a row came from, and those that filled or contradicted it.

    gamebase-ingest trace --stream receipt <payment-seq>
    gamebase-ingest trace --stream level_up '["app","user",null,5,"2025-07-01T00:00:00+00:00"]'

    Name a row by its natural key: one JSON array, as conflicts list shows it, or one argument per part.
    """

  @Argument(help: "The natural key of the row, or its parts.") var key: [String]
  @OptionGroup var database: DatabaseOptions
  @Option(help: "The stream of the row to trace.") var stream: RecordStream
  @Option(help: "The form of the lines.") var format: OutputFormat = .text

  func run() throws {
    let isWhole = key.count == 1 && key[0].hasPrefix("[")
    let key = try isWhole ? key[0] : jsonText(key)
    try database.show(format) { output in
      try output.add(
        "lines", "select * from ingest.trace_row($1, $2)", [.text(stream.name), .text(key)],
        empty: nil)
    }
  }
}
