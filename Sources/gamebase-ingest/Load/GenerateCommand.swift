internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline
internal import SampleData

/// `gamebase-ingest generate`: writes synthetic files in the form of the real ones.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write synthetic data of every stream.",
    discussion: """
      The same options give the same bytes on any machine. Each stream has a folder with one file per \
      day, unless --files is given. The names of the files sort by time.
      """)

  @Argument(help: "The folder to write to; created when it is missing.", completion: .directory)
  var directory: String

  @Option(
    help: "\(alternatives(SampleStream.allCases.map(\.rawValue))); may be repeated. All if unset."
  )
  var stream: [String] = []

  @Option(help: "Lines per stream, in all its files.")
  var count = 100_000

  @Option(help: "The number of days that the data covers.")
  var days = 30

  @Option(help: "The last of these days, UTC.")
  var until = "2025-07-31"

  @Option(help: "Files per stream; one per day if unset.")
  var files: Int?

  @Option(help: "The number of users; if unset, one per twenty lines, from 100 to a million.")
  var users: Int?

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 1

  @Option(help: "The share of lines that load refuses, 0...1.")
  var badShare = 0.002

  @Option(help: "The share of lines that repeat an earlier one, 0...1.")
  var repeatShare = 0.02

  func validate() throws {
    guard days >= 1, count >= 0, (files ?? 1) >= 1 else {
      throw ValidationError(
        "--days and --files must be at least 1, and --count must not be negative.")
    }
    guard endMilliseconds != nil else {
      throw ValidationError("--until must be a day such as 2025-07-31.")
    }
    for name in stream where SampleStream(rawValue: name) == nil {
      let names = SampleStream.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--stream must be one of \(names); not \(name).")
    }
  }

  /// The end of the last day in epoch milliseconds, exclusive; nil: `--until` is not a day.
  private var endMilliseconds: Int64? {
    epochMilliseconds("\(until)T00:00:00Z").map { $0 + NormalizationRules.millisecondsPerDay }
  }

  func run() throws {
    let streams = stream.isEmpty ? SampleStream.allCases : stream.compactMap(SampleStream.init)
    var table = TextTable(["folder", "files", "lines", "repeats", "bad lines", "bytes"])
    for stream in streams { table.add(try write(stream)) }
    for line in table.lines { try Terminal.output(line) }
  }

  private func write(_ stream: SampleStream) throws -> [String] {
    let folder = "\(directory)/\(stream.rawValue)"
    let fileCount = files ?? days
    var lines = 0
    var repeats = 0
    var bad = 0
    var bytes = 0
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for part in 0..<fileCount {
        // If the lines do not divide evenly, each of the first files gets one line more.
        let share = count / fileCount + (part < count % fileCount ? 1 : 0)
        var generator = try generator(stream, part: part, of: fileCount, lines: share)
        let name = "\(folder)/\(stream.rawValue)-\(suffix(part, of: fileCount)).jsonl"
        bytes += try write(&generator, to: name)
        lines += generator.expected.lines
        repeats += generator.expected.repeats
        bad += generator.expected.bad
      }
    } catch let error as CocoaError {
      throw Terminal.failure(.outputFailed, "cannot write \(folder): \(error.localizedDescription)")
    }
    return [folder] + [fileCount, lines, repeats, bad, bytes].map { String($0) }
  }

  private func generator(
    _ stream: SampleStream, part: Int, of partCount: Int, lines: Int
  ) throws -> SampleGenerator {
    let end = endMilliseconds ?? 0
    var options = SampleOptions(
      seed: seed, count: lines,
      startMilliseconds: end - Int64(days) * NormalizationRules.millisecondsPerDay,
      endMilliseconds: end,
      users: users ?? max(100, min(count / 20, 1_000_000)))
    options.badShare = badShare
    options.repeatShare = repeatShare
    options.part = part
    options.partCount = partCount
    if let problem = options.problem { throw Terminal.failure(.usage, problem) }
    return SampleGenerator(stream: stream, options: options)
  }

  private func suffix(_ part: Int, of partCount: Int) -> String {
    if partCount == days, let end = endMilliseconds {
      let day = end - Int64(days - part) * NormalizationRules.millisecondsPerDay
      return calendarDay(day)
    }
    let number = String(part + 1)
    return String(repeating: "0", count: max(0, 4 - number.count)) + number
  }

  private func write(_ generator: inout SampleGenerator, to path: String) throws -> Int {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    var total = 0
    var buffer: [UInt8] = []
    while generator.fill(&buffer, chunkBytes: 1 << 20) {
      try file.write(contentsOf: buffer)
      total += buffer.count
      buffer.removeAll(keepingCapacity: true)
    }
    try file.close()
    return total
  }
}
