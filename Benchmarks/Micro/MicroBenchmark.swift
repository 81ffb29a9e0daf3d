import Glibc
import RecordPipeline

/// Takes the first lines of a file as far as a step goes, and prints how many there were.
///
///     MicroBenchmark STREAM STEP LINES FILE
///
/// It measures nothing itself: scripts/bench-micro runs it under valgrind, which counts, with some
/// lines and with twice as many. What differs belongs to the lines and not to the start.
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

/// How far a line is taken; each step does what the one before it does, and more.
enum Step: String {
  /// The line is found.
  case read
  /// Its members are found by their names.
  case decode
  /// Each value is judged, made what its column holds and written as COPY wants it.
  case normalize
  /// A whole row: also what has no column, the file's and the line's number, and whether its key
  /// is certainly new.
  case encode

  /// Returns how many lines there were.
  ///
  /// - Throws: when one of them does not become a row.
  func take(_ count: Int, of lines: inout LineReader, as stream: RecordStream) throws -> Int {
    // 2026-11-21: of no weight, but the same in every run.
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
