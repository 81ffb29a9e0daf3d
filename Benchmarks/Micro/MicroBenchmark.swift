import Glibc
import RecordPipeline

/// Runs the first lines of a file through the pipeline up to a step, and prints their number.
///
///     MicroBenchmark STREAM STEP LINES FILE
///
/// It measures nothing itself. scripts/bench micro runs it under valgrind twice, with a number of
/// lines and with twice as many. The difference of the two runs' counts is the cost of the lines
/// alone, without the start of the process.
@main
enum MicroBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let stream = StreamCatalog.stream(named: arguments[1]),
      let step = Step(rawValue: arguments[2]), let count = Int(arguments[3])
    else {
      let usage = "usage: MicroBenchmark STREAM read|decode|normalize|encode LINES FILE\n"
      _ = write(STDERR_FILENO, usage, usage.utf8.count)
      exit(64)
    }
    let source = try InputFile(path: arguments[4])
    var lines = LineReader(source, limit: Limits().lineBytes) { _ in }
    print(try step.take(count, of: &lines, as: stream))
  }
}

/// The last step for each line; it includes all steps before it.
enum Step: String {
  /// Split the file into lines.
  case read
  /// Decode the members of a line.
  case decode
  /// Check and normalize each value, and write it as a COPY field.
  case normalize
  /// Encode a whole row, with `extra`, the file's id and the line number, and route it by its key.
  case encode

  /// Processes up to `count` lines, and returns their number.
  ///
  /// - Throws: when a line does not become a row.
  func take(_ count: Int, of lines: inout LineReader, as stream: RecordStream) throws -> Int {
    // A fixed time, 2026-11-21T00:00:00Z, so that every run has the same rules.
    let rules = NormalizationRules(startOfRun: 1_795_219_200_000)
    switch self {
    case .read:
      return try forEach(count, of: &lines) { _ in }
    case .decode:
      var decoder = LineDecoder(names: stream.fields, rules: rules)
      return try forEach(count, of: &lines) { try decoder.decode($0.bytes) }
    case .normalize:
      var decoder = LineDecoder(names: stream.fields, rules: rules)
      var row = RowBuffer()
      return try forEach(count, of: &lines) {
        try decoder.decode($0.bytes)
        row.removeAll()
        try stream.encode(&decoder.line, &row)
      }
    case .encode:
      var encoder = RecordEncoder(
        stream: stream, rules: rules, sourceFileID: 1,
        routing: RoutingStart(largestKnownKey: nil, memory: 8 * 1024 * 1024, seed: 1))
      return try forEach(count, of: &lines) {
        guard case .row = try encoder.encode($0) else { throw NoRow(line: $0.number) }
        if encoder.isBatchFull { encoder.discardBatch() }
      }
    }
  }

  private func forEach(
    _ count: Int, of lines: inout LineReader, _ take: (InputLine) throws -> Void
  ) throws -> Int {
    var taken = 0
    while taken < count, let line = try lines.next() {
      try take(line)
      taken += 1
    }
    return taken
  }
}

struct NoRow: Error {
  let line: Int
}
