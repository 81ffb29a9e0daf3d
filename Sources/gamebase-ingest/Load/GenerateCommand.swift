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
      days in all streams. Some receipts also come in events; some lines come late or twice.

      Each stream has a folder with one file per day. The same options give the same bytes on any \
      machine, so give --until where the bytes matter.
      """)

  @Argument(help: "The folder to write to; created when it is missing.", completion: .directory)
  var directory: String

  @Option(help: "The number of days that the data covers.")
  var days = 90

  @Option(help: "The last of these days, such as 2025-07-31; yesterday (UTC) if unset.")
  var until: String?

  @Option(help: "The number of users who come on these days.")
  var users = 5000

  @Option(help: "The number of applications, 1...\(SampleOptions.applications.count).")
  var apps = 1

  @Option(help: "The seed of the random numbers.")
  var seed: UInt64 = 1

  @Option(
    help: "The share of lines that load refuses, 0...1; half as many correct an earlier line.")
  var badShare = 0.002

  @Option(
    help: "\(alternatives(SampleStream.allCases.map(\.rawValue))); may be repeated. All if unset."
  )
  var stream: [String] = []

  func validate() throws {
    for name in stream where SampleStream(rawValue: name) == nil {
      let names = SampleStream.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--stream must be one of \(names); not \(name).")
    }
    if let problem = try options.problem { throw ValidationError(problem) }
  }

  private var options: SampleOptions {
    get throws {
      let now = Int64(Date().timeIntervalSince1970 * 1000)
      let day = until.map { epochMilliseconds("\($0)T00:00:00Z") } ?? now - Self.day
      guard let day else { throw ValidationError("--until must be a day such as 2025-07-31.") }
      var options = SampleOptions(lastDay: Int(day / Self.day))
      (options.days, options.users, options.apps) = (days, users, apps)
      (options.seed, options.badShare) = (seed, badShare)
      if !stream.isEmpty {
        options.streams = SampleStream.allCases.filter { stream.contains($0.rawValue) }
      }
      return options
    }
  }
  private static let day = NormalizationRules.millisecondsPerDay

  func run() throws {
    let options = try options
    let generator = SampleGenerator(options)
    do {
      for stream in options.streams {
        try FileManager.default.createDirectory(
          atPath: folder(of: stream), withIntermediateDirectories: true)
      }
      for day in options.firstDay...options.lastDay {
        let name = "\(calendarDay(Int64(day) * Self.day)).jsonl"
        for (stream, lines) in generator.nextDay() {
          let path = "\(folder(of: stream))/\(stream.rawValue)-\(name)"
          // FileHandle does not flush each file to the disk, as Data does.
          guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
          else { throw CocoaError(.fileWriteUnknown) }
          try file.write(contentsOf: lines)
          try file.close()
        }
      }
    } catch let error as CocoaError {
      throw Terminal.failure(
        .outputFailed, "cannot write \(directory): \(error.localizedDescription)")
    }
    var table = TextTable(["folder", "files", "lines", "bad lines", "bytes"])
    for stream in options.streams {
      let counts = generator.counts(of: stream)
      let numbers = [options.days, counts.lines, counts.bad, counts.bytes].map { String($0) }
      table.add([folder(of: stream)] + numbers)
    }
    try table.show()
  }

  private func folder(of stream: SampleStream) -> String { "\(directory)/\(stream.rawValue)" }
}
