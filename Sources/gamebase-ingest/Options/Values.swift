internal import ArgumentParser
internal import Loading
internal import RecordPipeline
internal import SampleData

// The forms of the values of options. The parser checks them and names the option of a wrong one.

extension TimeUnit: ExpressibleByArgument {}
extension UnknownFieldPolicy: ExpressibleByArgument {}
extension SampleStream: ExpressibleByArgument {}

extension RecordStream: ExpressibleByArgument {
  package init?(argument: String) {
    guard let stream = StreamCatalog.stream(named: argument) else { return nil }
    self = stream
  }

  package static var allValueStrings: [String] { StreamCatalog.all.map(\.name) }
}

/// Reads a value of an option.
typealias ValueForm<Value> = @Sendable (String) throws -> Value

/// - Parameters:
///   - rule: a clause on every value, such as `must not be empty`, for the message about a wrong one.
///   - read: nil: the text is wrong.
func form<Value>(
  _ rule: String, _ read: @escaping @Sendable (String) -> Value?
) -> ValueForm<Value> {
  { text in
    guard let value = read(text) else { throw ValidationError("it \(rule)") }
    return value
  }
}

func number(_ least: Int, _ most: Int = .max) -> ValueForm<Int> {
  form("must be \(most == .max ? "at least \(least)" : "\(least) to \(most)")") { text in
    Int(text).flatMap { (least...most).contains($0) ? $0 : nil }
  }
}

/// A text; an empty one is most likely an unset shell variable.
let filledText: ValueForm<String> = form("must not be empty") { $0.isEmpty ? nil : $0 }

/// A day without a time, as its text.
let day: ValueForm<String> = form("must be a day, such as 2026-01-31") {
  CalendarDay(text: $0) == nil ? nil : $0
}

/// A time, as epoch milliseconds.
let time: ValueForm<Int64> = form(
  "must be a time from 2000 to 2100 with an offset, such as 2026-01-31T00:00:00Z"
) { text in
  epochMilliseconds(text).flatMap { TimeRule.possibleOptions.contains($0) ? $0 : nil }
}

let application: ValueForm<String> = { text in
  if let problem = ApplicationName.problem(with: text) { throw ValidationError(problem) }
  return text
}

/// The options of the commands that list entries.
struct ListOptions: ParsableArguments {
  @Option(help: "The number of entries to list one by one.", transform: number(0)) var limit = 50
  @Option(help: "The form of the list.") var format: OutputFormat = .text
}

/// The options that select refused lines or conflicts.
struct EntryOptions: ParsableArguments {
  @Option(help: "Only those of one run.") var load: Int?

  @Option(
    help: "Only those of files with this path, its end from a / on, this source_file_id or sha256.",
    transform: filledText)
  var file: String?

  @Option(help: "Only those of one stream.") var stream: RecordStream?

  @Option(help: "Only those because of this field, or in this column.", transform: filledText)
  var field: String?

  func filter(code: String? = nil, naturalKey: String? = nil) -> EntryFilter {
    var filter = EntryFilter()
    (filter.loadID, filter.file, filter.stream) = (load, file, stream?.name)
    (filter.field, filter.code, filter.naturalKey) = (field, code, naturalKey)
    return filter
  }
}
