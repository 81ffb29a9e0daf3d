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
      The lines tell the history of a game: users come at the launch and after it, play on fewer and \
      fewer days, level up, pay and subscribe. A user levels up, buys and is observed on the same \
      days in all streams. Some receipts also come in events.

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

  @Option(help: "Lines of receipts, instead of --count.")
  var receipts: Int?

  @Option(help: "Lines of level-ups, instead of --count.")
  var levelUps: Int?

  @Option(help: "Lines of game-user snapshots, instead of --count.")
  var gameUsers: Int?

  @Option(help: "Lines of shop items, instead of --count.")
  var items: Int?

  @Option(help: "Lines of event messages, instead of --count.")
  var events: Int?

  @Option(help: "The number of days that the data covers.")
  var days = 30

  @Option(help: "The last of these days, UTC.")
  var until = "2025-07-31"

  @Option(help: "Files per stream, with equal numbers of lines; one per day if unset.")
  var files: Int?

  @Option(
    help: "The number of users; if unset, one per twenty lines of a stream, from 100 to a million.")
  var users: Int?

  @Option(help: "The number of applications, 1...\(SampleOptions.applications.count).")
  var apps = 1

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 1

  @Option(help: "The share of lines that load refuses, 0...1.")
  var badShare = 0.002

  @Option(help: "The share of lines that repeat an earlier one, 0...1.")
  var repeatShare = 0.02

  @Option(help: "The share of lines that come with those of a day 1 to 5 days later, 0...0.5.")
  var lateShare = 0.02

  @Option(help: "The share of lines that correct a line of the file before, 0...0.1.")
  var correctionShare = 0.001

  func validate() throws {
    guard days >= 1, count >= 0, (files ?? 1) >= 1 else {
      throw ValidationError(
        "--days and --files must be at least 1, and --count must not be negative.")
    }
    guard (1...SampleOptions.applications.count).contains(apps) else {
      throw ValidationError("--apps must lie in 1...\(SampleOptions.applications.count).")
    }
    guard endDay != nil else {
      throw ValidationError("--until must be a day such as 2025-07-31.")
    }
    for name in stream where SampleStream(rawValue: name) == nil {
      let names = SampleStream.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--stream must be one of \(names); not \(name).")
    }
  }

  /// The day after the last one, counted from 1970-01-01; nil: `--until` is not a day.
  private var endDay: Int? {
    epochMilliseconds("\(until)T00:00:00Z").map {
      Int($0 / NormalizationRules.millisecondsPerDay) + 1
    }
  }

  func run() throws {
    let options = sampleOptions
    if let problem = options.problem { throw Terminal.failure(.usage, problem) }
    let streams = stream.isEmpty ? SampleStream.allCases : stream.compactMap(SampleStream.init)
    var table = TextTable([
      "folder", "files", "lines", "repeats", "bad lines", "late", "corrections", "bytes",
    ])
    for stream in streams { table.add(try write(stream, options)) }
    for line in table.lines { try Terminal.output(line) }
  }

  private var sampleOptions: SampleOptions {
    var options = SampleOptions(
      seed: seed,
      lines: [
        .receipt: receipts ?? count, .levelUp: levelUps ?? count, .gameUser: gameUsers ?? count,
        .item: items ?? count, .event: events ?? count,
      ],
      firstDay: (endDay ?? 0) - days, days: days, users: users)
    options.apps = apps
    options.badShare = badShare
    options.repeatShare = repeatShare
    options.lateShare = lateShare
    options.correctionShare = correctionShare
    options.files = files == days ? nil : files
    return options
  }

  private func write(_ stream: SampleStream, _ options: SampleOptions) throws -> [String] {
    let folder = "\(directory)/\(stream.rawValue)"
    // lines, repeats, bad lines, late lines, corrections, bytes
    var sums = [0, 0, 0, 0, 0, 0]
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      var generator = SampleGenerator(stream: stream, options: options)
      for file in 0..<options.fileCount {
        if file > 0 { generator.nextFile() }
        let name = "\(folder)/\(stream.rawValue)-\(suffix(file, options)).jsonl"
        let bytes = try write(&generator, to: name)
        let counts = generator.expected
        sums = zip(
          sums,
          [counts.lines, counts.repeats, counts.bad, counts.late, counts.corrections, bytes]
        ).map { $0 + $1 }
      }
    } catch let error as CocoaError {
      throw Terminal.failure(.outputFailed, "cannot write \(folder): \(error.localizedDescription)")
    }
    return [folder, String(options.fileCount)] + sums.map { String($0) }
  }

  private func suffix(_ file: Int, _ options: SampleOptions) -> String {
    if options.files == nil {
      return calendarDay(
        Int64(options.firstDay + file) * NormalizationRules.millisecondsPerDay)
    }
    let number = String(file + 1)
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
