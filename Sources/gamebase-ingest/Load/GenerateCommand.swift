internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline
internal import SampleData

struct GenerateCommand: Command {
  static let help = """
    generate: Write synthetic data of every stream.

    The lines tell the history of a game, the same in all streams: users come, play on fewer and fewer \
    days, level up, pay and subscribe. Some lines come late, twice or in events. Each stream has a folder \
    with one file per day. The same options give the same bytes on any machine, with --until.
    """

  @Argument(help: "The folder to write to; created when it is missing.", completion: .directory)
  var directory: String

  @Option(help: "The number of days that the data covers.") var days = 90

  @Option(
    help: "The last of these days, such as 2025-07-31; yesterday (UTC) if unset.", transform: day)
  var until: String?

  @Option(help: "The number of users who come on these days.") var users = 5000
  @Option(help: "The number of applications, 1...\(SampleOptions.applications.count).") var apps = 1
  @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1

  @Option(
    help: "The share of lines that load refuses, 0...1; half as many correct an earlier line.")
  var badShare = 0.002

  @Option(help: "Only this stream; may be repeated.") var stream: [SampleStream] = []

  func validate() throws {
    if let problem = options.problem { throw ValidationError(problem) }
  }

  private static let dayLength = NormalizationRules.millisecondsPerDay

  private var options: SampleOptions {
    let yesterday = Int(currentMilliseconds() / Self.dayLength) - 1
    let lastDay = until.flatMap { CalendarDay(text: $0) }.map { Int($0.daysSinceEpoch) }
    var options = SampleOptions(lastDay: lastDay ?? yesterday)
    (options.days, options.users, options.apps) = (days, users, apps)
    (options.seed, options.badShare) = (seed, badShare)
    if !stream.isEmpty { options.streams = SampleStream.allCases.filter(stream.contains) }
    return options
  }

  func run() throws {
    let options = options
    let generator = SampleGenerator(options)
    do {
      for stream in options.streams {
        try FileManager.default.createDirectory(
          atPath: folder(of: stream), withIntermediateDirectories: true)
      }
      for day in options.firstDay...options.lastDay {
        let name = "\(calendarDay(Int64(day) * Self.dayLength)).jsonl"
        for (stream, lines) in generator.nextDay() {
          try Output("\(folder(of: stream))/\(stream.rawValue)-\(name)").write(Data(lines))
        }
      }
    } catch let error as CocoaError {
      throw LoadError(
        .outputFailed, "cannot write \(directory): \(error.localizedDescription)")
    }
    let rows = options.streams.map { stream -> [TextTable.Cell] in
      let counts = generator.counts(of: stream)
      return [folder(of: stream), options.days, counts.lines, counts.bad, counts.bytes]
    }
    try TextTable(["folder", "files", "lines", "bad lines", "bytes"], rows).show()
  }

  private func folder(of stream: SampleStream) -> String { "\(directory)/\(stream.rawValue)" }
}
