internal import ArgumentParser
internal import Foundation
internal import Loading
internal import RecordPipeline

/// What `validate --format` can say.
enum ValidationFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, github

  /// - Parameter show: how many refused lines of each file are told.
  func output(show: Int?) -> any ValidationOutput {
    switch self {
    case .text: TextValidationOutput(show: show ?? 20)
    case .json: JSONValidationOutput(show: show ?? .max)
    case .github: GitHubValidationOutput(show: show ?? 20)
    }
  }
}

/// How the verdicts of `validate` are told, as they come: memory does not grow with them.
protocol ValidationOutput: AnyObject {
  func begin() throws
  func begin(_ file: CheckedFile) throws
  func reject(_ reject: RejectedLine, of file: CheckedFile) throws
  func end(_ file: CheckedFile, _ result: ValidationResult) throws
  /// Ends the output, with the files that were left alone because they fit no stream.
  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws
}

/// For people: the lines, and a table at the end.
private class TextValidationOutput: ValidationOutput {
  private let show: Int
  fileprivate var shown = 0
  private static let listedFields = 10
  private var table = TextTable(["file", "stream", "status", "lines", "good", "rejected", "blank"])

  init(show: Int) { self.show = show }

  func begin() throws {}

  func begin(_ file: CheckedFile) throws { shown = 0 }

  /// Text of a file's name or content, safe to print where this goes to.
  func safe(_ text: String) -> String { printable(text) }

  final func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    shown += 1
    try tell(reject, of: file)
  }

  func tell(_ reject: RejectedLine, of file: CheckedFile) throws {
    try Terminal.output(
      "\(printable(file.path)):\(reject.lineNumber): \(reject.rejection.sentence)")
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    if let error = result.error { tell(failure: error, of: file) }
    let totals = result.totals
    if totals.rejectedCount > shown, show > 0 {
      try Terminal.output(
        "\(safe(file.path)): \(totals.rejectedCount - shown) more refused lines; "
          + "--show N prints more")
    }
    tell(totals.unknownFields, of: file)
    let counts = [totals.lineCount, totals.rowCount, totals.rejectedCount, totals.blankCount]
    table.add(
      [safe(file.path), file.stream ?? "-", result.status.rawValue.replacing("_", with: " ")]
        + counts.map { String($0) })
  }

  /// No verdict, but something that somebody may want to know.
  private func tell(_ unknown: [UnknownField], of file: CheckedFile) {
    guard !unknown.isEmpty else { return }
    let listed = unknown.prefix(Self.listedFields).map { field in
      "\(field.name.map(safe) ?? "names beyond these") (\(field.lineCount))"
    }
    let more = unknown.count > listed.count ? ", and \(unknown.count - listed.count) more" : ""
    Terminal.note(
      "\(safe(file.path)): unknown fields, kept in extra: "
        + listed.joined(separator: ", ") + more)
  }

  func tell(skipped file: SkippedInput) {
    Terminal.problem("skipped \(file.path): \(file.reason)")
  }

  func tell(failure: String, of file: CheckedFile) {
    Terminal.problem("\(file.path): \(failure)")
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    for file in skipped { tell(skipped: file) }
    for line in table.lines { try Terminal.output(line) }
  }
}

/// For a pull request: workflow commands that GitHub shows beside the lines.
///
/// - Source: GitHub's documentation, "Workflow commands for GitHub Actions".
private final class GitHubValidationOutput: TextValidationOutput {
  /// What is printed beside the annotations is no command itself: those begin a line with two
  /// colons, the older ones hold `##[` anywhere.
  override func safe(_ text: String) -> String {
    let text = super.safe(text).replacing("##[", with: "# #[")
    return text.hasPrefix("::") ? "./\(text)" : text
  }

  override func tell(_ reject: RejectedLine, of file: CheckedFile) throws {
    let rejection = reject.rejection
    let place = "file=\(property(file.path)),line=\(reject.lineNumber)"
    let field = rejection.field.map { "\($0): " } ?? ""
    try Terminal.output(
      "::error \(place),title=\(rejection.code.rawValue)::\(message(field + rejection.reason))")
  }

  override func tell(failure: String, of file: CheckedFile) {
    // Annotations are read from standard output; that one cannot be written is told at the end.
    try? Terminal.output("::error file=\(property(file.path))::\(message(failure))")
  }

  override func tell(skipped file: SkippedInput) {
    try? Terminal.output("::warning file=\(property(file.path))::skipped: \(message(file.reason))")
  }

  private func message(_ text: String) -> String {
    printable(text).replacing("%", with: "%25")
  }

  private func property(_ text: String) -> String {
    message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

/// For programs: one JSON document, written as it comes.
private final class JSONValidationOutput: ValidationOutput {
  private let show: Int
  private var shown = 0
  private var isFirstFile = true

  private struct Reject: Encodable {
    let line: Int
    let byteOffset: Int
    let code: String
    let field: String?
    let reason: String

    private enum CodingKeys: String, CodingKey {
      case line, code, field, reason
      case byteOffset = "byte_offset"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(line, forKey: .line)
      try container.encode(byteOffset, forKey: .byteOffset)
      try container.encode(code, forKey: .code)
      // Every key is always there: null says that the whole line is at fault.
      try container.encode(field, forKey: .field)
      try container.encode(reason, forKey: .reason)
    }
  }

  init(show: Int) { self.show = show }

  func begin() throws { try Terminal.output(#"{"files":["#) }

  func begin(_ file: CheckedFile) throws {
    try Terminal.output(
      #"\#(isFirstFile ? "" : ",\n"){"path":\#(try json(file.path)),"#
        + #""stream":\#(try json(file.stream)),"rejects":["#)
    isFirstFile = false
    shown = 0
  }

  func reject(_ reject: RejectedLine, of file: CheckedFile) throws {
    guard shown < show else { return }
    let rejection = reject.rejection
    let told = Reject(
      line: reject.lineNumber, byteOffset: reject.byteOffset, code: rejection.code.rawValue,
      field: rejection.field, reason: rejection.reason)
    try Terminal.output((shown == 0 ? "" : ",") + json(told))
    shown += 1
  }

  func end(_ file: CheckedFile, _ result: ValidationResult) throws {
    let totals = result.totals
    let unknown = try totals.unknownFields.map {
      #"{"field":\#(try json($0.name)),"lines":\#($0.lineCount),"first_line":\#($0.firstLine)}"#
    }
    let digest = totals.sha256.isEmpty ? nil : hexadecimal(totals.sha256)
    try Terminal.output(
      #"],"status":\#(try json(result.status.rawValue)),"sha256":\#(try json(digest)),"#
        + #""lines":\#(totals.lineCount),"good":\#(totals.rowCount),"#
        + #""rejected":\#(totals.rejectedCount),"blank":\#(totals.blankCount),"#
        + #""unknown_fields":[\#(unknown.joined(separator: ","))],"#
        + #""error":\#(try json(result.error))}"#)
  }

  func end(_ exitCode: Loading.ExitCode, skipped: [SkippedInput]) throws {
    let files = try skipped.map {
      #"{"path":\#(try json($0.path)),"reason":\#(try json($0.reason))}"#
    }
    try Terminal.output(
      #"],"skipped":[\#(files.joined(separator: ","))],"exit_code":\#(exitCode.rawValue)}"#)
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return printableJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
