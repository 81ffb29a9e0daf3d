import Glibc
import RecordPipeline

/// Runs the pipeline on the first lines of a file up to a step, and prints the number of lines.
///
///     MicroBenchmark STREAM STEP LINES FILE
///
/// scripts/bench-micro runs it under valgrind, which counts instructions and allocations, with some
/// lines and with twice as many. The difference is the cost of the lines without the start.
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

/// The pipeline steps; each one includes the steps before it.
enum Step: String {
  /// The line is found.
  case read
  /// Its members are matched to fields by name.
  case decode
  /// Each value is validated, normalized to its column and written in COPY format.
  case normalize
  /// A complete row: also `extra`, the numbers of the file and the line, and whether its key is
  /// certainly new.
  case encode

  /// Returns the number of lines.
  ///
  /// - Throws: when a line does not become a row.
  func take(_ count: Int, of lines: inout LineReader, as stream: RecordStream) throws -> Int {
    // 2026-11-21: arbitrary, but the same in every run.
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
